"""`catgraph explore`: the findings of each node, and the unknown inputs that cause them."""

from __future__ import annotations

from analyzer.cli.reports.exploration_text import lines
from analyzer.cli.shared.completeness import print_gaps, statement_lines
from analyzer.cli.shared.inputs import refuse_others, settings_for
from analyzer.cli.shared.options import (
    COLOR,
    COMPILE,
    CONFIG,
    JOBS,
    OUTPUT,
    Option,
    format_option,
    positive,
)
from analyzer.cli.shared.output import emit, print_error, style_for
from analyzer.export.reports.exploration_json import document, rows_of
from analyzer.session.inputs import graph_of, kind_of
from analyzer.session.settings import config_for, rules_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from analyzer.cli.shared.options import Options
    from analyzer.frontends.puppet.node.environment import Settings
    from analyzer.frontends.puppet.worlds.explorer import Budget
    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.model.catalog import Catalog
    from analyzer.session.worlds.exploring import Announce
    from analyzer.session.worlds.searching import GraphOf
    from analyzer.session.worlds.turns import Turn
    from analyzer.worlds.explored import ExploredNode, ExploredWorld, RepositoryExploration

USAGE = "PATH"
INPUTS = (1, 1)
HELP = """Compile each node of a control repo, or each class of a module, in each world that its
code distinguishes. A world is a set of values for the facts that you do not give, for trusted
extensions, and for the parameters of a module's classes; typical systems come first ('catgraph
facts'). Each cycle, duplicate declaration, missing target and error is reported once, with the
smallest condition under which it occurs; an error that fail() raises is not a finding. Exit code 1
if there is a finding in any world, 3 if a node is incomplete or refused in every world, or if the
search stopped before it had tried everything. A terminal shows findings as they come; Ctrl-C ends
the search with what it has."""
OPTIONS: tuple[Option, ...] = (
    format_option("text", "json", "html"),
    Option("--worlds", "compile each node at most N times (64)", metavar="N", type=positive),
    Option("--seconds", "explore each node for at most N seconds (60)", metavar="N", type=positive),
    Option("--total", "compute for at most N seconds in all (120)", metavar="N", type=positive),
    Option(
        "--write-facts",
        "write the facts of the first finding's world to FILE, parameters next to it",
        metavar="FILE",
    ),
    JOBS,
    OUTPUT,
    CONFIG,
    *COMPILE,
    COLOR,
)


def run(options: Options) -> int:
    """Explore, and print the table of nodes and worlds with their cycles."""
    if options.no_cache:
        return explored(options)
    from analyzer.cli.shared.kept import kept

    return kept("explore", options, explored)


def explored(options: Options) -> int:
    """Explore and print; return the exit code."""
    from analyzer.cli.shared.workers import workers_for
    from analyzer.session.keeping import depends_on_more
    from analyzer.session.worlds.exploring import explore

    path = options.inputs[0]
    if kind_of(path) != "manifests":
        return refuse_others("explore", path)
    asked = asked_of(options)
    workers = None if depends_on_more(asked[1]) else workers_for(options, answering)
    try:
        found = explore(*asked, keep=False, workers=workers, announce=announcing(options))
    finally:
        if workers is not None:
            workers.close()
    if options.write_facts:
        write_facts(found, options.write_facts)
    if options.format == "json":
        emit(document(found), options.output)
    elif options.format == "html":
        from analyzer.export.page.exploration import render

        emit(render(path, rows_of(found)), options.output)
    else:
        text = lines(found, statement_lines(found.gaps, options), style_for(options))
        emit("\n".join(text), options.output)
    if options.format != "text":
        print_gaps(found.gaps, options)
    return exit_code(found)


def announcing(options: Options) -> Announce:
    """Return the function that prints the findings of a node to a terminal, each once."""
    import sys

    from analyzer.cli.reports.exploration_text import first_lines
    from analyzer.cli.shared.output import show_progress

    seen: set[str] = set()

    def announce(node: ExploredNode) -> None:
        for key, line in first_lines(node):
            if key not in seen:
                seen.add(key)
                show_progress("")
                print_error(line)

    return announce if sys.stderr.isatty() else lambda node: None


def asked_of(options: Options) -> tuple[str, Settings, GraphOf, Budget, float]:
    """Return the arguments of the exploration of the input."""
    from analyzer.frontends.puppet.node.environment import Settings
    from analyzer.frontends.puppet.worlds.explorer import Budget
    from analyzer.session.worlds.time_budget import TOTAL

    path = options.inputs[0]
    config = config_for(path, options.config)
    settings = settings_for("manifests", options, config) or Settings()

    def graph(catalog: Catalog) -> RelationshipGraph:
        return graph_of(catalog, rules_for(catalog, config))

    budget = Budget(options.worlds or 64, options.seconds or 60)
    return path, settings, graph, budget, float(options.total or TOTAL)


def answering(options: Options) -> Callable[[Any], Any]:
    """Return the function that explores nodes in their turn, in a separate process."""
    from analyzer.reach import lasting
    from analyzer.session.worlds.exploring import Exploring

    exploring = Exploring(*asked_of(options), keep=False)

    def answer(turn: Turn) -> Any:
        with lasting():
            return exploring.answer(turn)

    return answer


def exit_code(found: RepositoryExploration) -> int:
    """Return 1 for a finding in any world, 3 if nothing was found but the search is incomplete."""
    if any(node.findings for node in found.nodes):
        return 1
    unseen = {"refused", "incomplete"}
    if (
        found.left
        or found.closed
        or not found.nodes
        or any(n.state in unseen or not n.exhausted for n in found.nodes)
    ):
        return 3
    return 0


def write_facts(found: RepositoryExploration, path: str) -> None:
    """Write the facts of the world of the first finding, and its parameters as data."""
    from json import dumps

    findings = [one for node in found.nodes for one in node.findings]
    if not findings:
        print_error("--write-facts: there is no finding, so no facts were written")
        return
    world = findings[0].world
    parameters, trusted = parameters_of(world), trusted_of(world)
    if trusted:
        names = ", ".join(sorted(trusted))
        print_error(f"--write-facts: the finding also depends on trusted data: {names}")
    emit(dumps(world.facts, indent=2, sort_keys=True, ensure_ascii=False), path)
    if parameters:
        data = f"{path.removesuffix('.json')}.parameters.json"
        emit(dumps(parameters, indent=2, sort_keys=True, ensure_ascii=False), data)
        print_error(f"--write-facts: the parameters of classes are in {data}, as data for Hiera")


def parameters_of(world: ExploredWorld) -> dict[str, object]:
    """Return the parameters of classes in a world, without those that are not set."""
    from analyzer.frontends.puppet.worlds.tests import ABSENT

    values = world.world.values.items()
    return {name: value for name, value in values if "::" in name and value is not ABSENT}


def trusted_of(world: ExploredWorld) -> list[str]:
    """Return the trusted data of a world."""
    return [name for name in world.world.values if name.startswith("trusted.")]
