"""`catgraph why A B`: the shortest explanation of "A before B", or why it is not so."""

from __future__ import annotations

from analyzer.cli.shared.inputs import read_graphs, refs_and_inputs
from analyzer.cli.shared.options import COLOR, COMPILE, CONFIG, OUTPUT, format_option, usage_error
from analyzer.cli.shared.output import emit, style_for
from analyzer.cli.shared.policies import SIMULATE, all_policies
from analyzer.escape import joined

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from analyzer.cli.shared.options import Options
    from analyzer.graph.queries import Why
    from analyzer.graph.relationship_graph import RelationshipGraph

USAGE = "INPUT A B"
INPUTS = (2, None)
HELP = """Explain why resource A is applied before resource B: a shortest chain of edges, each
with the statement or rule that made it. A and B are references such as 'File[/etc/motd]', found
by title, alias or namevar. Exit code 0 when A comes before B of necessity, 1 when it does not.
Of several nodes each that has both is explained below its name, and counts.

Of a CFEngine policy (.cf) A and B are promises such as 'Commands[main:/bin/true]', in a simulated
run; with A alone it says when A is kept, or what keeps it from that (exit code 1)."""
OPTIONS = (format_option("text", "json"), *SIMULATE, OUTPUT, CONFIG, *COMPILE, COLOR)

HEADS = {
    "before": "{a} is applied before {b}:",
    "after": "{a} is not applied before {b}: it comes after it:",
    "cycle": "{a} and {b} wait for each other; 'catgraph cycles' explains. One way:",
    "contains": "{a} and {b} are not one before the other: one contains the other:",
    "unordered": "{a} and {b} are not ordered: no relationship leads from one to the other.",
}
BY_PLACE = "Puppet reaches {} first, by its place in the catalog only."


def run(options: Options) -> int:
    """Print the explanation."""
    refs, inputs = refs_and_inputs(options.inputs)
    policy = all_policies(inputs)
    if policy and len(refs) == 1:
        from analyzer.cli.reports.policy_why import print_why_not

        return print_why_not(inputs, refs[0], options)
    if len(refs) != 2 or not (policy or len(inputs) == 1):
        return usage_error("why", "expected one INPUT and two references such as File[/etc/motd]")
    if policy:
        from analyzer.cli.reports.policy_why import print_order_of_two

        return print_order_of_two(inputs, refs, options)
    graphs, failed = read_graphs(inputs[0], options)
    several = len(graphs) > 1 or bool(failed)
    found: list[tuple[str, RelationshipGraph, Why]] = []
    unknown = ""
    for name, graph in graphs:
        try:
            found.append((name if several else "", graph, graph.why(*refs)))
        except KeyError as error:
            unknown = error.args[0]
    if not found:
        both = f"no node has both {refs[0]} and {refs[1]}"
        return usage_error("why", both if several else unknown)
    code = print_why(found, options, HEADS, BY_PLACE)
    return failed or code


def print_why(
    found: Sequence[tuple[str, RelationshipGraph, Why]],
    options: Options,
    heads: Mapping[str, str],
    by_place: str,
) -> int:
    """Print an explanation for each catalog, below its name where it has one.

    `heads` and `by_place` are its words for each verdict.
    """
    if options.format == "json":
        from json import dumps

        rows = {name: row_of(graph, why) for name, graph, why in found}
        document = rows.get("", rows)
        emit(dumps(document, indent=1, ensure_ascii=False), options.output)
    else:
        from analyzer.cli.reports.cycle_text import edge_table

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
