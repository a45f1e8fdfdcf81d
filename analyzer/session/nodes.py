"""The nodes or classes of a path, explored one at a time by what was read of it once."""

from __future__ import annotations

import os
import sys
from dataclasses import replace

from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.modules import is_module
from analyzer.frontends.puppet.node.typical import MARK
from analyzer.frontends.puppet.programs import programs_of
from analyzer.frontends.puppet.worlds.explorer import Budget, Explorer
from analyzer.frontends.puppet.worlds.program import Program, Watcher
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.session.searching import ExploredWorld, GraphOf, Search
from analyzer.session.sharing import Sharing
from analyzer.session.survey import in_metadata


class Nodes:
    """The programs of a path by their names; those that do the same share one search.

    Raises:
        InputError: something cannot be read.
        CompileError: a manifest is no Puppet program.
    """

    def __init__(self, path: str, settings: Settings, graph_of: GraphOf, budget: Budget) -> None:
        self.graph_of = graph_of
        self.budget = budget
        self.watcher, self.sharing = Watcher(), Sharing()
        # One compile may not take longer than the search of a node.
        most = min(settings.time_limit or sys.maxsize, max(1, int(budget.seconds)))
        settings = replace(on_supported(path, settings), time_limit=most, progress=None)
        programs = programs_of(path, settings, self.watcher)
        self.programs = {program.name: program for program in programs}

    def search(self, program: Program) -> Search:
        """Return the search of a node, which has not begun."""
        explorer = Explorer(self.watcher.arms, program.run, program, self.budget)
        return Search(program, self.graph_of, explorer)

    def graph_in(self, program: Program, world: ExploredWorld) -> RelationshipGraph | None:
        """Return the graph of a node in a world that was explored, None if it is refused."""
        # Facts without which the search found no world.
        known = program.facts_of(world.world.system)
        program.assumed = {name: v for name, v in world.facts.items() if name not in known}
        return self.search(program).at(world.world).graph


def on_supported(path: str, settings: Settings) -> Settings:
    """Return settings with the systems that a module supports, unless facts are given."""
    if settings.facts or not is_module(path):
        return settings
    systems = in_metadata(os.path.join(path, "metadata.json"))
    return replace(settings, facts=tuple(MARK + name for name in systems))
