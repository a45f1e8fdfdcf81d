"""Searches worlds as a part of another command: within a budget that counts work, not seconds.

So a search finds the same whatever else the machine does. The clock ends only one that takes far
too long, and the answer says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from time import monotonic

from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.facts import own_facts
from analyzer.frontends.puppet.node.systems import SYSTEMS
from analyzer.frontends.puppet.node.typical import MARK
from analyzer.frontends.puppet.programs import programs_of
from analyzer.frontends.puppet.worlds.explorer import Budget, Explorer
from analyzer.frontends.puppet.worlds.program import Compile, Program, Watcher
from analyzer.frontends.puppet.worlds.world import Facts, World, value_at
from analyzer.linter.failures import Failure, tried
from analyzer.model.catalog import Catalog
from analyzer.model.completeness import Gap
from analyzer.model.nouns import counted
from analyzer.reading import note_clock
from analyzer.session.nodes import on_supported
from analyzer.session.searching import (
    ConditionalFinding,
    ExploredNode,
    ExploredWorld,
    GraphOf,
    Search,
)
from analyzer.session.sharing import deeds
from analyzer.session.untaken import Taken
from analyzer.session.world_findings import WorldFinding

# Resources that the worlds of an input declare together, for each world of a node. A world counts
# as some, though it declares none.
RESOURCES, LEAST = 640, 10
# Parts that the budget is divided into at most: of more inputs, all together take longer. A module
# has one such part, however many there are.
PARTS, OF_MODULE = 16, 8
# Times its share of the rest that a node may use: most need less.
AHEAD, FEWEST = 4, 2
# Compiles of a node for the conditions of its findings.
TRIES = 500
# Seconds after which a search ends, however far it is.
SECONDS = 300.0
# A title that two inputs may get only because no value of them is known.
MADE_UP = re.compile(r"\[(?:[^\]]*/)?(?:example|other|text)\]")
# The error of a compile that takes too much time or memory.
TOO_MUCH = "too-much"


@dataclass(frozen=True, slots=True)
class Left:
    """Counts of what a search left.

    `unsearched` counts nodes or classes of which no world was compiled, `decisions` those that
    were not tried both ways, `late` tells that the clock ended the search, and `failures` are
    faults of our own.
    """

    unsearched: int = 0
    decisions: int = 0
    late: bool = False
    failures: tuple[Gap, ...] = ()


@dataclass(frozen=True, slots=True)
class Searched:
    """The nodes with findings, and what was left."""

    nodes: tuple[ExploredNode, ...]
    left: Left


@dataclass(slots=True)
class Bounded:
    """A search of the worlds of all nodes or classes of an input."""

    settings: Settings
    graph_of: GraphOf
    worlds: int
    left: int
    watcher: Watcher
    taken: Taken = field(init=False)
    end: float = field(init=False)
    late: bool = False
    unsearched: int = 0
    failures: list[Gap] = field(default_factory=list)
    # The families of systems that are meant, any if there are none, and those that other classes
    # of a module declare one of its classes on.
    supported: set[str] = field(default_factory=set)
    declared: dict[str, set[str]] = field(default_factory=dict)
    # What nodes that do the same on a usual system have, and all findings.
    groups: dict[bytes, list[ConditionalFinding]] = field(default_factory=dict)
    known: list[ConditionalFinding] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.taken = Taken(self.watcher)
        self.end = monotonic() + SECONDS

    def search(self, programs: Sequence[Program], *, given: bool) -> Searched:
        """Search all programs, as far as the budget allows."""
        found: list[tuple[int, ExploredNode]] = []
        for done, number in enumerate(in_turn(programs)):
            program = programs[number]
            if given or own_facts(self.settings, program.node) is not None:
                # These are the facts, also where they are those of a typical system.
                program.given = program.given or [*program.systems]
            self.late = self.late or monotonic() > self.end
            if self.left <= 0 or self.late:
                self.unsearched += 1
            elif (node := self.tried(program, len(programs) - done)) is not None:
                found.append((number, node))
        if self.late:
            note_clock()
        nodes = tuple(self.real(node for _, node in sorted(found, key=lambda one: one[0])))
        return Searched(nodes, self.rest)

    def real(self, nodes: Iterable[ExploredNode]) -> Iterator[ExploredNode]:
        """Yield nodes with findings on systems that they are for.

        These are the systems of the module, and of a class that others of it declare, theirs.
        """
        for node in nodes:
            on = [one for one in (self.declared.get(node.name), self.supported) if one]
            real = [f for f in node.findings if all(family_of(f.world) in one for one in on)]
            if real:
                yield replace(node, findings=real)

    def tried(self, program: Program, waiting: int) -> ExploredNode | None:
        """Search a program, of so many that wait; remember a fault of our own."""
        what = f"the search of other worlds of {program.name}"
        try:
            node = tried(partial(self.searched, program, waiting), what, program.name, "")
        except (RecursionError, MemoryError):
            self.failures.append(Gap("unread", what, "is too deep or too large"))
            return None
        if isinstance(node, Failure):
            self.failures.append(Gap("internal error", what, node.words))
            return None
        return node

    def searched(self, program: Program, waiting: int) -> ExploredNode | None:
        """Search a program, of so many that wait; None if there is nothing to tell."""
        program.compile_with = self.counting(program.compile_with)
        budget = Budget(self.worlds, max(1.0, self.end - monotonic()))
        explorer = Explorer(self.watcher.arms, program.run, program, budget)
        search = Limited(program, self.graph_of, explorer, self.known)
        before, first = self.left, World(program.systems[0])
        explorer.start([first])
        key = b"" if program.own else deeds(search, first)
        if key in self.groups:
            return self.like(search, self.groups[key])
        share = AHEAD * max(0, self.left) // (waiting * (before - self.left))
        most = max(FEWEST, min(self.worlds, share))
        explorer.limit = most - most // 4
        explorer.budget = replace(budget, worlds=most)
        node = search.node()
        self.late = self.late or monotonic() > explorer.end
        self.unsearched += search.cut or bool(search.doubtful)
        self.taken.add(search, node)
        for world in node.worlds if program.own else ():
            for name in classes_in(world):
                if name != node.name:
                    self.declared.setdefault(name, set()).add(family_of(world))
        alone = bool(program.own) and not self.settings.classes
        if key:
            self.groups[key] = []
        if search.cut or not node.findings or (alone and node.state == "refused"):
            return None
        node = replace(node, worlds=[], findings=[*map(slim, node.findings)])
        if key:
            self.groups[key] = node.findings
        self.known += node.findings
        return node

    def like(self, search: Search, known: Sequence[ConditionalFinding]) -> ExploredNode | None:
        """Return a node with those findings of one like it that it has as well, None without."""
        found = []
        for one in known:
            world = search.at(one.world.world)
            same = filter(one.finding.is_like, search.findings(world))
            found += [slim(replace(one, finding=finding, world=world)) for finding in same]
        name, origin = search.program.name, search.program.origin
        return ExploredNode(name, findings=found, origin=origin) if found else None

    def counting(self, compile_with: Compile) -> Compile:
        """Return a compile that is paid for."""

        def compile_counted(facts: Facts, settings: Settings) -> Catalog:
            catalog: Catalog | None = None
            try:
                catalog = compile_with(facts, settings)
                return catalog
            except CompileError as error:
                catalog = error.catalog
                self.late = self.late or error.code == TOO_MUCH
                raise
            finally:
                self.left -= LEAST + (len(catalog.resources) if catalog is not None else 0)

        return compile_counted

    @property
    def rest(self) -> Left:
        """Return the counts of what is left."""
        return Left(self.unsearched, self.decisions, self.late, tuple(self.failures))

    @property
    def decisions(self) -> int:
        """Return how many constructs have an arm that was not tried for want of a budget."""
        arms, taken = self.watcher.arms, self.taken
        return sum(
            len(taken.refused[place]) < arms.get(place, 0)
            and bool(taken.programs[place].asked_at(place))
            for place in taken.stopped
        )


class Limited(Search):
    """A search whose conditions take a limited number of compiles.

    `known` are findings of other nodes: what has the same cause has the same condition.
    """

    def __init__(
        self,
        program: Program,
        graph_of: GraphOf,
        explorer: Explorer,
        known: Sequence[ConditionalFinding],
    ) -> None:
        super().__init__(program, graph_of, explorer)
        self.before = tuple(known)
        self.tries = 0
        self.cut = False

    def holds(self, finding: WorldFinding, ended: bool, world: World) -> bool | None:
        """Return whether a finding holds in a world, None if that is not tried any more."""
        if world not in self.made and world not in self.explorer.seen:
            self.tries += 1
            if self.tries > TRIES:
                self.cut = True
                return None
        return super().holds(finding, ended, world)

    def findings(self, world: ExploredWorld) -> Iterator[WorldFinding]:
        """Yield the findings of a world that are defects whatever its values mean."""
        for one in super().findings(world):
            if one.kind == "cycle" or (one.kind != "error" and not MADE_UP.search(one.message)):
                yield one

    def conditional(self, finding: WorldFinding, found: ExploredWorld) -> ConditionalFinding:
        """Return a finding with the condition under which it holds."""
        same = next((one for one in self.before if one.finding.is_like(finding)), None)
        if same is not None:
            return ConditionalFinding(finding, found, same.condition)
        return super().conditional(finding, found)


def search_worlds(
    path: str, settings: Settings, graph_of: GraphOf, worlds: int, inputs: int = 1
) -> Searched:
    """Search so many worlds of each node or class of a path, one of several inputs.

    Raises:
        InputError: something cannot be read.
        CompileError: a manifest is no Puppet program.
    """
    given = bool(settings.facts)
    settings = replace(on_supported(path, settings), progress=None)
    watcher = Watcher()
    programs = [*programs_of(path, settings, watcher)]
    alone = any(program.own for program in programs)
    pool = worlds * RESOURCES // (OF_MODULE if alone else min(inputs, PARTS))
    search = Bounded(settings, graph_of, worlds, pool, watcher)
    if not given:
        systems = (name.removeprefix(MARK) for name in settings.facts)
        search.supported.update(SYSTEMS[name].family for name in systems)
    return search.search(programs, given=given)


def in_turn(programs: Sequence[Program]) -> Iterator[int]:
    """Yield the numbers of programs: of nodes those that are far apart first.

    Neighbours are most often alike, and the budget may not do for all.
    """
    step = 1 << max(0, len(programs) - 1).bit_length()
    if any(program.own for program in programs):
        step = 1
    seen: set[int] = set()
    while step:
        for number in range(0, len(programs), step):
            if number not in seen:
                seen.add(number)
                yield number
        step //= 2


def classes_in(world: ExploredWorld) -> Iterator[str]:
    """Yield the classes of a world, as nodes are called that are one."""
    if world.graph is not None:
        for one in world.graph.catalog.resources:
            if one.type == "Class":
                yield f"class {one.title.lower()}"


def family_of(world: ExploredWorld) -> str:
    """Return the family of a world's system."""
    return str(value_at(world.facts, "os.family"))


def slim(found: ConditionalFinding) -> ConditionalFinding:
    """Return a finding without what takes most of the memory."""
    return replace(found, world=replace(found.world, graph=None, error=None, gaps=()))


# What a search cannot do again and again: run programs of others, or change a store.
ONCE = ("ruby", "enc", "store")


def not_searched(settings: Iterable[Settings]) -> Iterator[Gap]:
    """Yield what says for which options other worlds are not searched."""
    options = [f"--{name}" for one in settings for name in ONCE if getattr(one, name)]
    if options:
        reason = f"not searched with {' and '.join(dict.fromkeys(options))}"
        yield Gap("worlds", "other facts and parameters", reason, hides=False)


def gaps_of(left: Sequence[Left], worlds: int) -> Iterator[Gap]:
    """Yield what the searches of all inputs left."""
    decisions = sum(one.decisions for one in left)
    unsearched = sum(one.unsearched for one in left)
    words = [
        counted(decisions, "decision") if decisions else "",
        counted(unsearched, "node or class", "nodes or classes") if unsearched else "",
    ]
    yield from (gap for one in left for gap in one.failures)
    what = " and ".join(filter(None, words))
    if any(one.late for one in left):
        reason = f"the search of other worlds took longer than {SECONDS:g} seconds"
        yield Gap("worlds", what or "other worlds", reason)
    elif what:
        reason = "the budget of the search is used"
        yield Gap("worlds", what, reason, hint=f"--worlds {4 * worlds}", hides=False)
