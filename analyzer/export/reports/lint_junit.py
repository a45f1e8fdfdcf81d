"""Findings as JUnit XML: a suite for each file with findings, a test case for each finding."""

from __future__ import annotations

from analyzer.diagnostics import Finding, Results
from analyzer.export.reports.cycles_junit import attribute, content, unreadable
from analyzer.graph.findings import finding_text
from analyzer.model.completeness import hiding, statement


def render(results: Results) -> str:
    """Return the document; notes are passing cases, and without findings there is one case."""
    files: dict[str, list[Finding]] = {}
    for finding in results.findings:
        file = finding.span.file if finding.span else finding.path
        files.setdefault(file, []).append(finding)
    failures = sum(finding.severity != "note" for finding in results.findings)
    errors = len(results.unreadable)
    tests = max(len(results.findings) + errors, 1)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites name="catgraph lint" tests="{tests}" failures="{failures}" '
        f'errors="{errors}">',
    ]
    for file, found in files.items():
        lines += suite(file, found)
    for name, message in results.unreadable:
        lines += unreadable(name, message)
    if not results.findings and not errors:
        lines += nothing_found(results)
    return "\n".join([*lines, "</testsuites>"]) + "\n"


def nothing_found(results: Results) -> list[str]:
    """Return a suite with one case, which passes only if everything is known."""
    unknown = "; ".join(statement(hiding(results.gaps)))
    head = f'    <testcase classname="catgraph" name="{attribute(results.summary)}"'
    case = [f"{head}/>"]
    if unknown:
        case = [f"{head}>", f'      <skipped message="{attribute(unknown)}"/>', "    </testcase>"]
    first = '  <testsuite name="catgraph" tests="1" failures="0" errors="0">'
    return [first, *case, "  </testsuite>"]


def suite(file: str, found: list[Finding]) -> list[str]:
    """Return the lines for one file."""
    name = attribute(file)
    failures = sum(finding.severity != "note" for finding in found)
    head = f'  <testsuite name="{name}" tests="{len(found)}" failures="{failures}" errors="0">'
    return [head, *(line for finding in found for line in case(name, finding)), "  </testsuite>"]


def case(name: str, finding: Finding) -> list[str]:
    """Return the lines for one finding."""
    line = f" line {finding.span.line}" if finding.span and finding.span.line else ""
    title = attribute(f"{finding.code}{line}: {finding.message}")
    head = f'    <testcase classname="{name}" name="{title}"'
    text = content(finding_text(finding))
    if finding.severity == "note":
        return [f"{head}>", f"      <system-out>{text}</system-out>", "    </testcase>"]
    failure = f'<failure message="{attribute(finding.message)}" type="{finding.code}">'
    return [f"{head}>", f"      {failure}{text}</failure>", "    </testcase>"]
