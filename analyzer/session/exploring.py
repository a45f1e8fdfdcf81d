"""The worlds of a repository: for each node or class what holds under which unknown inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.programs import programs_of
from analyzer.frontends.puppet.worlds.conditions import Conjunct, condition_of
from analyzer.frontends.puppet.worlds.explorer import Budget, Explorer, Place
from analyzer.frontends.puppet.worlds.program import PREFERRED, Program, Ran, Watcher
from analyzer.frontends.puppet.worlds.world import World
from analyzer.graph.cycles.search import Cycle
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.completeness import Gap, hiding
from analyzer.source import Span, place_of

# Systems that a condition is tried on.
TRIED = PREFERRED[:14]

# What makes a cycle the same in another world: the statements of its edges.
Cause = frozenset[str]


@dataclass(frozen=True, slots=True)
class ExploredWorld:
    """A world of a node: its facts, and what came of it.

    `state` is `ok`, `cycle`, `refused` or `incomplete`.
    """

    world: World
    facts: Mapping[str, Any]
    state: str
    graph: RelationshipGraph | None
    cycles: tuple[Cycle, ...]
    error: CompileError | None
    gaps: tuple[Gap, ...]


@dataclass(frozen=True, slots=True)
class ConditionalCycle:
    """A cycle, the world it was found in, and the condition under which it is there."""

    cycle: Cycle
    world: ExploredWorld
    condition: tuple[Conjunct, ...]


@dataclass(slots=True)
class ExploredNode:
    """A node or a class with its worlds; `runs` counts the compiles."""

    name: str
    worlds: list[ExploredWorld] = field(default_factory=list)
    cycles: list[ConditionalCycle] = field(default_factory=list)
    runs: int = 0
    exhausted: bool = True

    @property
    def state(self) -> str:
        """Return the worst state of its worlds; refused worlds count if all are."""
        states = {world.state for world in self.worlds}
        order = ("cycle", "incomplete", "ok", "refused")
        return next(state for state in order if state in states)


@dataclass(frozen=True, slots=True)
class Never:
    """An arm that no world took: the place of its construct, its number, and why."""

    span: Span
    arm: int
    reason: str


@dataclass(slots=True)
class Exploration:
    """All nodes, and the arms that no world of any of them took."""

    nodes: list[ExploredNode]
    taken: int
    never: list[Never]


GraphOf = Callable[[Any], RelationshipGraph]


def explore(path: str, settings: Settings, graph_of: GraphOf, budget: Budget) -> Exploration:
    """Compile each node or class of a path in the worlds that its code distinguishes.

    Raises:
        InputError: something cannot be read.
        CompileError: a manifest is no Puppet program.
    """
    watcher = Watcher()
    nodes = []
    taken: dict[Any, set[int]] = {}
    exhausted = True
    for program in programs_of(path, settings, watcher):
        search = Search(program, graph_of, Explorer(
            program.questions, watcher.arms, program.run, program, budget
        ))  # fmt: skip
        nodes.append(search.node())
        exhausted = exhausted and nodes[-1].exhausted
        for place, arms in search.explorer.found.taken.items():
            taken.setdefault(place, set()).update(arms)
    reason = "no value leads there" if exhausted else "budget"
    never = [
        Never(place_in(watcher, place), arm, reason)
        for place, count in sorted(watcher.arms.items())
        for arm in range(count)
        if arm not in taken.get(place, ())
    ]
    return Exploration(nodes, sum(map(len, taken.values())), never)


class Search:
    """The exploration of one program."""

    def __init__(self, program: Program, graph_of: GraphOf, explorer: Explorer) -> None:
        self.program = program
        self.graph_of = graph_of
        self.explorer = explorer
        self.made: dict[World, ExploredWorld] = {}

    def node(self) -> ExploredNode:
        """Explore, and find for each cycle the condition under which it is there."""
        found = self.explorer.explore(self.program.systems)
        node = ExploredNode(self.program.name, runs=found.runs, exhausted=found.exhausted)
        node.worlds = [self.at(world) for world, _ in found.worlds]
        known: set[Cause] = set()
        for world in node.worlds:
            for cycle in world.cycles:
                if cause_of(cycle) not in known:
                    known.add(cause_of(cycle))
                    node.cycles.append(self.conditional(cycle, world))
        return node

    def at(self, world: World) -> ExploredWorld:
        """Return what came of a world, compiled if it was not yet."""
        if world not in self.made:
            ran = self.explorer.seen.get(world) or self.program.run(world)
            assert isinstance(ran, Ran)
            self.made[world] = self.explored(world, ran)
        return self.made[world]

    def explored(self, world: World, ran: Ran) -> ExploredWorld:
        """Return what came of a compile."""
        facts = self.program.facts_in(world)
        if ran.catalog is None:
            return ExploredWorld(world, facts, "refused", None, (), ran.error, ())
        graph = self.graph_of(ran.catalog)
        cycles, gaps = tuple(graph.cycles()), tuple(hiding(graph.gaps))
        state = "cycle" if cycles else "incomplete" if gaps else "ok"
        return ExploredWorld(world, facts, state, graph, cycles, None, gaps)

    def conditional(self, cycle: Cycle, found: ExploredWorld) -> ConditionalCycle:
        """Return a cycle with the condition under which it is there."""
        cause = cause_of(cycle)

        def holds(world: World) -> bool | None:
            other = self.at(world)
            if other.state == "refused":
                return None
            return any(cause_of(one) == cause for one in other.cycles)

        ran = self.explorer.seen.get(found.world) or self.program.run(found.world)
        asked = self.program.asked(ran.taken)
        witness, condition = condition_of(found.world, holds, asked, TRIED, self.program.value_in)
        return ConditionalCycle(cycle, self.at(witness), condition)


def place_in(watcher: Watcher, place: Place) -> Span:
    """Return the place of a construct."""
    file, offset = place
    return Span(file, *place_of(watcher.texts[file], offset))


def cause_of(cycle: Cycle) -> Cause:
    """Return what makes a cycle the same in another world."""
    return frozenset(
        f"{relationship.origin.span} {relationship.origin.form}"
        for hop in cycle.hops
        for relationship in hop.relationships
    )
