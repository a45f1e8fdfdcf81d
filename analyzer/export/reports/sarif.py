"""Findings as SARIF 2.1.0, each cycle as a code flow, for code scanning."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from hashlib import sha256

from analyzer.diagnostics import Edit, Finding, Fix, Issue, Results, Step
from analyzer.export.encode import json_text, relative_path, slashes, uri
from analyzer.model.documents import JsonObject
from analyzer.source import Span
from analyzer.version import VERSION

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

# The most resources that a result names if no file is known.
LOGICAL = 20


def render(results: Results) -> str:
    """Return a log with one run over all inputs."""
    codes = [issue.code for issue in results.issues]
    run = {
        "tool": {
            "driver": {
                "name": "catgraph",
                "version": VERSION,
                "rules": [rule(issue) for issue in results.issues],
            }
        },
        "invocations": [invocation(results)],
        "artifacts": [artifact(name) for name in artifact_names(results)],
        "results": [
            result(codes, finding, mark)
            for finding, mark in zip(results.findings, fingerprints(results.findings), strict=True)
        ],
        "columnKind": "unicodeCodePoints",
        "properties": {"summary": results.summary},
    }
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def rule(issue: Issue) -> dict[str, object]:
    """Return a reportingDescriptor."""
    return {
        "id": issue.code,
        "name": issue.name,
        "shortDescription": {"text": issue.summary},
        "fullDescription": {"text": f"{issue.summary}. {issue.help}"},
        "help": {"text": issue.help},
        "defaultConfiguration": {"level": issue.severity},
    }


def invocation(results: Results) -> dict[str, object]:
    """Return whether all inputs could be read, with errors and gaps as notifications."""
    rows = [notification("error", message, Span(name)) for name, message in results.unreadable]
    for gap in results.gaps:
        level = "warning" if gap.hides else "note"
        rows.append(notification(level, f"incomplete: {gap}", gap.span))
    row: dict[str, object] = {"executionSuccessful": not results.unreadable}
    return {**row, "toolExecutionNotifications": rows} if rows else row


def notification(level: str, text: str, span: Span | None) -> dict[str, object]:
    """Return the notifications about the run itself."""
    row: dict[str, object] = {"level": level, "message": {"text": text}}
    if span is not None and span.file:
        place = Span(relative_path(span.file), span.line, span.column)
        row["locations"] = [{"physicalLocation": physical(place)}]
    return row


def artifact_names(results: Results) -> list[str]:
    """Return the files that were read, each once."""
    paths = [*results.inputs, *(name for name, _ in results.unreadable)]
    return list(dict.fromkeys(map(relative_path, paths)))


def artifact(name: str) -> dict[str, object]:
    """Return a catalog file as an artifact."""
    return {"location": {"uri": uri(name)}, "roles": ["analysisTarget"]}


def result(codes: list[str], finding: Finding, mark: str) -> JsonObject:
    """Return one result."""
    row: JsonObject = {
        "ruleId": finding.code,
        "ruleIndex": codes.index(finding.code),
        "level": finding.severity,
        "message": {"text": "\n".join([finding.message, *finding.notes])},
        "locations": [location(finding, finding.span, finding.refs[:LOGICAL])],
        "partialFingerprints": {"resources/v1": mark},
    }
    if finding.steps:
        steps = [{"location": step_location(finding, step)} for step in finding.steps]
        row["codeFlows"] = [{"threadFlows": [{"locations": steps}]}]
    if finding.fixes:
        row["fixes"] = [fix_row(finding, fix) for fix in finding.fixes]
    row["properties"] = {"input": finding.input}
    if len(finding.inputs) > 1:
        row["properties"]["catalogs"] = list(finding.inputs)
    return row


def fix_row(finding: Finding, fix: Fix) -> dict[str, object]:
    """Return a fix: its edits by file, in characters from the start of the file."""
    unsafe = f" (unsafe{f': {fix.doubt}' if fix.doubt else ''})" if fix.unsafe else ""
    files: dict[str, list[dict[str, object]]] = {}
    for edit in fix.edits:
        files.setdefault(edit.file, []).append(replacement(edit))
    return {
        "description": {"text": f"{fix.what}{unsafe}"},
        "artifactChanges": [
            {
                "artifactLocation": {"uri": uri(relative_path(file, finding.environment))},
                "replacements": rows,
            }
            for file, rows in files.items()
        ],
    }


def replacement(edit: Edit) -> dict[str, object]:
    """Return one edit."""
    return {
        "deletedRegion": {"charOffset": edit.start, "charLength": edit.end - edit.start},
        "insertedContent": {"text": edit.text},
    }


def fingerprints(findings: Sequence[Finding]) -> list[str]:
    """Return a fingerprint for each finding that survives moved lines.

    It is a hash of the code, the file and the resources (or of the message if there are none);
    equal ones are numbered.
    """
    seen: Counter[str] = Counter()
    marks = []
    for finding in findings:
        span = finding.span
        file = relative_path(span.file, finding.environment) if span else ""
        about = sorted(finding.refs) or [finding.message]
        text = "\n".join([finding.code, slashes(file), *about])
        seen[text] += 1
        text += f"\n{seen[text]}" if seen[text] > 1 else ""
        marks.append(sha256(text.encode("utf-8", "surrogatepass")).hexdigest())
    return marks


def location(finding: Finding, span: Span | None, refs: tuple[str, ...]) -> dict[str, object]:
    """Return a place in a manifest; if none is known, the catalog and its resources."""
    if span is None:
        return {
            "physicalLocation": physical(Span(relative_path(finding.path))),
            "logicalLocations": [
                {"fullyQualifiedName": ref, "kind": "resource"} for ref in dict.fromkeys(refs)
            ],
        }
    file = relative_path(span.file, finding.environment)
    return {"physicalLocation": physical(Span(file, span.line, span.column))}


def physical(span: Span) -> dict[str, object]:
    """Return a file with its line and column as far as they are known."""
    row: JsonObject = {"artifactLocation": {"uri": uri(span.file)}}
    if span.line > 0:
        row["region"] = {"startLine": span.line}
        if span.column > 0:
            row["region"]["startColumn"] = span.column
    return row


def step_location(finding: Finding, step: Step) -> dict[str, object]:
    """Return the location of one edge of a cycle."""
    return {**location(finding, step.span, step.refs), "message": {"text": step.text}}
