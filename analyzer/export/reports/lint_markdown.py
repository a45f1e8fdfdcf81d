"""Findings as Markdown for a review or a job's summary."""

from __future__ import annotations

from analyzer.diagnostics import Finding, Results
from analyzer.export.reports.cycles_markdown import cell, code, unknown


def render(results: Results) -> str:
    """Return a table of the findings, then the details of those with more than a line."""
    lines = ["# catgraph lint", "", f"{results.summary}."]
    if results.findings:
        lines += ["", "| place | severity | rule | finding |", "| --- | --- | --- | --- |"]
        lines += map(row, results.findings)
    names = {issue.code: issue.name for issue in results.issues}
    for finding in results.findings:
        if finding.steps or finding.notes or finding.fixes:
            lines += section(finding, names.get(finding.code, ""))
    if results.unreadable:
        lines += ["", "## Not read", ""]
        lines += [f"- {code(name)}: {code(message)}" for name, message in results.unreadable]
    lines += unknown(results.gaps)
    return "\n".join(lines) + "\n"


def row(finding: Finding) -> str:
    """Return the row of one finding."""
    place = cell(str(finding.span)) if finding.span else cell(finding.input)
    return f"| {place} | {finding.severity} | {finding.code} | {cell(finding.message)} |"


def section(finding: Finding, name: str) -> list[str]:
    """Return the details of a finding below its row."""
    place = f" at {code(str(finding.span))}" if finding.span else ""
    lines = ["", f"## {finding.code} {name}{place}", "", code(finding.message), ""]
    for step in finding.steps:
        at = f" ({code(str(step.span))})" if step.span else ""
        lines.append(f"1. {code(step.text)}{at}")
    if finding.steps and (finding.notes or finding.fixes):
        lines.append("")
    lines += [f"- {code(note)}" for note in finding.notes]
    lines += [
        f"- tested {fix.word}: {code(fix.what)}; {fix.effect}"
        + (f"; {code(fix.doubt)}" if fix.doubt else "")
        for fix in finding.fixes
    ]
    return lines
