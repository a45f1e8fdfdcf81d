"""The text report of `catgraph lint`."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.cli.shared.output import OutputStyle
from analyzer.diagnostics import Finding, Fix, Results
from analyzer.escape import joined
from analyzer.session.lint.read import Sources
from analyzer.source import caret_snippet

COLORS = {"error": "red", "warning": "yellow", "note": "cyan"}


def text_report(results: Results, sources: Sources, style: OutputStyle, *, explain: bool) -> str:
    """Return all findings, the unreadable inputs, and the summary."""
    lines: list[str] = []
    explained: set[str] = set()
    for finding in results.findings:
        lines += finding_lines(finding, sources, style)
        if explain and finding.code not in explained:
            explained.add(finding.code)
            lines += [
                "",
                *(
                    f"    {line}".rstrip()
                    for line in sources.known[finding.code].docs.text.split("\n")
                ),
            ]
        lines.append("")
    for _, message in results.unreadable:
        lines += message.split("\n")
    return joined([*lines, *results.summary.split("\n")])


def finding_lines(finding: Finding, sources: Sources, style: OutputStyle) -> Iterator[str]:
    """Yield the lines of one finding."""
    place = f"{finding.span or finding.input}: "
    severity = style(COLORS[finding.severity], finding.severity)
    yield f"{style('bold', place)}{severity}: {finding.message} ({finding.code})"
    yield from source_lines(finding, sources)
    for step in finding.steps:
        yield f"  {step.text}" + (f" [{style('dim', str(step.span))}]" if step.span else "")
    for note in finding.notes:
        yield f"  {note}"
    for fix in finding.fixes:
        yield from fix_lines(fix, style)


def source_lines(finding: Finding, sources: Sources) -> list[str]:
    """Return the line of a manifest with the finding, with a caret if the column is known."""
    span = finding.span
    text = sources.texts.get(span.file) if span and span.line else None
    if span is None or text is None:
        return []
    lines = caret_snippet(text, span.line, max(span.column, 1)).split("\n")
    return lines if span.column else lines[:1]


def fix_lines(fix: Fix, style: OutputStyle) -> Iterator[str]:
    """Yield the description of a fix, with the orderings gained and lost."""
    yield f"  {style('yellow' if fix.unsafe else 'green', fix.word)}: {fix.what}; {fix.effect}"
    if fix.doubt:
        yield f"    unsafe: {fix.doubt}"
    for first, second in fix.lost[:3]:
        yield f"    ordering lost: {first} before {second}"
