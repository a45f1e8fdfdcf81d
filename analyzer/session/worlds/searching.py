"""The exploration of one node or class: its worlds, and its findings with conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from time import monotonic, process_time
from typing import Any

from analyzer.frontends.puppet.worlds.conditions import condition_of, narrowed
from analyzer.frontends.puppet.worlds.explorer import Explorer
from analyzer.frontends.puppet.worlds.outcomes import EVERYWHERE
from analyzer.frontends.puppet.worlds.program import PREFERRED, Program
from analyzer.frontends.puppet.worlds.types import is_nowhere
from analyzer.frontends.puppet.worlds.world import World, value_at
from analyzer.frontends.puppet.worlds.world_result import WorldResult
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.catalog import resource_count
from analyzer.model.completeness import Gap, hiding
from analyzer.session.worlds.coincidences import alternatives, is_alike
from analyzer.session.worlds.combining import DeclaredInWorld, suspicious
from analyzer.source import Span
from analyzer.worlds.explored import ConditionalFinding, ExploredNode, ExploredWorld
from analyzer.worlds.findings import (
    MISSING,
    WorldFinding,
    in_graph,
    of_cycle,
    of_error,
    of_record,
)

# The most systems that a condition is tried on.
TRIED = PREFERRED[:14]


# Texts that represent any other text.
MADE_UP = frozenset({"example", "other", "text"})

# The most compiles for the conditions of a node's findings.
MOST_TRIES = 10_000

NO_WITNESS = "no valid value was found for a required parameter"
# The most values to try for the required parameters of a witness.
COMPLETIONS = 16

# The gap of a relationship whose target may be declared.
UNDECIDED = "undecided", "relationship"

# The number of worlds with the most changed inputs; refused worlds are combined with these.
DEEPEST = 3


GraphOf = Callable[[Any], RelationshipGraph]


class WorldSearch:
    """The exploration of one program."""

    def __init__(self, program: Program, graph_of: GraphOf, explorer: Explorer) -> None:
        self.program = program
        self.graph_of = graph_of
        self.explorer = explorer
        # The remaining compiles for conditions; at 0, no further world is tried.
        self.tries = MOST_TRIES
        self.forget()

    def begin(self) -> None:
        """Restart after a change of the program's facts."""
        self.explorer.begin()
        self.forget()

    def forget(self) -> None:
        """Forget the results of the worlds."""
        self.made: dict[World, ExploredWorld] = {}
        self.declared: set[str] = set()
        self.doubtful: list[WorldFinding] = []
        self.known: dict[World, DeclaredInWorld] = {}

    def node(self) -> ExploredNode:
        """Explore the worlds, and find the condition of each finding."""
        found = self.explorer.explore(self.program.systems)
        self.explorer.combine(self.suspicious)
        node = ExploredNode(self.program.name, origin=self.program.origin)
        node.runs, node.exhausted = found.runs, found.exhausted
        node.worlds = [counted(self.at(world)) for world, _ in found.worlds]
        for world in node.worlds:
            if world.graph is not None and world.error is None and self.program.own:
                self.declared.update(str(one.ref) for one in world.graph.catalog.resources)
        seen: list[WorldFinding] = []
        # Findings are best shown in a world that Puppet accepts.
        for world in sorted(node.worlds, key=lambda one: one.error is not None):
            for finding in self.findings(world):
                if not any(finding.is_like(one) for one in seen):
                    seen.append(finding)
                    found_there = self.conditional(finding, world)
                    worth_telling = is_worth_telling(found_there, self.program)
                    if worth_telling and not self.is_coincidence(found_there):
                        self.tell(found_there, node)
        told = [one.finding for one in node.findings if one.finding.kind == "missing target"]
        node.worlds = [self.unsure(self.broken(world, told)) for world in node.worlds]
        return node

    def broken(self, world: ExploredWorld, told: Sequence[WorldFinding]) -> ExploredWorld:
        """Return a world, marked if it has one of the missing targets that were found."""
        if not told or world.state not in ("ok", "incomplete"):
            return world
        missing = any(one.is_like(other) for one in self.findings(world) for other in told)
        return replace(world, state="missing") if missing else world

    def suspicious(self, worlds: Sequence[World]) -> Iterator[tuple[World, ...]]:
        """Yield worlds that may have a finding together."""
        for world in worlds:
            graph = self.at(world).graph
            if graph is not None and self.at(world).error is None and world not in self.known:
                self.known[world] = DeclaredInWorld(world, graph)
        found = [self.known[world] for world in worlds if world in self.known]
        # A missing target may be hidden for one input only.
        for world in worlds:
            gaps = self.at(world).gaps if self.at(world).error is None else ()
            if any((one.kind, one.name) == UNDECIDED for one in gaps):
                yield from ((world.without(name),) for name in world.values)
        for group in suspicious(found):
            yield tuple(one.world for one in group)
        # A world may be refused because of an input that other worlds have.
        deepest = sorted(found, key=lambda one: -len(one.world.values))[:DEEPEST]
        for world in worlds:
            if self.at(world).error is not None:
                yield from ((one.world, world) for one in deepest)

    def at(self, world: World) -> ExploredWorld:
        """Return the result of a world; compile it if necessary."""
        if world not in self.made:
            self.made[world] = self.explored(world, self.ran(world))
        return self.made[world]

    def explored(self, world: World, ran: WorldResult) -> ExploredWorld:
        """Return the world that a compile explored."""
        facts = self.program.facts_in(world)
        if ran.catalog is None:
            return ExploredWorld(world, facts, "refused", None, (), ran.error, ())
        graph = self.graph_of(ran.catalog)
        cycles, gaps = tuple(graph.cycles()), tuple(hiding(graph.gaps))
        state = "cycle" if cycles else "incomplete" if gaps else "ok"
        state = "refused" if ran.refused else state
        resources = resource_count(ran.catalog)
        return ExploredWorld(world, facts, state, graph, cycles, ran.error, gaps, resources)

    def findings(self, world: ExploredWorld) -> Iterator[WorldFinding]:
        """Yield the findings of a world."""
        if world.error is not None:
            yield from of_error(world.error)
        if world.error is None or not world.error.refusal:
            yield from map(of_cycle, world.cycles)
        if world.graph is not None and world.error is None:
            yield from of_record(world.graph.catalog.record, self.is_missing)

    def is_missing(self, ref: str) -> bool:
        """Return whether no other class declares the target of a class's relationship.

        This is true if the user named only this class, if one of its worlds declares the resource,
        or if the target is a missing class.
        """
        program = self.program
        return program.named or ref in self.declared or is_nowhere(program.known, ref, program.own)

    def holds(self, finding: WorldFinding, ended: bool, world: World) -> bool | None:
        """Return whether a finding holds in a world, None if an error ends the compile before.

        `ended`: it was found in a world that Puppet refuses. Only then are cycles searched in such
        worlds: for findings of other worlds, they do not show which inputs matter. Conditions may
        take as long as the search; later worlds are not tried.
        """
        if world not in self.made and world not in self.explorer.seen:
            self.tries -= 1
            late = monotonic() > self.explorer.end + self.explorer.budget.seconds
            if late or self.tries < 0 or process_time() > self.explorer.cpu_end:
                return None
        other = self.at(world)
        refused = other.error is not None
        if refused and finding.edges and not ended:
            return None
        if any(finding.is_like(one) for one in self.findings(other)):
            return True
        if other.graph is None or (refused and not finding.edges):
            return None
        if finding.kind == "missing target" and is_undecided(other.graph.gaps, finding.span):
            return None
        return bool(finding.edges and other.cycles) and in_graph(other.graph, finding.edges)

    def is_coincidence(self, found: ConditionalFinding) -> bool:
        """Return whether a duplicate declaration needs a value that the code does not ask for.

        With another value, the code takes the same arms and declares nothing twice. A value that
        selects a file of Hiera is not tried: its data count too.
        """
        world, taken = found.world.world, self.ran(found.world.world).taken
        if found.finding.kind != "duplicate declaration":
            return False
        asked, of_data = self.program.asked(taken), self.program.asked_at(EVERYWHERE)
        others = (
            world.having(name, value)
            for name in world.values
            if name not in of_data
            for value in alternatives(name, world.values, asked)
        )
        return any(
            self.holds(found.finding, True, other) is False
            and is_alike(taken, self.ran(other).taken)
            for other in others
        )

    def tell(self, found: ConditionalFinding, node: ExploredNode) -> None:
        """Add a finding to a node, with a witness that has a value for each required parameter.

        If no tried witness has the finding, Puppet may refuse every world with it.
        """
        witness, ended = found.world.world, found.world.error is not None
        seen = [ran.catalog for ran in self.explorer.seen.values() if isinstance(ran, WorldResult)]
        choices = self.program.completions(witness, self.ran(witness), seen)
        for values in islice(choices, COMPLETIONS):
            world = World(witness.system, {**witness.values, **values})
            if not values or self.holds(found.finding, ended, world):
                node.findings.append(replace(found, world=self.at(world)))
                return
        self.doubtful.append(found.finding)

    def unsure(self, world: ExploredWorld) -> ExploredWorld:
        """Return a world, marked as incomplete if it has a finding without a witness."""
        if not any(one.is_like(other) for one in self.findings(world) for other in self.doubtful):
            return world
        gap = Gap("class", self.program.name, NO_WITNESS, hint="--param NAME=VALUE")
        return replace(world, state="incomplete", cycles=(), gaps=(*world.gaps, gap))

    def ran(self, world: World) -> WorldResult:
        """Return the result of a compile in a world."""
        ran = self.explorer.seen.get(world) or self.program.run(world)
        assert isinstance(ran, WorldResult)
        return ran

    def conditional(self, finding: WorldFinding, found: ExploredWorld) -> ConditionalFinding:
        """Return a finding with the condition under which it holds."""
        ran = self.ran(found.world)
        holds = partial(self.holds, finding, found.error is not None)
        value_in, tests = self.program.value_in, self.program.tests(ran.taken)
        asked = self.program.asked(ran.taken)
        witness, condition = condition_of(found.world, holds, asked, TRIED, value_in, tests)
        others = [world for world, _ in self.explorer.found.worlds]
        condition = narrowed(condition, witness, holds, others, value_in, tests)
        return ConditionalFinding(finding, self.at(witness), condition)


def is_undecided(gaps: Sequence[Gap], span: Span | None) -> bool:
    """Return whether the target of a relationship may be declared or not."""
    return any(gap.kind == "undecided" and gap.span == span for gap in gaps)


def is_worth_telling(found: ConditionalFinding, program: Program) -> bool:
    """Return whether a finding occurs with values of real machines.

    Code that fails with an invented value of a test, or of a parameter without a type, may never
    get such a value.
    """
    if is_external(found):
        return False
    values = found.world.world.values
    texts = [value for value in values.values() if isinstance(value, str)]
    if found.finding.kind != "error":
        return True
    parameters = (program.parameter(part.input) for part in found.condition if "::" in part.input)
    wanted = [part.value for part in found.condition if part.op == "is"]
    return not (
        any(one is not None and one.type_expr is None for one in parameters)
        or any("::" not in name and not name.startswith("trusted.") for name in values)
        or any(value in MADE_UP for value in [*texts, *wanted] if isinstance(value, str))
    )


def is_external(found: ConditionalFinding) -> bool:
    """Return whether a target is missing because an input says that others declare it.

    `service_external` leaves the service to the code that uses the class.
    """
    missing = MISSING.match(found.finding.message)
    names = [part.input.lower() for part in found.condition if part.op in {"is", "is set"}]
    return missing is not None and any(
        "external" in name and missing["type"].lower() in name.rpartition("::")[2] for name in names
    )


def counted(world: ExploredWorld) -> ExploredWorld:
    """Return a world with the number of its relationships."""
    if world.graph is None:
        return world
    return replace(world, relationships=sum(1 for _ in world.graph.relationships()))


def classes_in(world: ExploredWorld) -> Iterator[str]:
    """Yield the classes of a world, spelled like nodes that are classes."""
    if world.graph is not None:
        for one in world.graph.catalog.resources:
            if one.type == "Class":
                yield f"class {one.title.lower()}"


def family_of(world: ExploredWorld) -> str:
    """Return the family of a world's system."""
    return str(value_at(world.facts, "os.family"))
