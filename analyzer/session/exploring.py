"""The worlds of a repository: for each node or class what holds under which unknown inputs."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.worlds.explorer import Budget
from analyzer.frontends.puppet.worlds.program import Program
from analyzer.graph.automatic.rules import Rules
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.catalog import Catalog
from analyzer.reach import lasting
from analyzer.reading import note_clock
from analyzer.session import graph_of
from analyzer.session.nodes import Nodes
from analyzer.session.searching import ExploredNode, GraphOf
from analyzer.session.shares import TOTAL, Shares
from analyzer.session.untaken import Never, Taken


@dataclass(slots=True)
class Exploration:
    """All nodes, and the arms that no world of any of them took.

    `private` are the classes of a module that do not compile by themselves in any world, `left`
    the nodes or classes for which the time of all was used up.
    """

    nodes: list[ExploredNode]
    taken: int
    never: list[Never]
    private: list[str]
    left: list[str] = field(default_factory=list)


# Seconds for each node where the search is part of another command.
SECONDS = 20.0


def explore_in(
    path: str, settings: Settings, rules_for: Callable[[Catalog], Rules | None], worlds: int
) -> Exploration:
    """Compile each node or class so many times at most; graphs are not kept.

    Raises:
        InputError: something cannot be read.
        CompileError: a manifest is no Puppet program.
    """

    def graph(catalog: Catalog) -> RelationshipGraph:
        return graph_of(catalog, rules_for(catalog))

    return explore(path, settings, graph, Budget(worlds, SECONDS), keep=False)


def explore(
    path: str,
    settings: Settings,
    graph_of: GraphOf,
    budget: Budget,
    *,
    total: float = TOTAL,
    keep: bool = True,
) -> Exploration:
    """Compile each node or class of a path in the worlds that its code distinguishes.

    `total` are the seconds of computing for all of them, beside `budget` for each. Graphs take
    most of the memory: `keep` False drops them.

    Raises:
        InputError: something cannot be read.
        CompileError: a manifest is no Puppet program.
    """
    found = Exploration([], 0, [], [])
    with lasting():
        nodes = Nodes(path, settings, graph_of, budget)
        taken, programs = Taken(nodes.watcher), list(nodes.programs.values())
        shares = Shares(total, len(programs))
        for program in programs:
            if not shares.begin():
                found.left.append(program.name)
                continue
            tell(settings, programs, len(programs) - shares.waiting)
            search = nodes.search(program)
            node = nodes.sharing.explored(search, shares.bound)
            shares.note_end(budget.seconds)
            taken.add(search, node)
            node = node if keep else node.without_graphs()
            del search
            # Compiles refer to themselves, and nobody else may collect them.
            gc.collect(1)
            if program.own and not settings.classes and node.state == "refused":
                found.private.append(node.name.removeprefix("class "))
            else:
                found.nodes.append(node)
    if found.left or shares.limited:
        note_clock()
    tell(settings)
    taken.exhausted = taken.exhausted and not found.left
    found.taken, found.never = taken.count, list(taken.never())
    return found


def tell(settings: Settings, programs: Sequence[Program] = (), number: int = 0) -> None:
    """Show which node is explored, by its number, or that none is any more."""
    if settings.progress is not None:
        name = f"{number} of {len(programs)} nodes: {programs[number - 1].name}" if number else ""
        settings.progress(name)
