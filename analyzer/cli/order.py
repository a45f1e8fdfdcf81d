"""`catgraph order`: the order in which Puppet applies resources, or CFEngine keeps promises."""

from __future__ import annotations

import sys

from analyzer.cli.inputs import read_graph, version_of
from analyzer.cli.options import COMPILE, CONFIG, OUTPUT, Option, format_option, usage_error
from analyzer.cli.output import emit
from analyzer.cli.policies import SIMULATE, is_policy, print_order
from analyzer.session import config_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.cli.options import Options

USAGE = "INPUT"
INPUTS = (1, 1)
HELP = """Print the resources in the order in which Puppet applies them: those that wait for
nothing by their place in the catalog, the others as soon as what they wait for is done. The
schedules and the filebucket that Puppet adds itself come last. Exit code 1 when there is no
order, as the graph has a cycle.

Puppet from 6 on has manifest order only; title-hash and random existed from 3.3 to 5 and need
--puppet-version 3, 4 or 5.

Of a CFEngine policy (.cf) the promises are printed as they come in a simulated run of the agent:
the pass, the bundle, the type, the promiser, the outcome and the place; and those that are never
kept. Commands count as repaired, all else as kept, unless --outcome tells. Nothing is run."""
OPTIONS = (
    format_option("text", "json"),
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
)

# The last major version that had a choice of orderings (PUP-6165).
LAST_WITH_ORDERINGS = 5


def version(options: Options) -> int:
    """Return Puppet's major version."""
    return version_of(options, config_for(options.inputs[0], options.config))


def run(options: Options) -> int:
    """Print the order, or say that there is none."""
    if is_policy(options.inputs[0]):
        return print_order(options)
    if options.ordering != "manifest" and version(options) > LAST_WITH_ORDERINGS:
        return usage_error(
            "order",
            f"Puppet {version(options)} knows manifest order only; "
            f"--ordering {options.ordering} needs --puppet-version 5 or less",
        )
    graph = read_graph(options.inputs[0], options)
    if graph.has_cycle:
        print(f"{options.inputs[0]}: error: there is no order (CG301)", file=sys.stderr)
        for cycle in graph.cycles():
            print(f"  {cycle}", file=sys.stderr)
        print("'catgraph cycles' explains", file=sys.stderr)
        return 1
    refs = [str(ref) for ref in graph.order(options.ordering, options.seed)]
    if options.format == "json":
        from json import dumps

        emit(dumps(refs, indent=1, ensure_ascii=False), options.output)
    else:
        emit("\n".join(refs), options.output)
    return 0
