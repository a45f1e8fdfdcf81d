"""Questions that a traced compile answers: which inputs decide a test that the text does not show.

A value may travel through parameters, hashes and functions to the test. The trace of a compile has
the inputs that it was computed from; for these the values are tried that their types allow, that
the test compares with, and that literals on the way have.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol

from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.worlds.expressions import LISTED, WHOLE, distinct, listed, pattern_of
from analyzer.frontends.puppet.worlds.outcomes import EVERYWHERE, Place
from analyzer.frontends.puppet.worlds.question import Question, is_of_loop
from analyzer.frontends.puppet.worlds.questions import Questions, last_part
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
                made = question(program, world, one, asked, tested, place[1], known)
                learned = self.questions.setdefault(place, [])
                again = any(other.naming and other.input == made.input for other in learned)
                if made.values or (made.naming and not again):
                    learned.append(made)
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
    known: Questions,
) -> Question:
    """Return the question of an input whose value travels to a construct."""
    from analyzer.frontends.puppet.origins.inputs import literals_of, segments_of, texts_of

    name, path = one
    naming = next((other.naming for other in asked if other.naming), "")
    if naming:
        is_asked = any(other.naming and other.input == name for other in asked)
        if not is_asked and any(other.input == name for other in known.get(EVERYWHERE)):
            # It selects the files of Hiera that have the name, and is varied as such.
            return Question(name, (), offset)
        found = naming if is_asked else pattern_in(naming, texts_of(tested))
        values = inside(program, world, one, known.names.matched(found) or ()) if path else ()
        return Question(name, tuple(values), offset, (), "" if path and not values else found)
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
        return Question(name, tuple(inside(program, world, one, wanted)[:MOST_VALUES]), offset)
    return Question(name, tuple(program.allowed(name, wanted)[:MOST_VALUES]), offset, tests)


def inside(program: Open, world: World, one: Input, values: Iterable[Value]) -> list[Value]:
    """Return hashes for an input that have these values by its keys; none if it is no hash."""
    name, path = one
    base = program.value_in(world, name)
    if not (isinstance(base, dict) or base is ABSENT or base is None):
        return []
    known = base if isinstance(base, dict) else {}
    made = [put(known, ".".join(path), value) for value in values if value is not ABSENT]
    return program.allowed(name, made)


def pattern_in(naming: str, texts: Iterable[Sequence[Any]]) -> str:
    """Return the pattern of a name; of one that is a variable, that of the text in it."""
    for parts in texts if naming == WHOLE else ():
        return pattern_of(parts, next(part for part in parts if not isinstance(part, str)))
    return naming
