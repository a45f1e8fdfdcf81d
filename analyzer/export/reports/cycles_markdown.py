"""Findings as Markdown for an issue or a job's summary."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.diagnostics import Finding
from analyzer.escape import shown
from analyzer.export.graph.mermaid import escaped
from analyzer.graph.cycles.search import Cycle
from analyzer.graph.findings import Check, CyclesReport, notes_on
from analyzer.graph.phrases import hop_lines
from analyzer.model.completeness import Gap, statement
from analyzer.model.nouns import counted, nouns_of
from analyzer.model.relationship import Relationship

# A drawing of a longer path is useless.
DRAWN = 60


def render(report: CyclesReport) -> str:
    """Return the whole report: a table of the inputs, then each finding."""
    lines = ["# Dependency cycles", "", f"{report.summary}.", "", *inputs_table(report)]
    for check in report.checks:
        if check.findings:
            lines += ["", f"## {code(check.name)}", *missing_list(check)]
        for number, cycle in enumerate(check.cycles, 1):
            lines += cycle_section(cycle, number, len(check.cycles))
    for one in report.worlds:
        lines += ["", f"## {code(one.finding.input)}", "", code(one.finding.message)]
        lines += cycle_section(one.cycle, 1, 1) if one.cycle is not None else []
    lines += unknown(report.gaps)
    return "\n".join(lines) + "\n"


def unknown(gaps: Sequence[Gap]) -> list[str]:
    """Return the completeness statement as a list."""
    lines = statement(gaps)
    return ["", "## Unknown", "", *(f"- {code(line)}" for line in lines)] if lines else []


def inputs_table(report: CyclesReport) -> list[str]:
    """Return one row for each input."""
    nouns = nouns_of(check.graph.catalog.nouns for check in report.checks)
    head = f"| input | {nouns.nodes} | {nouns.edge}s | result |"
    lines = [head, "| --- | ---: | ---: | --- |"]
    for check in report.checks:
        resources, edges = check.graph.resource_count, check.graph.relationship_count
        lines.append(f"| {cell(check.name)} | {resources:,} | {edges:,} | {check.verdict} |")
    lines += [f"| {cell(name)} | | | cannot be read |" for name, _ in report.unreadable]
    return lines


def missing_list(check: Check) -> list[str]:
    """Return the references to resources that do not exist, one in each entry."""
    found = [finding for finding in check.findings if finding.code == "CG201"]
    return ["", "### Missing targets", "", *map(missing_entry, found)] if found else []


def missing_entry(finding: Finding) -> str:
    """Return one reference that matches nothing."""
    place = f"{code(str(finding.span))}: " if finding.span else ""
    return f"- {place}{' '.join([code(finding.message), *map(code, finding.notes)])}"


def cycle_section(cycle: Cycle, number: int, total: int) -> list[str]:
    """Return the section on one cycle."""
    which = f" {number} of {total}" if total > 1 else ""
    notes = [f"- {code(note)}" for note in notes_on(cycle)]
    return [
        "",
        f"### Cycle{which}: {counted(len(cycle.members), 'member')}",
        "",
        " → ".join(code(str(ref)) for ref in cycle.path),
        "",
        *edges_table(cycle),
        "",
        *notes,
        *chart(cycle),
    ]


def edges_table(cycle: Cycle) -> list[str]:
    """Return one row for each edge."""
    lines = ["| edge | kind | place | note |", "| --- | --- | --- | --- |"]
    for edge, place, word, text in hop_lines(cycle.hops):
        shown = cell(place) if place != "-" else ""
        note = cell(text) if text else ""
        lines.append(f"| {cell(edge)} | {word} | {shown} | {note} |")
    return lines


def chart(cycle: Cycle) -> list[str]:
    """Return the path as a flowchart, which GitHub and GitLab draw."""
    refs = list(dict.fromkeys(map(str, cycle.path)))
    if len(refs) > DRAWN:
        return []
    ids = {ref: f"n{number}" for number, ref in enumerate(refs)}
    lines = ["", "```mermaid", "flowchart LR"]
    lines += [f'  {node}["{escaped(ref)}"]' for ref, node in ids.items()]
    for hop in cycle.hops:
        source, target = ids[str(hop.source_ref)], ids[str(hop.target_ref)]
        if hop.relationships and (source != target or len(refs) == 1):
            lines.append(f"  {source} -->|{label(hop.relationships[0])}| {target}")
    return [*lines, "```"]


def label(relationship: Relationship) -> str:
    """Return the word on an edge of the chart."""
    form = relationship.origin.form
    return "contains" if form == "containment" else form


def code(text: str) -> str:
    """Return text as a code span, with any backticks in it (CommonMark, code spans)."""
    text = shown(text)
    longest = max((len(run) for run in runs_of_backticks(text)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if longest or text.strip(" ") != text or not text else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def runs_of_backticks(text: str) -> list[str]:
    """Return the runs of backticks in a text."""
    return "".join(c if c == "`" else " " for c in text).split()


def cell(text: str) -> str:
    """Return text as a code span in a table, where a bar must be escaped even in code."""
    return code(text).replace("|", "\\|")
