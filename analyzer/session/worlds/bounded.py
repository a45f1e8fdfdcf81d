"""Searches worlds as a part of another command: within a budget that counts work, not seconds.

So the load of the machine does not change the result of a search. The clock ends only a search that
takes far too long, and the answer reports that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import inf
from time import monotonic
from typing import TYPE_CHECKING

from analyzer.compiles.programs import programs_of
from analyzer.frontends.puppet.compile import CatalogResult
from analyzer.frontends.puppet.failures import TOO_MUCH
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.facts import own_facts
from analyzer.frontends.puppet.node.systems import MARK, SYSTEMS
from analyzer.frontends.puppet.worlds.certain import CertainErrors
from analyzer.frontends.puppet.worlds.explorer import Budget, Explorer
from analyzer.frontends.puppet.worlds.learning import Explain
from analyzer.frontends.puppet.worlds.outcomes import Place
from analyzer.frontends.puppet.worlds.program import Compile, Program
from analyzer.frontends.puppet.worlds.watcher import Watcher
from analyzer.frontends.puppet.worlds.world import Facts, World
from analyzer.linter.failures import Failure, tried
from analyzer.model.completeness import Gap
from analyzer.reading import note, note_clock, noting
from analyzer.session.worlds.budget import LEAST, Costs, budget_of
from analyzer.session.worlds.exploring import on_supported
from analyzer.session.worlds.forced import ForcedArms
from analyzer.session.worlds.gaps import SECONDS, WorkLeft
from analyzer.session.worlds.kept import KeptSearch, KeptSearches
from analyzer.session.worlds.limited import LimitedSearch, in_turn
from analyzer.session.worlds.partly import Arms
from analyzer.session.worlds.results import SearchedBefore, SearchResult, before_combining
from analyzer.session.worlds.searching import GraphOf, WorldSearch, classes_in, family_of
from analyzer.session.worlds.sharing import behaviour_of
from analyzer.session.worlds.turns import SearchKey, Turn
from analyzer.session.worlds.untaken import (
    NAMES_LEFT,
    UNKNOWN_NAMES,
    NodeArms,
    TakenArms,
    arms_in,
)
from analyzer.worlds.explored import ConditionalFinding, ExploredNode, in_outline, slim

if TYPE_CHECKING:
    from analyzer.frontends.puppet.origins.trace import Trace

# The cost of a traced compile, as a multiple of the compile before it.
TRACED = 4
# A node may use this multiple of its share of the rest: most need less.
AHEAD, FEWEST = 4, 2


@dataclass(frozen=True, slots=True)
class Searched:
    """The nodes with findings, the counts of the remaining work, and the arms that were taken."""

    nodes: tuple[ExploredNode, ...]
    left: WorkLeft
    arms: Arms


class Bounded:
    """A search of the worlds of all nodes or classes of an input; `parts` divides the budget.

    `kept` are valid results of earlier searches. Classes of the settings that the user has not
    `named` are some of many: others may declare what they relate to.
    """

    def __init__(
        self,
        path: str,
        settings: Settings,
        graph_of: GraphOf,
        worlds: int,
        parts: int = 1,
        kept: KeptSearches | None = None,
        *,
        named: bool = True,
    ) -> None:
        self.path = path
        self.given_facts = bool(settings.facts)
        self.progress = settings.progress
        self.settings = replace(on_supported(path, settings), progress=None)
        self.graph_of = graph_of
        self.worlds = worlds
        self.watcher = Watcher()
        self.programs = [*programs_of(path, self.settings, self.watcher, whole=False)]
        for program in self.programs:
            program.compile_with = self.counting(program, program.compile_with)
            program.learner.explain = self.charging(program.learner.explain)
            program.named = program.named and named
            if self.given_facts or own_facts(self.settings, program.node) is not None:
                # The facts, perhaps those of a typical system.
                program.given = program.given or [*program.systems]
        self.left = budget_of(worlds, parts, 0 if named else len(self.programs))
        # The budget for the forced arms of what the other one does not reach.
        self.whole, self.short = self.left, self.left // 2
        self.costs = Costs(), Costs()
        self.taken = TakenArms(self.watcher)
        # Constructs that the last search to evaluate them may have explored further.
        self.open: frozenset[Place] = frozenset()
        self.end = inf
        # The budget that the current search and its last compile used; whether one was too slow.
        self.used, self.cost, self.too_much = 0, 0, False
        # The manifests that its compiles used.
        self.manifests: set[str] = set()
        self.late = False
        self.unsearched = 0
        self.failures: list[Gap] = []
        # The supported families of systems (empty: any), and those on which others declare a class.
        systems = () if self.given_facts else self.settings.facts
        self.supported = {SYSTEMS[name.removeprefix(MARK)].family for name in systems}
        self.declared: dict[str, set[str]] = {}
        self.groups: dict[bytes, list[ConditionalFinding]] = {}
        self.known: list[ConditionalFinding] = []
        self.found: list[tuple[int, ExploredNode]] = []
        self.before = kept.found if kept is not None else {}
        self.kept: dict[str, KeptSearch] = {}

    def turns(self, key: SearchKey) -> Iterator[tuple[Turn, SearchResult | None]]:
        """Yield the turns of this search, with the results of earlier ones where they are valid."""
        for place, number in enumerate(in_turn(self.programs)):
            known = self.before.get(self.programs[number].name)
            yield Turn(key, number, place), None if known is None else known.result

    @property
    def result(self) -> Searched:
        """Return the result after all turns."""
        if self.late:
            note_clock()
        nodes = (node for _, node in sorted(self.found, key=lambda one: one[0]))
        return Searched(tuple(self.real(nodes)), self.rest, self.taken.every)

    def real(self, nodes: Iterable[ExploredNode]) -> Iterator[ExploredNode]:
        """Yield nodes with the findings on systems that they support.

        These are the systems of the module. For a class that other classes declare, they are the
        systems of those classes.
        """
        for node in nodes:
            on = [one for one in (self.declared.get(node.name), self.supported) if one]
            real = [
                found
                for found in node.findings
                if not found.world.facts or all(family_of(found.world) in one for one in on)
            ]
            if real:
                yield replace(node, findings=real)

    def given(self, turn: Turn) -> Turn:
        """Return a turn with the results so far, and the budget that is expected in its turn."""
        self.begin_clock()
        budgets = self.costs[0].expected(self.left, turn.place), self.short
        return replace(turn, seen=SearchedBefore(*budgets, self.groups, tuple(self.known)))

    def expects(self, turn: Turn) -> bool:
        """Return whether the budget is expected to be enough for a turn."""
        return self.has_budget(turn, self.costs[0].expected(self.left, turn.place), self.short)

    def answer(self, turn: Turn) -> SearchResult:
        """Search a program; remember a fault of our own."""
        self.begin_clock()
        seen: SearchedBefore = turn.seen
        result = SearchResult(len(seen.known))
        result.is_short = seen.left <= 0
        if self.late or not self.has_budget(turn, seen.left, seen.short):
            return result
        program = self.begun(turn)
        what = f"the search of other worlds of {program.name}"
        with noting() as result.read:
            try:
                search = self.searched_shortly if result.is_short else self.searched
                made = partial(search, program, turn, result)
                node = tried(made, what, program.name, "")
            except (RecursionError, MemoryError):
                node = None
                result.failure = Gap("unread", what, "is too deep or too large")
        if isinstance(node, Failure):
            result.failure = Gap("internal error", what, node.words)
        else:
            result.node = node
        result.cost, result.late = self.used, result.late or self.too_much
        self.late = self.late or result.late
        result.manifests = self.manifests_of(program)
        return result

    def begin_clock(self) -> None:
        """Limit the time from the first turn on: other searches may be before this one."""
        self.end = min(self.end, monotonic() + SECONDS)

    def begun(self, turn: Turn) -> Program:
        """Return the program of a turn in the state before any search."""
        program = self.programs[turn.number]
        program.assumed, program.bound = {}, {}
        program.learner.forget()
        # Its compile charges the budget of each search: one may be repeated in its turn.
        program.certain = CertainErrors(self.watcher, program.compile_known)
        self.watcher.entered = set()
        self.used, self.too_much = 0, False
        self.manifests = set()
        return program

    def manifests_of(self, program: Program) -> frozenset[str] | None:
        """Return the manifests of modules that this search of a program has used."""
        known = program.known
        return None if known.others else known.read_by_last.union(self.manifests)

    def has_budget(self, turn: Turn, left: int, short: int) -> bool:
        """Return whether anything is searched in a turn.

        A node has no part of the budget for forced arms: its classes are searched by themselves.
        """
        return left > 0 or (short > 0 and bool(self.programs[turn.number].own))

    def searched_shortly(
        self, program: Program, turn: Turn, result: SearchResult
    ) -> ExploredNode | None:
        """Look only for the cycles of arms of a program; return None if there are none."""
        forced = ForcedArms(program, self.graph_of, {})
        node = ExploredNode(program.name, findings=[*map(slim, forced.findings())])
        result.cut = True
        return node if node.findings else None

    def searched(self, program: Program, turn: Turn, result: SearchResult) -> ExploredNode | None:
        """Search a program; return None if there is nothing to report."""
        seen: SearchedBefore = turn.seen
        budget = Budget(self.worlds, max(1.0, self.end - monotonic()))
        explorer = Explorer(self.watcher.arms, program.run, program, budget)
        search = LimitedSearch(program, self.graph_of, explorer, seen.known, self.may_try)
        first = World(program.systems[0])
        explorer.start([first])
        result.first = self.used
        result.key = b"" if program.own else behaviour_of(search, first)
        if result.key in seen.groups:
            result.grouped = True
            return self.like(search, seen.groups[result.key])
        result.most = self.most(seen.left, turn, result)
        explorer.limit = before_combining(result.most)
        explorer.budget = replace(budget, worlds=result.most)
        node = search.node()
        result.runs = explorer.found.runs if explorer.found.exhausted else 0
        result.late = monotonic() > explorer.end
        result.cut = search.cut or bool(search.doubtful)
        result.arms = arms_in(search, node)
        result.open = frozenset(open_in(result.arms, program))
        for world in node.worlds if program.own else ():
            result.declared.update((name, family_of(world)) for name in classes_in(world))
        alone = bool(program.own) and not program.named
        forced = ForcedArms(program, self.graph_of, explorer.found.sound)
        known = [one.finding for one in node.findings]
        node.findings += [
            one for one in forced.findings() if not any(map(one.finding.is_like, known))
        ]
        result.cut = result.cut or forced.cut
        found = node.findings
        if search.cut or (alone and node.state == "refused"):
            # It needs what others give it; a cycle of its own is one whatever that is.
            found = [one for one in found if one.finding.kind == "cycle"]
        return replace(node, worlds=[], findings=[*map(slim, found)]) if found else None

    def may_try(self) -> bool:
        """Return whether a condition may take another compile: it counts as the search does."""
        return self.used < 2 * self.whole

    def most(self, left: int, turn: Turn, result: SearchResult) -> int:
        """Return the most worlds that a program may have after its first one."""
        waiting = len(self.programs) - turn.place
        share = AHEAD * max(0, left - result.first) // (waiting * max(1, result.first))
        return max(FEWEST, min(self.worlds, share))

    def like(self, search: WorldSearch, known: Sequence[ConditionalFinding]) -> ExploredNode | None:
        """Return a node with the findings that it shares with a similar one, else None."""
        found = []
        for one in known:
            world = search.at(one.world.world)
            same = filter(one.finding.is_like, search.findings(world))
            found += [slim(replace(one, finding=finding, world=world)) for finding in same]
        name, origin = search.program.name, search.program.origin
        return ExploredNode(name, findings=found, origin=origin) if found else None

    def note_reads(self, result: SearchResult) -> None:
        """Record the files that were read."""
        note(result.read)

    def holds(self, turn: Turn, result: SearchResult) -> bool:
        """Return whether the result of a search is still valid."""
        if self.is_late or not self.has_budget(turn, self.left, self.short):
            return True
        if result.is_short or self.left <= 0:
            return result.is_short and self.left <= 0 and result.cost > 0
        if not result.first:
            return False
        kept = self.before.get(self.programs[turn.number].name)
        if kept is not None and kept.result is result:
            if not kept.holds(self.known, self.groups):
                return False
            result.seen = len(self.known)
        if result.grouped or result.key in self.groups:
            return result.grouped
        most = self.most(self.left, turn, result)
        return result.seen == len(self.known) and result.has_room(most)

    def take(self, turn: Turn, result: SearchResult) -> None:
        """Store the result of a search."""
        self.late, self.costs[0].place = self.is_late, turn.place + 1
        if self.late or not self.has_budget(turn, self.left, self.short):
            self.unsearched += 1
            return
        name = self.programs[turn.number].name
        if result.manifests is not None and not (result.late or result.failure):
            group = self.groups.get(result.key)
            self.kept[name] = KeptSearch(result, tuple(self.known), group)
        if result.is_short:
            self.short -= result.cost
        else:
            self.left -= result.cost
        self.costs[result.is_short].add(result.cost)
        self.late = self.late or result.late
        self.unsearched += result.cut
        self.failures += [result.failure] if result.failure else []
        if result.arms is not None:
            self.taken.add(result.arms, self.programs[turn.number])
            self.open = self.open.difference(result.arms.refused) | result.open
        if result.node is not None:
            self.found.append((turn.number, result.node))
        if result.arms is not None and not result.grouped:
            findings = [*map(in_outline, result.node.findings)] if result.node is not None else []
            self.known += findings
            if result.key:
                self.groups[result.key] = findings
        for one, family in result.declared:
            if one != name:
                self.declared.setdefault(one, set()).add(family)

    @property
    def is_late(self) -> bool:
        """Return whether the search has exceeded its time limit."""
        return self.late or monotonic() > self.end

    def counting(self, program: Program, compile_with: Compile) -> Compile:
        """Return a compile of a program that charges the budget."""

        def compile_counted(facts: Facts | None, settings: Settings) -> CatalogResult:
            if self.used:
                self.manifests |= program.known.read_by_last
            made = compile_with(facts, settings)
            if made.error is not None:
                self.too_much = self.too_much or made.error.code == TOO_MUCH
            catalog = made.catalog
            self.cost = LEAST + (len(catalog.resources) if catalog is not None else 0)
            self.used += self.cost
            return made

        return compile_counted

    def charging(self, explain: Explain | None) -> Explain | None:
        """Return a traced compile that charges the budget."""
        if explain is None:
            return None

        def explain_charged(facts: Facts, settings: Settings) -> Trace | None:
            self.used += TRACED * self.cost
            return explain(facts, settings)

        return explain_charged

    @property
    def rest(self) -> WorkLeft:
        """Return the counts of the remaining work."""
        stopped = self.open & self.taken.stopped
        decisions = self.count_open(stopped)
        unvaried = self.count_open(self.taken.unvaried - stopped)
        names = [*self.taken.unnamed().values()]
        decisions += names.count(NAMES_LEFT)
        failures = tuple(self.failures)
        unknown = names.count(UNKNOWN_NAMES)
        return WorkLeft(self.unsearched, decisions, unvaried, self.late, failures, unknown)

    def count_open(self, places: Iterable[Place]) -> int:
        """Return the number of constructs with an arm that was not taken in any world."""
        taken = self.taken
        return sum(len(taken.refused[place]) < taken.counts.get(place, 0) for place in places)


def open_in(arms: NodeArms, program: Program) -> Iterator[Place]:
    """Yield the constructs with inputs of which a search of a program did not take all arms."""
    for place, taken in arms.refused.items():
        if len(taken) < arms.counts.get(place, 0) and program.asked_at(place):
            yield place
