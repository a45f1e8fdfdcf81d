"""Dependency cycles as JSON, for scripts."""

from __future__ import annotations

from analyzer.export.encode import json_text
from analyzer.export.reports.lint_json import condition_row
from analyzer.export.values import gap_row, relationship_row
from analyzer.graph.cycles.cuts import Cut
from analyzer.graph.cycles.search import Cycle
from analyzer.graph.findings import CyclesReport
from analyzer.graph.provenance import Hop


def render(report: CyclesReport) -> str:
    """Return `cycles`, all cycles of all inputs, and `incomplete`, their gaps.

    Cycles have input, members, path (closed), edges, shortest and cuts; those of other worlds also
    have a condition. Missing targets are not included.
    """
    cycles = [cycle_row(check.name, cycle) for check in report.checks for cycle in check.cycles]
    cycles += [
        {
            **cycle_row(one.finding.input, one.cycle),
            "condition": [condition_row(*part) for part in one.finding.condition],
        }
        for one in report.worlds
        if one.cycle is not None
    ]
    return json_text({"cycles": cycles, "incomplete": [gap_row(gap) for gap in report.gaps]})


def cycle_row(name: str, cycle: Cycle) -> dict[str, object]:
    """Return one cycle."""
    return {
        "input": name,
        "members": [str(member) for member in cycle.members],
        "path": [str(ref) for ref in cycle.path],
        "edges": [row for hop in cycle.hops for row in edge_rows(hop)],
        "shortest": cycle.shortest,
        "cuts": [cut_row(cycle.cut)],
    }


def edge_rows(hop: Hop) -> list[dict[str, object]]:
    """Return the relationships behind one edge of the path.

    `source` and `target` follow the path: the contents of a container come before its completed
    end, so there the content is the source, although the container `contains` it.
    """
    ends = {"source": str(hop.source_ref), "target": str(hop.target_ref)}
    return [{**relationship_row(relationship), **ends} for relationship in hop.relationships]


def cut_row(cut: Cut) -> dict[str, object]:
    """Return the statements to remove, each with an example, and the orderings lost."""
    return {
        "statements": [
            {**relationship_row(s.example), "count": s.count, "cost": s.cost}
            for s in cut.statements
        ],
        "lost": [list(pair) for pair in cut.lost],
        "lost_count": cut.lost_count,
        "exact": cut.exact,
    }
