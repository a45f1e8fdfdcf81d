"""Looks for cycles behind tests that no tried input decides: each of their arms is taken in turn.

A test whose value is unknown chooses no arm, and a value that nobody can guess leads a search to
none. In a few compiles with the facts that the user gave, else with unknown ones, each such test
takes an arm that no world took; then parameters and the title of a class or a defined type by
itself are unknown, too. A cycle there is one only if it needs a single construct, or constructs
within each other: two that stand apart may contradict each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from functools import partial
from itertools import pairwise

from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet.compile import CatalogResult
from analyzer.frontends.puppet.worlds.any_values import compile_with_any_values, constructs_of
from analyzer.frontends.puppet.worlds.conditions import Conjunct
from analyzer.frontends.puppet.worlds.extents import loops_in
from analyzer.frontends.puppet.worlds.outcomes import Place
from analyzer.frontends.puppet.worlds.program import Program
from analyzer.frontends.puppet.worlds.world import World
from analyzer.graph.cycles.search import Cycle
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.session.worlds.searching import GraphOf
from analyzer.source import Span, place_of
from analyzer.worlds.explored import ConditionalFinding, ExploredWorld
from analyzer.worlds.findings import WorldFinding, of_cycle

# The most compiles that take new arms, and the most for the conditions of cycles.
ROUNDS, TRIES = 8, 16


class ForcedArms:
    """The compiles of a program that take arms which no world took; `taken` are those of worlds."""

    def __init__(
        self, program: Program, graph_of: GraphOf, taken: Mapping[Place, Set[int]]
    ) -> None:
        self.program = program
        self.compile: Callable[[], CatalogResult] = program.compile_known
        self.graph_of = graph_of
        self.taken = {place: set(arms) for place, arms in taken.items()}
        # The constructs met in the arms of one, and the ones around the last construct.
        self.inside: dict[Place, list[tuple[int, Place]]] = {}
        self.met: set[Place] = set()
        self.around_last: list[Place] = []
        self.tries = TRIES
        self.seen: set[object] = set()
        # Where the loops of files end, by their offsets.
        self.loops: dict[str, dict[int, int]] = {}
        # The arms that the last compile took first.
        self.new: list[tuple[Place, int]] = []
        # Whether there were more cycles than tries.
        self.cut = False

    def findings(self) -> Iterator[ConditionalFinding]:
        """Yield the cycles, each with the arms that it needs."""
        yield from self.cycles()
        if self.program.own and not self.cut and self.has_untaken():
            self.compile = partial(compile_with_any_values, self.program)
            yield from self.cycles()

    def has_untaken(self) -> bool:
        """Return whether the definition itself has an arm that was not taken."""
        own = constructs_of(self.program)
        return not own or any(len(self.taken.get(p, ())) < count for p, count in own.items())

    def cycles(self) -> Iterator[ConditionalFinding]:
        """Yield the cycles of compiles that take new arms, until there are none."""
        self.reopen()
        for _ in range(ROUNDS):
            chosen: dict[Place, int] = {}
            graph = self.graph(chosen, new=True)
            if not self.new:
                return
            for cycle in graph.cycles() if graph is not None else ():
                key = of_cycle(cycle).statements
                if self.tries <= 0:
                    self.cut = True
                    return
                if key not in self.seen:
                    self.seen.add(key)
                    yield from self.finding(cycle, chosen)

    def reopen(self) -> None:
        """Take the arms again of constructs around others with an arm that was not taken."""
        counts = self.program.watcher.met()
        around: list[Place] = []
        for place in sorted(counts):
            file, offset = place
            while around and not (around[-1][0] == file and offset < self.end_of(around[-1])):
                around.pop()
            if len(self.taken.get(place, ())) < counts[place]:
                for one in around:
                    self.taken.pop(one, None)
                # Those around them are open, too.
                around = []
            around.append(place)

    def graph(self, chosen: dict[Place, int], *, new: bool) -> RelationshipGraph | None:
        """Compile with these arms; with `new` choose further ones, which are added."""
        watcher = self.program.watcher

        def choose(place: Place) -> int | None:
            if new and place not in chosen:
                self.meet(place, chosen)
                arm = next(self.new_arms(place), self.arm_towards_new(place))
                if arm is not None:
                    taken = self.taken.setdefault(place, set())
                    self.new += [(place, arm)] if arm not in taken else []
                    taken.add(arm)
                    chosen[place] = arm
            return chosen.get(place)

        watcher.read()
        self.around_last, self.new = [], []
        watcher.choose = choose
        try:
            made = self.compile()
        finally:
            watcher.choose = None
            taken = watcher.read()
        if made.error is not None and made.error.refusal:
            self.put_back(made.error, taken, chosen)
            return None
        for place, arms in taken.items() if new else ():
            self.taken.setdefault(place, set()).update(arms)
        return None if made.catalog is None else self.graph_of(made.catalog)

    def put_back(
        self, error: CompileError, taken: Mapping[Place, Set[int]], chosen: Mapping[Place, int]
    ) -> None:
        """Take the new arms later that stand beside the one with a `fail()`."""
        around = next((one for one in self.program.around(error, taken) if one in chosen), None)
        for place, arm in self.new if around is not None else ():
            if place != around:
                self.taken[place].discard(arm)

    def new_arms(self, place: Place) -> Iterator[int]:
        """Yield the arms of a construct that were not taken."""
        # The last arm of a loop goes through something.
        arms = reversed(range(self.program.watcher.arms.get(place, 0)))
        yield from (arm for arm in arms if arm not in self.taken.get(place, ()))

    def arm_towards_new(self, place: Place) -> int | None:
        """Return the arm of a construct in which others with new arms were met, if any."""
        return next(
            (
                arm
                for arm, inner in self.inside.get(place, ())
                if next(self.new_arms(inner), None) is not None
                or self.arm_towards_new(inner) is not None
            ),
            None,
        )

    def meet(self, place: Place, chosen: Mapping[Place, int]) -> None:
        """Note in which arm of which construct one was met first."""
        file, offset = place
        around = self.around_last
        while around and not (around[-1][0] == file and offset < self.end_of(around[-1])):
            around.pop()
        if place not in self.met:
            self.met.add(place)
            if around and around[-1] in chosen:
                self.inside.setdefault(around[-1], []).append((chosen[around[-1]], place))
        around.append(place)

    def end_of(self, place: Place) -> int:
        """Return where a construct ends."""
        file, start = place
        end = self.program.questions.ends_in(file).get(start)
        if end is None:
            tree = self.program.questions.tree(file)
            self.loops.setdefault(file, {} if tree is None else dict(loops_in(tree)))
            end = self.loops[file].get(start, start)
        return end

    def finding(self, cycle: Cycle, chosen: Mapping[Place, int]) -> Iterator[ConditionalFinding]:
        """Yield the finding of a cycle, if arms within each other are all that it needs."""
        wanted = of_cycle(cycle)
        needed = dict(self.around(cycle, chosen))
        found = self.like(wanted, needed) if self.is_nested([*needed]) else None
        if found is None and not needed:
            # A value that an arm gives may lead there.
            needed = self.least(wanted, chosen)
            found = self.like(wanted, needed) if self.is_nested([*needed]) else None
        if found is not None and needed:
            world = ExploredWorld(World(""), {}, "cycle", None, (), None, ())
            condition = tuple(self.part(place, arm) for place, arm in needed.items())
            yield ConditionalFinding(found, world, condition)

    def like(self, wanted: WorldFinding, arms: Mapping[Place, int]) -> WorldFinding | None:
        """Return the finding like one that a compile with these arms has, if any."""
        self.tries -= 1
        graph = self.graph(dict(arms), new=False)
        found = map(of_cycle, graph.cycles() if graph is not None else ())
        return next((one for one in found if one.is_like(wanted)), None)

    def least(self, wanted: WorldFinding, arms: Mapping[Place, int]) -> dict[Place, int]:
        """Return those arms that a finding needs, as far as tries show it."""
        places, size = sorted(arms), len(arms) // 2
        while size:
            for start in range(0, len(places), size):
                fewer = places[:start] + places[start + size :]
                if self.tries > 0 and self.like(wanted, {one: arms[one] for one in fewer}):
                    places = fewer
                    break
            else:
                size //= 2
        return {one: arms[one] for one in places}

    def around(self, cycle: Cycle, chosen: Mapping[Place, int]) -> Iterator[tuple[Place, int]]:
        """Yield the arms around the statements of a cycle, from the outside."""
        spans = {r.origin.span for hop in cycle.hops for r in hop.relationships if r.origin.span}
        offsets = [
            (span.file, offset_of(self.program.watcher.texts.get(span.file, ""), span))
            for span in spans
        ]
        for place, arm in sorted(chosen.items()):
            file, start = place
            if any(file == at and start <= offset < self.end_of(place) for at, offset in offsets):
                yield place, arm

    def is_nested(self, places: list[Place]) -> bool:
        """Return whether each construct is within the one before it."""
        return all(
            place[0] == inner[0] and place[1] < inner[1] < self.end_of(place)
            for place, inner in pairwise(places)
        )

    def part(self, place: Place, arm: int) -> Conjunct:
        """Return an arm as a part of a condition."""
        file, offset = place
        text = self.program.watcher.texts.get(file, "")
        line = place_of(text, offset)[0]
        if text.startswith("|", offset):
            return Conjunct(f"loop at {file}:{line}", "takes", "an element" if arm else "none")
        if text.startswith("case", offset):
            return Conjunct(f"case at {file}:{line}", "takes", f"option {arm + 1}")
        return Conjunct(f"condition at {file}:{line}", "is", not arm)


def offset_of(text: str, span: Span) -> int:
    """Return the offset of a place in a text."""
    start = 0
    for _ in range(1, span.line or 1):
        start = text.find("\n", start) + 1
    return start + (span.column or 1) - 1
