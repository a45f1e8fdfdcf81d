"""Findings as SARIF 2.1.0, each cycle as a code flow, for code scanning."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from analyzer.diagnostics import ISSUES, Finding, Issue, Step
from analyzer.export.encode import json_text, relative_path, uri
from analyzer.graph.findings import Check, Report
from analyzer.source import Span
from analyzer.version import VERSION

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
CODES = ("CG201", "CG301")

# Resources that a result names where no file is known.
LOGICAL = 20


def render(report: Report) -> str:
    """Return a log with one run over all inputs."""
    run = {
        "tool": {
            "driver": {
                "name": "catgraph",
                "version": VERSION,
                "rules": [rule(ISSUES[code]) for code in CODES],
            }
        },
        "invocations": [invocation(report)],
        "artifacts": [artifact(name) for name in artifact_names(report)],
        "results": [result(c, finding) for c in report.checks for finding in c.findings],
        "columnKind": "unicodeCodePoints",
        "properties": {"summary": report.summary},
    }
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def rule(issue: Issue) -> dict[str, Any]:
    """Return a reportingDescriptor."""
    return {
        "id": issue.code,
        "name": issue.name,
        "shortDescription": {"text": issue.summary},
        "fullDescription": {"text": f"{issue.summary}. {issue.help}"},
        "help": {"text": issue.help},
        "defaultConfiguration": {"level": issue.severity},
    }


def invocation(report: Report) -> dict[str, Any]:
    """Return whether every input could be read, and what kept others from it."""
    if not report.unreadable:
        return {"executionSuccessful": True}
    return {
        "executionSuccessful": False,
        "toolExecutionNotifications": [
            {
                "level": "error",
                "message": {"text": message},
                "locations": [
                    {"physicalLocation": {"artifactLocation": {"uri": uri(relative_path(name))}}}
                ],
            }
            for name, message in report.unreadable
        ],
    }


def artifact_names(report: Report) -> list[str]:
    """Return the files that were read, each once."""
    paths = [check.graph.catalog.path for check in report.checks]
    paths += [name for name, _ in report.unreadable]
    return list(dict.fromkeys(map(relative_path, paths)))


def artifact(name: str) -> dict[str, Any]:
    """Return a catalog file as an artifact."""
    return {"location": {"uri": uri(name)}, "roles": ["analysisTarget"]}


def result(check: Check, finding: Finding) -> dict[str, Any]:
    """Return one result; the same cycle has the same fingerprint wherever its lines move to."""
    row: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": CODES.index(finding.code),
        "level": finding.severity,
        "message": {"text": "\n".join([finding.message, *finding.notes])},
        "locations": [location(check, finding.span, finding.refs[:LOGICAL])],
        "partialFingerprints": {"resources/v1": fingerprint(finding)},
    }
    if finding.steps:
        steps = [{"location": step_location(check, step)} for step in finding.steps]
        row["codeFlows"] = [{"threadFlows": [{"locations": steps}]}]
    row["properties"] = {"input": finding.input}
    return row


def fingerprint(finding: Finding) -> str:
    """Return a hash of what the finding is about: its code and its resources."""
    text = "\n".join([finding.code, *sorted(finding.refs)])
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def location(check: Check, span: Span | None, refs: tuple[str, ...]) -> dict[str, Any]:
    """Return a place: in a manifest, or where none is known the catalog and its resources."""
    catalog = check.graph.catalog
    if span is None:
        return {
            "physicalLocation": physical(Span(relative_path(catalog.path))),
            "logicalLocations": [
                {"fullyQualifiedName": ref, "kind": "resource"} for ref in dict.fromkeys(refs)
            ],
        }
    file = relative_path(span.file, catalog.environment)
    return {"physicalLocation": physical(Span(file, span.line, span.column))}


def physical(span: Span) -> dict[str, Any]:
    """Return a file with its line and column as far as they are known."""
    row: dict[str, Any] = {"artifactLocation": {"uri": uri(span.file)}}
    if span.line > 0:
        row["region"] = {"startLine": span.line}
        if span.column > 0:
            row["region"]["startColumn"] = span.column
    return row


def step_location(check: Check, step: Step) -> dict[str, Any]:
    """Return the location of one edge of a cycle."""
    return {**location(check, step.span, step.refs), "message": {"text": step.text}}
