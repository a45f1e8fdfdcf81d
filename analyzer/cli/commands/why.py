"""`catgraph why`: explain why a resource exists, where a value comes from, and an order."""

from __future__ import annotations

from analyzer.cli.shared.completeness import ALLOW, exit_code, gaps_of
from analyzer.cli.shared.inputs import read_graphs, refs_and_inputs
from analyzer.cli.shared.options import (
    COLOR,
    COMPILE,
    CONFIG,
    OUTPUT,
    SIMULATE,
    format_option,
)
from analyzer.cli.shared.output import usage_error
from analyzer.cli.shared.policies import all_policies

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.cli.shared.options import Options
    from analyzer.graph.queries import Why
    from analyzer.graph.relationship_graph import RelationshipGraph

USAGE = "INPUT A [B | PARAMETER]"
INPUTS = (2, None)
HELP = """With one reference, explain why a resource or class is in the catalog: the statement that
declares it, the classes around it, and the conditions with what decided them. With the name of a
parameter, explain where its value comes from, the deepest cause last; --explain shows everything
that took part. INPUT must be manifests.

With two references, explain why Puppet applies resource A before resource B: a shortest chain of
edges, each with the statement or rule that made it. Write references such as 'File[/etc/motd]';
titles, aliases and namevars are found. With several nodes, every node that has both resources is
explained. Exit code 0 if A must come before B on all of them, else 1;
3 if something unknown may add an order.

For a CFEngine policy (.cf), A and B are promises of a simulated run, such as
'Commands[main:/bin/true]'. With A alone you see when A is kept, or what prevents that (exit code
1)."""
OPTIONS = (format_option("text", "json"), ALLOW, *SIMULATE, OUTPUT, CONFIG, *COMPILE, COLOR)


def run(options: Options) -> int:
    """Print the explanation."""
    refs, inputs = refs_and_inputs(options.inputs)
    policy = all_policies(inputs)
    if policy and len(refs) == 1:
        from analyzer.cli.reports.policy_why import print_why_not

        return print_why_not(inputs, refs[0], options)
    if len(refs) == 1 and not policy and len(inputs) in (1, 2):
        from analyzer.cli.reports.origin_text import print_origins

        return print_origins(inputs[0], refs[0], inputs[1:], options)
    if len(refs) != 2 or not (policy or len(inputs) == 1):
        return usage_error("why", mistake(refs, inputs))
    if policy:
        from analyzer.cli.reports.policy_why import print_order_of_two

        return print_order_of_two(inputs, refs, options)
    from analyzer.cli.reports.why_text import print_why
    from analyzer.session.locating import locate

    graphs, failed = read_graphs(inputs[0], options)
    several = len(graphs) > 1 or bool(failed)
    found: list[tuple[str, RelationshipGraph, Why]] = []
    unknown = ""
    for name, graph in graphs:
        locate(graph)
        try:
            found.append((name if several else "", graph, graph.why(*refs)))
        except KeyError as error:
            unknown = error.args[0]
    if not found:
        both = f"no node has both {refs[0]} and {refs[1]}"
        wrong = usage_error("why", both if several else unknown)
        return failed or wrong
    code = print_why(found, options)
    return exit_code(failed or code, gaps_of(graph for _, graph, _ in found), options)


def mistake(refs: list[str], inputs: list[str]) -> str:
    """Return the message about wrong arguments."""
    if len(refs) > 2:
        pair = f"'catgraph why {inputs[0] if inputs else 'INPUT'} {refs[0]} {refs[1]}'"
        return f"expected two references, got {len(refs)}: {', '.join(refs)}; ask about two: {pair}"
    given = ", ".join(inputs) or "none"
    if len(inputs) != 1:
        return f"expected one INPUT and two references such as File[/etc/motd]; inputs: {given}"
    return f"expected two references such as File[/etc/motd] after {given}"
