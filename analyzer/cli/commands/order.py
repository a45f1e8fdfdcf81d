"""`catgraph order`: print the order of resources in Puppet, or of promises in CFEngine."""

from __future__ import annotations

from analyzer.cli.shared.completeness import ALLOW, exit_code, gaps_of
from analyzer.cli.shared.inputs import read_graphs, version_of
from analyzer.cli.shared.options import (
    COLOR,
    COMPILE,
    CONFIG,
    OUTPUT,
    SIMULATE,
    Option,
    format_option,
)
from analyzer.cli.shared.output import emit, emit_json, print_error, usage_error
from analyzer.cli.shared.policies import one_input, print_order
from analyzer.escape import joined
from analyzer.session.inputs import kind_of, maybe_run, read_input
from analyzer.session.settings import config_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.cli.shared.options import Options
    from analyzer.graph.relationship_graph import RelationshipGraph

USAGE = "INPUT"
INPUTS = (1, None)
HELP = """Print the resources in the order in which Puppet applies them. A resource comes
as soon as everything it depends on is done; ties are broken by the position in the catalog. The
schedules and the filebucket that Puppet adds come last. With several nodes, each order follows
the node's name; in JSON, the names are the keys of an object. Exit code 1 if there is no order
because of a dependency cycle, 3 if something unknown may change it.

INPUT may also be the report of a run (last_run_report.yaml, JSON, or PuppetDB's) or a journal of
'catgraph apply --real', even of a run that was killed. The order of that run is then printed, with
the start and duration of each resource. With --times REPORT, the durations are placed on the
graph of a catalog: you see the critical chain, which bounds the duration of the run, and the
slowest resources.

Puppet 6 and later have only the ordering 'manifest'. For 'title-hash' and 'random', give
--puppet-version 4 or 5.

For a CFEngine policy (.cf), the promises are printed in the order of a simulated agent run, with
pass, bundle, type, promiser, outcome and place, followed by the promises that are never kept. No
command runs: commands count as repaired and everything else as kept, unless --outcome says
otherwise. In a folder, promises.cf is loaded, or else all policy files; further files are added as
inputs. A def.json next to the policy is read. --agent server and --agent monitor show what the
daemons evaluate."""
OPTIONS = (
    format_option("text", "json"),
    Option(
        "--times", "report of a run of this catalog; shows where its time went", metavar="REPORT"
    ),
    Option("--slowest", "number of slowest resources that --times shows", 10, (), "N", int),
    Option(
        "--ordering",
        "how unordered resources are arranged",
        "manifest",
        ("manifest", "title-hash", "random"),
    ),
    Option("--seed", "seed of the ordering 'random'", 0, metavar="N", type=int),
    *SIMULATE,
    ALLOW,
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
    """Print the order, or report that there is none."""
    wrong = one_input("order", options)
    if wrong:
        return wrong
    path = options.inputs[0]
    kind = kind_of(path)
    if kind == "policy":
        return print_order(options)
    if options.ordering != "manifest" and version(options) > LAST_WITH_ORDERINGS:
        return usage_error(
            "order",
            f"Puppet {version(options)} has manifest ordering only; "
            f"--ordering {options.ordering} needs --puppet-version 4 or 5",
        )
    data = read_input(path) if kind == "data" else None
    if data is not None and maybe_run(data):
        from analyzer.apply.report.runs import holds_run, load

        if holds_run(data, path):
            from analyzer.cli.reports.run_times import print_recorded_run

            if options.times:
                return usage_error("order", f"--times needs a catalog, but {path} is a run")
            return print_recorded_run(load(data, path), options)
    graphs, failed = read_graphs(path, options, data, kind)
    if len(graphs) == 1 and not failed:
        return catalog_order(graphs[0][1], options)
    if options.times:
        return usage_error("order", f"--times needs one catalog, but {path} has {len(graphs)}")
    found = several_orders(graphs, options)
    return failed or found


def several_orders(graphs: list[tuple[str, RelationshipGraph]], options: Options) -> int:
    """Print the orders of several catalogs by name, and report catalogs without an order."""
    ordered = [(name, graph) for name, graph in graphs if not graph.has_cycle]
    for name, graph in graphs:
        if graph.has_cycle:
            refuse(graph, f"{options.inputs[0]} ({name})")
    found = {name: order_of(graph, options) for name, graph in ordered}
    if options.format == "json":
        emit_json(found, options.output)
    else:
        lines = [line for name, refs in found.items() for line in (f"{name}:", *refs)]
        emit(joined(lines), options.output)
    code = int(len(ordered) < len(graphs))
    return exit_code(code, gaps_of(graph for _, graph in graphs), options)


def catalog_order(graph: RelationshipGraph, options: Options) -> int:
    """Print the order of a catalog, or the times of a run in that order."""
    if graph.has_cycle:
        refuse(graph, options.inputs[0])
        return 1
    if options.times:
        from analyzer.cli.reports.run_times import print_timing

        return exit_code(print_timing(graph, options), graph.gaps, options)
    refs = order_of(graph, options)
    if options.format == "json":
        emit_json(refs, options.output)
    else:
        emit(joined(refs), options.output)
    return exit_code(0, graph.gaps, options)


def refuse(graph: RelationshipGraph, name: str) -> None:
    """Report that a catalog has no order, with its cycles."""
    print_error(f"{name}: error: no order, because of a dependency cycle (CG301)")
    for cycle in graph.cycles():
        print_error(f"  {cycle}")
    print_error("run 'catgraph cycles' to explain the cycles")


def order_of(graph: RelationshipGraph, options: Options) -> list[str]:
    """Return the references in the selected order."""
    return [str(ref) for ref in graph.order(options.ordering, options.seed)]
