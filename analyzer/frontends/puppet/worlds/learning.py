"""Questions that a traced compile answers: which inputs decide a test that the text does not show.

A value may travel through parameters, hashes and functions to the test. The trace of a compile has
the inputs that it was computed from; for these the values are tried that their types allow, that
the test compares with, and that literals on the way have.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Protocol

from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.worlds.expressions import LISTED, distinct, listed
from analyzer.frontends.puppet.worlds.outcomes import Place
from analyzer.frontends.puppet.worlds.questions import (
    Question,
    Questions,
    is_of_loop,
    last_part,
)
from analyzer.frontends.puppet.worlds.tests import ABSENT, Value
from analyzer.frontends.puppet.worlds.world import Facts, World, put

if TYPE_CHECKING:
    from analyzer.frontends.puppet.origins.contributors import Contributor
    from analyzer.frontends.puppet.origins.inputs import Input
    from analyzer.frontends.puppet.origins.trace import Trace

# Compiles with facts and settings, and returns what was recorded; None if that is not possible.
Explain = Callable[[Facts, Settings], "Trace | None"]

# Inputs of one test, and values of an input, that are tried.
MOST_INPUTS, MOST_VALUES = 6, 24
# The name of the input of a test that asks for what others declare.
DECLARED = "what else is declared"
# Elements of an array whose number is compared.
MOST_ELEMENTS = 9


class Open(Protocol):
    """The inputs of a program, as far as learning asks for them."""

    def facts_in(self, world: World) -> Facts:
        """Return the facts of a world."""
        ...

    def settings_in(self, world: World) -> Settings:
        """Return the settings of a world."""
        ...

    def free(self, name: str) -> bool:
        """Return whether an input is for the search to choose."""
        ...

    def value_in(self, world: World, name: str) -> Value:
        """Return the value of an input in a world."""
        ...

    def examples(self, name: str) -> Sequence[Value]:
        """Return values of the type of an input."""
        ...

    def allowed(self, name: str, values: list[Value]) -> list[Value]:
        """Return those values that an input may have."""
        ...


class Learner:
    """The questions that traces have answered, by construct.

    `inputs` are those that decide a construct, whether they are free or not.
    """

    def __init__(self, explain: Explain | None) -> None:
        self.explain = explain
        self.forget()

    def forget(self) -> None:
        """Forget what was learned."""
        self.questions: dict[Place, list[Question]] = {}
        self.inputs: dict[Place, tuple[str, ...]] = {}

    def learn(
        self, program: Open, known: Questions, world: World, places: Collection[Place]
    ) -> bool:
        """Trace a compile in a world; return whether it answered anything about constructs."""
        if self.explain is None:
            return False
        from analyzer.frontends.puppet.origins.inputs import depends_on_anything, inputs_of

        trace = self.explain(program.facts_in(world), program.settings_in(world))
        found = False
        for place in places if trace is not None else ():
            assert trace is not None
            tested = trace.decisions.get(place, ())
            inputs = list(inputs_of(tested, trace.decided_within.get(place)))
            names = tuple(dict.fromkeys(".".join([n, *p]) for n, p in inputs))
            self.inputs[place] = (*names, DECLARED) if depends_on_anything(tested) else names
            free = (one for one in inputs if program.free(one[0]))
            asked = known.wide(place)
            for one in islice(free, MOST_INPUTS):
                made = question(program, world, one, asked, tested, place[1])
                if made.values:
                    self.questions.setdefault(place, []).append(made)
                    found = True
        return found


def parts_of(values: Sequence[Value], segments: Sequence[str]) -> Iterator[Value]:
    """Yield what is left of texts without those around a value in them, also as numbers.

    A value may be put into a text on its way to the test: `"port-${port}" == 'port-80'`.
    """
    for whole in values:
        for part in segments if isinstance(whole, str) else ():
            for one in (whole.removeprefix(part), whole.removesuffix(part)):
                if one != whole:
                    yield one
                    yield from (int(one),) if one.isdecimal() and one.isascii() else ()


def lists_of(values: Sequence[Value]) -> Iterator[Value]:
    """Yield arrays of what is compared with, and of as many elements as a number says."""
    texts = [value for value in values if isinstance(value, str)]
    yield from ([one] for one in texts)
    for value in values:
        if type(value) is int and 0 <= value <= MOST_ELEMENTS:
            yield [LISTED] * value
            yield [LISTED] * (value + 1)


def question(
    program: Open,
    world: World,
    one: Input,
    asked: Sequence[Question],
    tested: Iterable[Contributor],
    offset: int,
) -> Question:
    """Return the question of an input whose value travels to a construct."""
    from analyzer.frontends.puppet.origins.inputs import literals_of, segments_of

    name, path = one
    own = [] if path else program.examples(name)
    compared = [value for other in asked for value in other.values]
    literals = list(islice(literals_of(tested), MOST_VALUES))
    wanted = distinct([*own, *compared, *literals, *parts_of(literals, list(segments_of(tested)))])
    if any(map(is_of_loop, asked)):
        wanted = distinct([*listed(wanted), [last_part(name)]])
    if not path and isinstance(program.value_in(world, name), list):
        wanted = distinct([*own, *lists_of(literals), *wanted])
    tests = () if path else tuple(test for other in asked for test in other.tests)
    if path:
        base = program.value_in(world, name)
        if not (isinstance(base, dict) or base is ABSENT or base is None):
            return Question(name, (), offset)
        inside = base if isinstance(base, dict) else {}
        values = [put(inside, ".".join(path), value) for value in wanted if value is not ABSENT]
        return Question(name, tuple(program.allowed(name, values)[:MOST_VALUES]), offset)
    return Question(name, tuple(program.allowed(name, wanted)[:MOST_VALUES]), offset, tests)
