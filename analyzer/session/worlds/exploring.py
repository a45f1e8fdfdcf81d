"""Explores the worlds of a repository: the findings of each node or class, and their conditions."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from analyzer.compiles.programs import programs_of
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.modules import is_module, unreadable_below
from analyzer.frontends.puppet.node.systems import MARK
from analyzer.frontends.puppet.worlds.explorer import Budget, Explorer
from analyzer.frontends.puppet.worlds.program import Program
from analyzer.frontends.puppet.worlds.watcher import Watcher
from analyzer.frontends.puppet.worlds.world import Facts
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.reach import lasting
from analyzer.reading import note, note_clock, noting
from analyzer.session.workers import InAdvance, Workers
from analyzer.session.worlds.searching import GraphOf, WorldSearch
from analyzer.session.worlds.sharing import First, Key, Sharing
from analyzer.session.worlds.time_budget import TOTAL, TimeBudget, TimeUsed
from analyzer.session.worlds.turns import SearchKey, Turn, in_order, nobody
from analyzer.session.worlds.untaken import NodeArms, TakenArms, arms_in
from analyzer.worlds.explored import ExploredNode, ExploredWorld, RepositoryExploration

Announce = Callable[[ExploredNode], None]


def explore(
    path: str,
    settings: Settings,
    graph_of: GraphOf,
    budget: Budget,
    total: float = TOTAL,
    *,
    keep: bool = True,
    workers: Workers[Any, Any] | None = None,
    announce: Announce = lambda node: None,
) -> RepositoryExploration:
    """Compile each node or class of a path in the worlds that its code distinguishes.

    `total` is the CPU time for all of them in seconds, `budget` is that for each. Graphs take most
    of the memory: `keep` False drops them. `workers` answer turns in other processes. `announce` is
    called with each node as soon as it is explored. An interrupt by the user ends the exploration.

    Raises:
        InputError: something cannot be read.
        CompileError: a manifest is not a Puppet program.
    """
    with lasting():
        exploring = Exploring(path, settings, graph_of, budget, total, keep=keep)
        exploring.announce = announce
        turns = [Turn(SearchKey(path), number, number) for number in range(len(exploring.programs))]
        try:
            in_order(exploring, turns, workers or nobody())
        except KeyboardInterrupt:
            exploring.interrupt()
    tell(settings)
    exploring.found.closed = unreadable_below([path])
    return exploring.result


@dataclass(frozen=True, slots=True)
class ExploredBefore:
    """The results of earlier nodes that the exploration of a node depends on."""

    time: TimeBudget
    firsts: Mapping[Key, Sequence[First]]
    assumed: Facts
    lacking: frozenset[str]


@dataclass(slots=True)
class ExplorationResult:
    """The result of the exploration of a node.

    `looked` are the names of the nodes that it was compared with. `order` are the names of the
    nodes to compare with from now on. `new` is the node itself if it differs from them. `assumed`
    and `lacking` are the values before and after.
    """

    used: TimeUsed
    assumed: tuple[Facts, Facts]
    lacking: tuple[frozenset[str], frozenset[str]]
    node: ExploredNode
    arms: NodeArms
    looked: Mapping[Key, Sequence[str]]
    order: Mapping[Key, Sequence[str]]
    new: First | None
    read: Mapping[str, str]


class Exploring:
    """The exploration of all nodes or classes of a path in turn."""

    def __init__(
        self,
        path: str,
        settings: Settings,
        graph_of: GraphOf,
        budget: Budget,
        total: float,
        *,
        keep: bool,
    ) -> None:
        # One compile must not take longer than the search of a node.
        most = min(settings.time_limit or sys.maxsize, max(1, int(budget.seconds)))
        self.settings = replace(on_supported(path, settings), time_limit=most)
        self.graph_of = graph_of
        self.budget = budget
        self.keep = keep
        self.watcher = Watcher()
        quiet = replace(self.settings, progress=None)
        self.programs = list(programs_of(path, quiet, self.watcher))
        self.time = TimeBudget(total)
        self.sharing = Sharing({}, {})
        self.lacking: frozenset[str] = frozenset()
        self.taken = TakenArms(self.watcher)
        self.found = RepositoryExploration([], 0, [], [])
        self.announce: Announce = lambda node: None
        # The number of nodes whose results are stored.
        self.count = 0

    def given(self, turn: Turn) -> Turn:
        """Return a turn with the results so far."""
        tell(self.settings, self.programs, turn.number + 1)
        time, sharing = replace(self.time), self.sharing
        return replace(
            turn, seen=ExploredBefore(time, sharing.firsts, sharing.assumed, self.lacking)
        )

    def answer(self, turn: Turn) -> ExplorationResult | bool:
        """Explore a node; return False if there is no time for it."""
        seen: ExploredBefore = turn.seen
        if seen.time.left <= 0:
            return False
        program = self.programs[turn.number]
        program.assumed, program.bound = {}, {}
        program.learner.forget()
        program.questions.lacking.clear()
        program.questions.lacking.update(seen.lacking)
        self.watcher.entered = set()
        used = TimeUsed(seen.time, len(self.programs) - turn.number - 1)
        sharing = Sharing(seen.firsts, seen.assumed)
        explorer = Explorer(self.watcher.arms, program.run, program, self.budget)
        search = WorldSearch(program, self.graph_of, explorer)
        with noting() as read:
            node = sharing.explored(search, used.bound)
        used.end(self.budget.seconds)
        arms = arms_in(search, node)
        result = ExplorationResult(
            used,
            (seen.assumed, sharing.assumed),
            (seen.lacking, frozenset(program.questions.lacking)),
            node if self.keep else node.without_graphs(),
            arms,
            sharing.looked,
            {key: sharing.names(key) for key in sharing.looked},
            sharing.new,
            read,
        )
        del search, explorer, node
        # Compiles have reference cycles, and the garbage collector may be off.
        gc.collect(1)
        return result

    def wants(self, turn: Turn) -> InAdvance:
        """Return that all nodes are explored."""
        return InAdvance.YES

    def note_reads(self, result: ExplorationResult | bool) -> None:
        """Record the files that were read."""
        if isinstance(result, ExplorationResult):
            note(result.read)

    def holds(self, turn: Turn, result: ExplorationResult | bool) -> bool:
        """Return whether the result of a node is still valid."""
        if self.time.left <= 0 or not isinstance(result, ExplorationResult):
            return self.time.left <= 0
        alike = (self.sharing.names(key) == [*names] for key, names in result.looked.items())
        known = self.sharing.assumed, self.lacking
        return (result.assumed[0], result.lacking[0]) == known and all(alike)

    def take(self, turn: Turn, result: ExplorationResult | bool) -> None:
        """Store the result of a node."""
        program = self.programs[turn.number]
        self.count += 1
        if self.time.left <= 0 or not isinstance(result, ExplorationResult):
            self.found.left.append(program.name)
            return
        self.time.add(result.used)
        self.sharing.assumed, self.lacking = result.assumed[1], result.lacking[1]
        for key, names in result.order.items():
            firsts = [*self.sharing.firsts.get(key, ()), *([result.new] if result.new else [])]
            by_name = {first.node.name: first for first in firsts}
            self.sharing.firsts[key] = [by_name[name] for name in names]
        self.taken.add(result.arms, program)
        alone = program.own and not self.settings.classes
        if alone and result.node.state == "refused":
            self.found.private.append(result.node.name.removeprefix("class "))
        else:
            self.found.nodes.append(result.node)
            self.announce(result.node)

    def interrupt(self) -> None:
        """Record the nodes that are not explored yet."""
        self.found.interrupted = True
        self.found.left += [program.name for program in self.programs[self.count :]]

    def node(self, name: str) -> ExploredNode | None:
        """Explore the node of a name at once, out of turn; return None if it does not exist."""
        names = [program.name for program in self.programs]
        if name not in names:
            return None
        turn = Turn(SearchKey(""), names.index(name), 0)
        result = self.answer(self.given(turn))
        self.take(turn, result)
        return result.node if isinstance(result, ExplorationResult) else None

    def graph_in(self, name: str, world: ExploredWorld) -> RelationshipGraph | None:
        """Return the graph of a node in a world that was explored.

        None if Puppet refuses it there, or if the node no longer exists.
        """
        program = next((one for one in self.programs if one.name == name), None)
        if program is None:
            return None
        # Facts that the search needed to find a world.
        known = program.facts_of(world.world.system)
        program.assumed = {name: v for name, v in world.facts.items() if name not in known}
        explorer = Explorer(self.watcher.arms, program.run, program, self.budget)
        return WorldSearch(program, self.graph_of, explorer).at(world.world).graph

    @property
    def result(self) -> RepositoryExploration:
        """The exploration of all nodes."""
        found, taken = self.found, self.taken
        if found.left or self.time.limited:
            note_clock()
        taken.exhausted = taken.exhausted and not found.left
        found.taken, found.never = taken.count, list(taken.never())
        return found


def tell(settings: Settings, programs: Sequence[Program] = (), number: int = 0) -> None:
    """Show the number of the node that is explored, or the end of the exploration."""
    if settings.progress is not None:
        name = f"{number} of {len(programs)} nodes: {programs[number - 1].name}" if number else ""
        settings.progress(name)


def on_supported(path: str, settings: Settings) -> Settings:
    """Return settings with the systems that a module supports, unless facts are given."""
    if settings.facts or not is_module(path):
        return settings
    from analyzer.session.repository.survey import in_metadata

    systems = in_metadata(os.path.join(path, "metadata.json"))
    return replace(settings, facts=tuple(MARK + name for name in systems))
