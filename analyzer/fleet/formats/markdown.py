"""The answer as Markdown, for a merge request."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.export.reports.cycles_markdown import cell, code
from analyzer.fleet.causes import ClusteredCause, text_of
from analyzer.fleet.formats.text import place_of
from analyzer.fleet.report import FleetReport, headline, some
from analyzer.model.nouns import counted

# Nodes of a cause that are listed, and reasons why nodes were not seen whole.
NODES, FAILED = 50, 50


def render(report: FleetReport) -> str:
    """Return a table of the causes, each with its statements, and what failed."""
    lines = [f"# catgraph fleet {report.question}", "", f"{report.summary}."]
    if report.causes:
        lines += ["", "| nodes | severity | rule | cause |", "| ---: | --- | --- | --- |"]
        lines += map(row, report.causes)
    for cause in report.causes:
        lines += section(cause)
    if report.failed:
        lines += ["", "## Not fully examined", ""]
        for one in report.failed[:FAILED]:
            nodes = f"{counted(len(one.nodes), 'node')} ({code(some(one.nodes))})"
            lines.append(f"- {nodes}: {code(one.reason)}")
        if len(report.failed) > FAILED:
            lines.append(f"- ... and {len(report.failed) - FAILED:,} more reasons")
    return "\n".join(lines) + "\n"


def row(cause: ClusteredCause) -> str:
    """Return the row of a cause."""
    first = cause.statements[0]
    text = f"{place_of(first)}{text_of(first)}".rstrip(": ")
    return f"| {len(cause.nodes):,} | {cause.severity} | {cause.code} | {cell(text)} |"


def section(cause: ClusteredCause) -> Iterator[str]:
    """Yield the details of a cause, the nodes folded away."""
    yield from ("", f"## {cause.code}: {code(headline(cause))}", "")
    for statement in cause.statements:
        yield f"- {code((place_of(statement) + text_of(statement)).rstrip(': '))}"
    for place, text in cause.lines:
        yield f"- caused by {code(place)} {code(text)}"
    for place, text in cause.places:
        yield f"- now from {code(place)} {code(text)}"
    if cause.path:
        path = " → ".join(map(code, cause.path))
        yield from ("", f"For example {code(cause.example)}: {path}")
    more = f" and {len(cause.nodes) - NODES:,} more" if len(cause.nodes) > NODES else ""
    yield from ("", f"<details><summary>{len(cause.nodes):,} nodes</summary>", "")
    yield f"{', '.join(map(code, cause.nodes[:NODES]))}{more}"
    yield from ("", "</details>")
