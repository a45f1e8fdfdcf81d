"""The worlds of a repository: for each node or class what holds under which unknown inputs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.programs import programs_of
from analyzer.frontends.puppet.worlds.explorer import Budget, Explorer
from analyzer.frontends.puppet.worlds.program import Watcher
from analyzer.session.searching import ExploredNode, GraphOf, Search
from analyzer.session.sharing import Sharing
from analyzer.session.untaken import Never, Taken


@dataclass(slots=True)
class Exploration:
    """All nodes, and the arms that no world of any of them took.

    `private` are the classes of a module that do not compile by themselves in any world.
    """

    nodes: list[ExploredNode]
    taken: int
    never: list[Never]
    private: list[str]


def explore(
    path: str, settings: Settings, graph_of: GraphOf, budget: Budget, *, keep: bool = True
) -> Exploration:
    """Compile each node or class of a path in the worlds that its code distinguishes.

    Graphs take most of the memory: `keep` False drops them.

    Raises:
        InputError: something cannot be read.
        CompileError: a manifest is no Puppet program.
    """
    watcher = Watcher()
    # One compile may not take longer than the search of a node.
    seconds = max(1, int(budget.seconds))
    settings = replace(settings, time_limit=min(settings.time_limit or seconds, seconds))
    nodes: list[ExploredNode] = []
    private: list[str] = []
    taken, sharing = Taken(watcher), Sharing()
    for program in programs_of(path, settings, watcher):
        explorer = Explorer(watcher.arms, program.run, program, budget)
        search = Search(program, graph_of, explorer)
        node = sharing.explored(search)
        taken.add(search, node)
        if program.own and not settings.classes and node.state == "refused":
            private.append(node.name.removeprefix("class "))
        else:
            nodes.append(node if keep else node.without_graphs())
    return Exploration(nodes, taken.count, list(taken.never()), private)
