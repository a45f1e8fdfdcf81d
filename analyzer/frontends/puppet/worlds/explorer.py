"""Finds the worlds in which code takes different arms: runs it, and tries what leads elsewhere.

Each run reports the arms that it takes. For a construct with an arm that no run has taken, the
values that the code itself compares with are tried, on real systems that have them first. The
search ends when nothing new is to be tried, or the budget is used.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import combinations, islice
from math import inf
from time import monotonic, process_time

from analyzer.frontends.puppet.evaluate.looping import NO_TITLES
from analyzer.frontends.puppet.evaluate.naming import NAMELESS
from analyzer.frontends.puppet.worlds.choices import choices, in_conflict, in_turn
from analyzer.frontends.puppet.worlds.exploration import Exploration
from analyzer.frontends.puppet.worlds.expressions import distinct
from analyzer.frontends.puppet.worlds.outcomes import EVERYWHERE, Outcome, Place, VariedInputs
from analyzer.frontends.puppet.worlds.tests import Value, same
from analyzer.frontends.puppet.worlds.world import World

# Arms of constructs.
Arms = frozenset[tuple[Place, int]]
NONE: Arms = frozenset()

# Worlds to try for a construct, or for the arms that are at stake if there are any; before them
# their rank, and a number that no other has.
Item = tuple[tuple[int, int], int, Place, Iterator[World], Arms]

# Worlds that one construct is tried from, and inputs that are changed together for it.
STARTS, TOGETHER = 4, 2
# Worlds that are tried for a construct before those from a further world are.
PATIENCE = 12
# Tries that constructs of the module itself are given before those of others.
FOREIGN = 4
# Tries that other worlds are given before one that was refused.
REFUSED = 16
# Tries of an arm that only refused worlds took, and of what may keep such a world from that.
AGAIN, MENDS = 2, 3
# Tries of a construct around an error that led to no other end than others had before.
HOPELESS = 4
# Tests of the values of one input at a construct, and values that are tried however many there are.
MOST_TESTS, LEAST_VALUES = 100_000, 32
# Worlds in which a compile is traced, each time that constructs are left.
MOST_LEARNED = 3
# Worlds that are looked at for what they may have together.
MOST_COMBINED = 40


@dataclass(frozen=True, slots=True)
class Budget:
    """The most worlds to try, and the most seconds."""

    worlds: int = 64
    seconds: float = 60.0


class Explorer:
    """Searches worlds: `arms` is how many each construct has.

    `run` gives the outcome of a world.
    """

    def __init__(
        self,
        arms: Mapping[Place, int],
        run: Callable[[World], Outcome],
        inputs: VariedInputs,
        budget: Budget,
    ) -> None:
        self.arms = arms
        self.run = run
        self.inputs = inputs
        self.budget = budget
        self.cpu_end = inf
        self.begin()

    def begin(self) -> None:
        """Forget what was tried."""
        self.found = Exploration()
        self.seen: dict[World, Outcome] = {}
        self.behaviours: set[Hashable] = set()
        self.tried: dict[Place, int] = {}
        # Lists of titles that had none.
        self.empty: set[Place] = set()
        # The worlds that came to computed names of classes.
        self.naming: dict[Place, list[World]] = {}
        # The first world that came to a construct.
        self.opened: dict[Place, World] = {}
        # Tries of constructs all of whose arms were taken, some only by worlds that were refused.
        self.again: dict[Place, int] = {}
        self.retried: dict[Place, int] = {}
        # The places of errors, and how often a change of a construct around one led to one of them.
        self.faults: set[tuple[Place, ...]] = set()
        self.fruitless: dict[Place, int] = {}
        # What may be tried, by rank: inputs changed together, and how often it was tried.
        self.agenda: list[Item] = []
        self.planned = 0
        self.end = 0.0
        self.limit = 0
        # A construct has more values than are tried.
        self.cut = False
        # Constructs of which it was found out what decides them, and in which world.
        self.learned: set[tuple[Place, World]] = set()
        # Worlds that brought anything new: those that further ones are made of.
        self.starts: list[tuple[World, Outcome, frozenset[Place]]] = []

    def explore(self, systems: Sequence[str]) -> Exploration:
        """Try each system as it is, then whatever may lead to arms that were not taken."""
        self.start(map(World, systems))
        self.learn(only_new=True)
        for start in self.starts:
            self.plan(*start)
        self.work()
        while self.found.exhausted and self.learn():
            self.tried = {}
            for start in list(self.starts):
                self.plan(*start)
            self.work()
        self.found.exhausted = self.found.exhausted and not self.cut
        return self.found

    def learn(self, *, only_new: bool = False) -> bool:
        """Find out what decides constructs with arms that no world took; return whether it helps.

        `only_new`: those of which the text does not show what decides them.
        """
        by_world: dict[World, list[Place]] = {}
        for place, world in self.places_to_learn():
            known = (place, world) in self.learned or (only_new and self.inputs.asked_at(place))
            if not known and not self.is_covered(place) and self.seen[world].taken:
                by_world.setdefault(world, []).append(place)
        found = False
        for world, places in list(by_world.items())[:MOST_LEARNED]:
            self.learned.update((place, world) for place in places)
            found = self.inputs.learn(world, places) or found
        return found

    def places_to_learn(self) -> Iterator[tuple[Place, World]]:
        """Yield each construct with the first world that came to it; around an error the last."""
        yield from self.opened.items()
        ends = {place: one for one, outcome, _ in self.starts for place in outcome.fault}
        yield from ((place, ends[place]) for place in self.found.failing if place in ends)

    def work(self) -> None:
        """Try what is on the agenda, until it is empty or the budget is used."""
        while self.agenda and self.found.exhausted:
            rank, number, place, worlds, at_stake = heappop(self.agenda)
            if self.is_sound(at_stake) if at_stake else self.is_covered(place):
                continue
            world = next((one for one in worlds if one not in self.seen), None)
            if world is None:
                continue
            if self.is_taken(place):
                self.again[place] = self.again.get(place, 0) + 1
            item = (rank[0], rank[1] + 1), number, place, worlds, at_stake
            heappush(self.agenda, item)
            before = len(self.starts)
            self.visit_all([world])
            self.count_fruitless(world, place)
            for start in self.starts[before:]:
                self.plan(*start)
            if world in self.seen and not at_stake:
                self.retry(world, place)

    def count_fruitless(self, world: World, place: Place) -> None:
        """Count the changes of a construct around an error that led to an error of before."""
        outcome = self.seen.get(world)
        if outcome is not None and outcome.refused and place in self.found.failing:
            fault = tuple(outcome.fault)
            again = fault in self.faults
            self.fruitless[place] = self.fruitless.get(place, 0) + again
            self.faults.add(fault)

    def hopeful(self, outcome: Outcome) -> list[Place]:
        """Return the constructs around an error, but those that change nothing about it."""
        return [one for one in outcome.fault if self.fruitless.get(one, 0) < HOPELESS]

    def retry(self, world: World, place: Place) -> None:
        """Plan worlds like one that was refused before it came to the arms it was meant for."""
        outcome = self.seen[world]
        count = self.retried.get(place, 0)
        if outcome.refused and count < STARTS and not self.is_taken(place) and place != EVERYWHERE:
            self.retried[place] = count + 1
            for around in self.hopeful(outcome):
                if around != place:
                    self.push((1, 0), place, islice(self.changed(world, around, 1), MENDS))

    def start(self, worlds: Iterable[World]) -> None:
        """Begin, and try worlds before those that the search finds."""
        if not self.end:
            self.end = monotonic() + self.budget.seconds
            self.limit = self.budget.worlds - self.budget.worlds // 4
        self.visit_all(worlds)

    def plan(self, world: World, outcome: Outcome, news: frozenset[Place]) -> None:
        """Put what may be tried from a world on the agenda: a few inputs first, and new places.

        Constructs that share an input with one that has just taken a new arm come first as well,
        and those that no world came to before: what is nested in them may be new, too.
        """
        changed = {name for place in news for name in self.inputs.asked_at(place)}
        fault = self.hopeful(outcome)
        for place in [EVERYWHERE, *outcome.taken]:
            if self.is_covered(place):
                continue
            asked = self.inputs.asked_at(place)
            opened = len(self.seen) > 1 and self.opened.get(place) is world
            leads = place != EVERYWHERE and (opened or not changed.isdisjoint(asked))
            count = self.tried[place] = self.tried.get(place, 0) + (0 if leads else 1)
            if count > STARTS and not leads:
                continue
            foreign = 0 if self.inputs.is_own(place) else FOREIGN
            tries = foreign + (-1 if leads else PATIENCE * (count - 1))
            # What a compile failed at comes first, and the rest of it when all else was tried.
            if outcome.refused:
                ended = place == EVERYWHERE or outcome.taken[place]
                tries = REFUSED + tries if ended else -MENDS if place in fault else 0
            for together in range(1, TOGETHER + 1):
                self.push((together, tries), place, self.changed(world, place, together))
        if outcome.refused:
            self.mend(world, outcome)

    def mend(self, world: World, outcome: Outcome) -> None:
        """Plan worlds that take the arms of a refused one, and may not be refused."""
        arms = ((place, arm) for place, arms in outcome.taken.items() for arm in arms)
        at_stake = frozenset(one for one in arms if one[0] not in outcome.fault)
        if not self.is_sound(at_stake):
            for place in self.hopeful(outcome):
                self.push((1, 0), place, islice(self.changed(world, place, 1), MENDS), at_stake)

    def push(
        self, rank: tuple[int, int], place: Place, worlds: Iterator[World], at_stake: Arms = NONE
    ) -> None:
        """Put worlds on the agenda, for a construct or for arms that are at stake."""
        self.planned += 1
        # What is new leads further: the latest of it comes first.
        number = -self.planned if rank[1] < 0 else self.planned
        heappush(self.agenda, (rank, number, place, worlds, at_stake))

    def combine(self, suspicious: Callable[[Sequence[World]], Iterable[tuple[World, ...]]]) -> None:
        """Try worlds together that may have something together which none has alone.

        A part of the budget is kept for it.
        """
        count = 0
        self.limit = self.budget.worlds
        exhausted, self.found.exhausted = self.found.exhausted, True
        while self.found.exhausted and count < len(self.starts):
            count = len(self.starts)
            worlds = [world for world, _, _ in self.starts[:MOST_COMBINED]]
            self.visit_all(self.together(suspicious(worlds)))
        self.found.exhausted = self.found.exhausted and exhausted

    def together(self, groups: Iterable[tuple[World, ...]]) -> Iterator[World]:
        """Yield the unions of worlds: the first of those with an input gives its value."""
        for group in groups:
            for order in (group, group[::-1])[: 2 if in_conflict(group) else 1]:
                values = {k: v for world in reversed(order) for k, v in world.values.items()}
                systems = [w.system for w in order if w.system != self.found.worlds[0][0].system]
                yield World(systems[0] if systems else order[0].system, values)

    def visit_all(self, worlds: Iterable[World]) -> None:
        """Run the code in worlds, until the budget is used."""
        for world in worlds:
            if world in self.seen:
                continue
            if (
                self.found.runs >= self.limit
                or monotonic() > self.end
                or process_time() > self.cpu_end
            ):
                self.found.exhausted = False
                return
            self.visit(world)

    def visit(self, world: World) -> None:
        """Run the code in a world."""
        outcome = self.seen[world] = self.run(world)
        self.found.runs += 1
        fresh = set()
        for place, arms in outcome.taken.items():
            self.opened.setdefault(place, world)
            if NO_TITLES in arms:
                self.empty.add(place)
            if any(arm <= NAMELESS for arm in arms):
                self.naming.setdefault(place, []).append(world)
            for known in self.known(outcome):
                if not arms <= known.setdefault(place, set()):
                    fresh.add(place)
                known[place].update(arms)
        self.found.failing.update(outcome.fault)
        if fresh or outcome.behaviour not in self.behaviours:
            self.starts.append((world, outcome, frozenset(fresh)))
        if outcome.behaviour not in self.behaviours:
            self.behaviours.add(outcome.behaviour)
            self.found.worlds.append((world, outcome))

    def known(self, outcome: Outcome) -> Iterator[dict[Place, set[int]]]:
        """Yield the arms that were taken, and those of worlds that are not refused if it is one."""
        yield self.found.taken
        if not outcome.refused:
            yield self.found.sound

    def is_covered(self, place: Place) -> bool:
        """Return whether all arms of a construct were taken, in worlds that are not refused.

        What leads to an error is taken as it can be; of the rest it is tried a few times.
        """
        if place == EVERYWHERE or not self.is_taken(place):
            return False
        sound = len(self.found.sound.get(place, ())) >= self.count(place)
        return sound or place in self.found.failing or self.again.get(place, 0) >= AGAIN

    def is_taken(self, place: Place) -> bool:
        """Return whether all arms of a construct were taken."""
        enough = len(self.found.taken.get(place, ())) >= self.count(place)
        return enough and (place not in self.naming or self.is_named(place))

    def is_named(self, place: Place) -> bool:
        """Return whether the values of all inputs of a computed name are known and were tried."""
        names = self.inputs.names_at(place)
        return bool(names) and all(self.has_tried(place, *row) for row in names)

    def has_tried(self, place: Place, name: str, values: Sequence[Value] | None) -> bool:
        """Return whether all values of an input of a computed name are known and were tried."""
        seen = [self.inputs.value_in(world, name) for world in self.naming[place]]
        return values is not None and all(any(same(one, v) for one in seen) for v in values)

    def count(self, place: Place) -> int:
        """Return how many arms a construct has; those of a list of titles count if it was empty."""
        return self.arms.get(place, 2 if place in self.empty else 0)

    def is_sound(self, arms: Arms) -> bool:
        """Return whether worlds that are not refused took arms."""
        return all(arm in self.found.sound.get(place, ()) for place, arm in arms)

    def changed(self, world: World, place: Place, together: int) -> Iterator[World]:
        """Yield worlds in which some inputs of a construct have other values.

        Those that brought the search to this world are changed last.
        """
        asked = self.inputs.asked_at(place)
        own = {name: self.inputs.value_in(world, name) for name in asked}
        others = {name: self.unlike(place, name, own[name], asked[name]) for name in asked}
        first = next(iter(self.seen))
        usual = {name: self.inputs.value_in(first, name) for name in asked}
        names = [name for name in asked if others[name]]
        names.sort(key=lambda name: not same(own[name], usual[name]))
        for values in in_turn(
            choices({name: others[name] for name in some}) for some in combinations(names, together)
        ):
            yield from self.with_values(world, own, values)

    def unlike(self, place: Place, name: str, own: Value, values: Sequence[Value]) -> list[Value]:
        """Return values with which the tests of a construct end unlike with its own value."""
        if place == EVERYWHERE:
            return [value for value in distinct(values) if not same(value, own)]
        found: dict[Hashable, Value] = {}
        # There is about one test for each value: the time grows with the square of them.
        others = distinct(values)
        most = max(LEAST_VALUES, MOST_TESTS // max(1, len(others)))
        self.cut = self.cut or len(others) > most
        for value in others[:most]:
            if not same(value, own):
                found.setdefault(self.inputs.classes_at(place, name, value), value)
        found.pop(self.inputs.classes_at(place, name, own), None)
        return list(found.values())

    def with_values(
        self, world: World, own: Mapping[str, Value], values: Mapping[str, Value]
    ) -> Iterator[World]:
        """Yield a world with values: on the real system that has them and changes least.

        It is made up if there is none.
        """
        names = list(values)
        systems = [list(self.inputs.systems_with(name, values[name])) for name in names]
        real = [one for one in systems[0] if all(one in others for others in systems)]
        if not real:
            yield World(world.system, {**world.values, **values})
            return

        def changes(system: str) -> int:
            there = World(system)
            rest = (name for name in own if name not in values)
            return sum(not same(own[n], self.inputs.value_in(there, n)) for n in rest)

        system = min(real, key=changes)
        yield World(system, {k: v for k, v in world.values.items() if k not in values})
