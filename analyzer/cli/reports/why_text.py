"""The report of `catgraph why`: a chain of edges from one resource to another."""

from __future__ import annotations

from analyzer.cli.reports.cycle_text import edge_table
from analyzer.cli.shared.output import emit, emit_json, style_for
from analyzer.escape import joined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from analyzer.cli.shared.options import Options
    from analyzer.graph.queries import Why
    from analyzer.graph.relationship_graph import RelationshipGraph

HEADS = {
    "before": "{a} is applied before {b}:",
    "after": "{a} is applied after {b}, not before it:",
    "cycle": "{a} and {b} are in a dependency cycle; run 'catgraph cycles' to explain "
    "it. One path:",
    "contains": "{a} and {b} are not ordered, because one contains the other:",
    "unordered": "{a} and {b} are unordered: no relationship leads from one to the other.",
}
BY_POSITION = "Puppet applies {} first, only because of its position in the catalog."


def print_why(
    found: Sequence[tuple[str, RelationshipGraph, Why]],
    options: Options,
    heads: Mapping[str, str] = HEADS,
    by_place: str = BY_POSITION,
) -> int:
    """Print an explanation for each catalog, below its name if it has one.

    `heads` and `by_place` are the words for each verdict.
    """
    if options.format == "json":
        rows = {name: row_of(graph, why) for name, graph, why in found}
        document = rows.get("", rows)
        emit_json(document, options.output)
    else:
        lines = []
        for name, _, why in found:
            lines += [f"{name}:"] if name else []
            lines.append(heads[why.verdict].format(a=why.first, b=why.second))
            if why.hops:
                lines += ["", *edge_table(why.hops, style_for(options))]
            if why.by_place:
                lines.append(by_place.format(why.by_place))
        emit(joined(lines), options.output)
    return int(any(why.verdict != "before" for _, _, why in found))


def row_of(graph: RelationshipGraph, why: Why) -> dict[str, object]:
    """Return an explanation for JSON."""
    from analyzer.export.values import gap_row, hop_row

    return {
        "first": str(why.first),
        "second": str(why.second),
        "verdict": why.verdict,
        "edges": [hop_row(hop) for hop in why.hops],
        "first_by_place": str(why.by_place) if why.by_place else None,
        "incomplete": [gap_row(gap) for gap in graph.gaps],
    }
