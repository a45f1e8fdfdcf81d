"""`catgraph order`: the order in which Puppet applies resources, or CFEngine keeps promises."""

from __future__ import annotations

from analyzer.cli.shared.inputs import read_graphs, version_of
from analyzer.cli.shared.options import (
    COLOR,
    COMPILE,
    CONFIG,
    OUTPUT,
    Option,
    format_option,
    usage_error,
)
from analyzer.cli.shared.output import complain, emit
from analyzer.cli.shared.policies import SIMULATE, is_policy, one_input, print_order
from analyzer.escape import joined
from analyzer.session import config_for, is_manifest, maybe_run, read_input

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.cli.shared.options import Options
    from analyzer.graph.relationship_graph import RelationshipGraph

USAGE = "INPUT"
INPUTS = (1, None)
HELP = """Print the resources in the order in which Puppet applies them: those that wait for
nothing by their place in the catalog, the others as soon as what they wait for is done. The
schedules and the filebucket that Puppet adds itself come last. Exit code 1 when there is no
order, as the graph has a cycle. Several nodes of a manifest each have their order, below their
name; in JSON they are the keys of an object.

INPUT may be the report of a run (last_run_report.yaml, JSON, PuppetDB's) or the journal of one
that 'catgraph apply --real' made, also if it was killed: its order is printed, with when each
resource's turn came and the seconds it took. With --times REPORT the seconds are laid on the graph
of a catalog: the critical chain, that bounds the run, and the slowest resources.

Puppet from 6 on has manifest order only; title-hash and random existed up to 5 and need
--puppet-version 4 or 5.

Of a CFEngine policy (.cf) the promises are printed as they come in a simulated run of the agent:
the pass, the bundle, the type, the promiser, the outcome and the place; and those that are never
kept. Commands count as repaired, all else as kept, unless --outcome tells. Nothing is run. Of a
folder its promises.cf is taken, else all its policy files; further files are inputs of the first.
The def.json beside it is honoured. --agent server and monitor show what the daemons evaluate."""
OPTIONS = (
    format_option("text", "json"),
    Option(
        "--times", "the report of a run of this catalog: where its seconds went", metavar="REPORT"
    ),
    Option("--slowest", "how many of the slowest resources --times shows", 10, (), "N", int),
    Option(
        "--ordering",
        "how resources that do not wait for each other are ordered",
        "manifest",
        ("manifest", "title-hash", "random"),
    ),
    Option("--seed", "of the random ordering", 0, metavar="N", type=int),
    *SIMULATE,
    OUTPUT,
    CONFIG,
    *COMPILE,
    COLOR,
)

# The last major version that had a choice of orderings (PUP-6165).
LAST_WITH_ORDERINGS = 5


def version(options: Options) -> int:
    """Return Puppet's major version."""
    return version_of(options, config_for(options.inputs[0], options.config))


def run(options: Options) -> int:
    """Print the order, or say that there is none."""
    wrong = one_input("order", options)
    if wrong:
        return wrong
    if is_policy(options.inputs[0]):
        return print_order(options)
    if options.ordering != "manifest" and version(options) > LAST_WITH_ORDERINGS:
        return usage_error(
            "order",
            f"Puppet {version(options)} knows manifest order only; "
            f"--ordering {options.ordering} needs --puppet-version 5 or less",
        )
    path = options.inputs[0]
    data = None if is_manifest(path) else read_input(path)
    if data is not None and maybe_run(data):
        from analyzer.apply.report.runs import holds_run, load

        if holds_run(data, path):
            from analyzer.cli.reports.run_times import recorded

            if options.times:
                return usage_error("order", f"--times needs a catalog; {path} is a run itself")
            return recorded(load(data, path), options)
    graphs, failed = read_graphs(path, options, data)
    if len(graphs) == 1 and not failed:
        return catalog_order(graphs[0][1], options)
    if options.times:
        return usage_error("order", f"--times needs one catalog; {path} has {len(graphs)}")
    found = several_orders(graphs, options)
    return failed or found


def several_orders(graphs: list[tuple[str, RelationshipGraph]], options: Options) -> int:
    """Print the orders of several catalogs by name; those that have none are told of."""
    ordered = [(name, graph) for name, graph in graphs if not graph.has_cycle]
    for name, graph in graphs:
        if graph.has_cycle:
            refuse(graph, f"{options.inputs[0]} ({name})")
    found = {name: order_of(graph, options) for name, graph in ordered}
    if options.format == "json":
        print_json(found, options)
    else:
        lines = [line for name, refs in found.items() for line in (f"{name}:", *refs)]
        emit(joined(lines), options.output)
    return int(len(ordered) < len(graphs))


def catalog_order(graph: RelationshipGraph, options: Options) -> int:
    """Print the order of a catalog, or a run's seconds on it."""
    if graph.has_cycle:
        refuse(graph, options.inputs[0])
        return 1
    if options.times:
        from analyzer.cli.reports.run_times import timed

        return timed(graph, options)
    refs = order_of(graph, options)
    if options.format == "json":
        print_json(refs, options)
    else:
        emit(joined(refs), options.output)
    return 0


def refuse(graph: RelationshipGraph, name: str) -> None:
    """Say that a catalog has no order, with its cycles."""
    complain(f"{name}: error: there is no order (CG301)")
    for cycle in graph.cycles():
        complain(f"  {cycle}")
    complain("'catgraph cycles' explains")


def order_of(graph: RelationshipGraph, options: Options) -> list[str]:
    """Return the references in the order that is asked for."""
    return [str(ref) for ref in graph.order(options.ordering, options.seed)]


def print_json(document: object, options: Options) -> None:
    """Print a document."""
    from json import dumps

    emit(dumps(document, indent=1, ensure_ascii=False), options.output)
