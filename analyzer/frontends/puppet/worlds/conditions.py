"""The smallest condition under which something holds: each part was left out, and tried."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

from analyzer.frontends.puppet.worlds.expressions import distinct
from analyzer.frontends.puppet.worlds.tests import (
    ABSENT,
    OPPOSITE,
    Test,
    Value,
    fits,
    is_number,
    same,
)
from analyzer.frontends.puppet.worlds.world import World
from analyzer.model.quote import value_text

# Whether something holds in a world; None where nobody can tell, as nothing compiles there.
Holds = Callable[[World], bool | None]
ValueIn = Callable[[World, str], Value]


# The beginning of an input that is a test, known by its place.
PLACES = ("condition at ", "case at ", "loop at ")


@dataclass(frozen=True, slots=True)
class Conjunct:
    """A part of a condition: an input, `is`, `is not`, `>` or `<`, and a value."""

    input: str
    op: str
    value: Value

    def __str__(self) -> str:
        name = named(self.input)
        if self.value is ABSENT:
            return f"{name} is {'not given' if self.op == 'is' else 'given'}"
        words = operand(self.op, self.value)
        return f"{name} {self.op} {words}" if words else f"{name} {self.op}"

    def fits(self, value: Value) -> bool:
        """Return whether a value of the input is one for which the part holds."""
        return fits(self.op, self.value, value)


def operand(op: str, value: Value) -> str:
    """Return the value that a test compares with as Puppet writes it, empty if there is none."""
    if op in {"is a", "is not a"}:
        return str(value).capitalize()
    if op == "takes":
        # An arm is no value of Puppet's.
        return str(value)
    if value is None and op not in {"is", "is not"}:
        return ""
    several = value if isinstance(value, tuple) else (value,)
    is_pattern = op.startswith("matches") or op == "does not match"
    return ", ".join(f"/{one}/" if is_pattern else value_text(one) for one in several)


def named(name: str) -> str:
    """Return an input as it is named in messages."""
    if name.startswith(PLACES):
        return f"the {name}"
    if name.startswith("lookup::"):
        return f"Hiera's {name.removeprefix('lookup::')}"
    return name if name.startswith(("facts.", "trusted.")) else f"${name}"


def condition_of(
    witness: World,
    holds: Holds,
    asked: Mapping[str, Sequence[Value]],
    systems: Sequence[str],
    value_in: ValueIn,
    tests: Mapping[str, Sequence[Test]] | None = None,
) -> tuple[World, tuple[Conjunct, ...]]:
    """Return a simpler witness, and the condition under which something holds as it does there.

    `asked` are the inputs that may matter, with values to try; `systems` the systems to try;
    `value_in` gives the value of an input in a world, `tests` are those of the code.
    """
    tests = tests or {}
    for name in list(witness.values):
        simpler = witness.without(name)
        if holds(simpler):
            witness = simpler
    varying = [name for name in asked if varies(name, systems, value_in)]
    parts = list(of_system(witness, holds, varying, systems, value_in, tests))
    for name, values in asked.items():
        if name in varying and name not in witness.values:
            continue
        part = of_input(witness, holds, name, values, value_in, tests.get(name, ()))
        if part is not None:
            parts.append(part)
    return witness, tuple(parts)


def narrowed(
    parts: tuple[Conjunct, ...],
    witness: World,
    holds: Holds,
    others: Iterable[World],
    value_in: ValueIn,
    tests: Mapping[str, Sequence[Test]],
) -> tuple[Conjunct, ...]:
    """Return a condition with what keeps it from other worlds, in which nothing holds.

    Where several inputs must change together for a world that compiles, each alone tells nothing.
    """
    for other in others:
        if not fit(parts, other, value_in) or holds(other) is not False:
            continue
        for name in dict.fromkeys([*witness.values, *other.values]):
            own, there = value_in(witness, name), value_in(other, name)
            if not same(own, there) and holds(other.having(name, own)):
                part = separating(name, own, [own], [there], tests.get(name, ()))
                parts = parts if part is None else together(parts, part)
                break
    return parts


def together(parts: tuple[Conjunct, ...], part: Conjunct) -> tuple[Conjunct, ...]:
    """Return a condition with one more part, without those that it implies."""
    implied = [one for one in parts if part.op == "is" and one.input == part.input]
    return (*(one for one in parts if one not in implied), part)


def of_input(
    witness: World,
    holds: Holds,
    name: str,
    values: Iterable[Value],
    value_in: ValueIn,
    tests: Sequence[Test] = (),
) -> Conjunct | None:
    """Return the part of a condition that an input makes, None if its value does not matter."""
    own = value_in(witness, name)
    yes: list[Value] = [own]
    no: list[Value] = []
    for value in distinct(values):
        if same(value, own):
            continue
        answer = holds(witness.having(name, value))
        if answer is not None:
            (yes if answer else no).append(value)
    part = separating(name, own, yes, no, tests)
    if part is None or part in tested(name, tests) or part.op not in (">", "<"):
        return part
    # No test of the code has this limit: that is of something computed from the value.
    numbers = [value for value in no if value is not ABSENT]
    if not all(type(value) is int for value in [*yes, *numbers]):
        return Conjunct(name, "is", own)
    far = beyond(yes, up=part.op == ">")
    if any(holds(witness.having(name, value)) is False for value in far):
        return Conjunct(name, "is", own)
    for value in between(yes, numbers):
        answer = holds(witness.having(name, value))
        if answer is None:
            return Conjunct(name, "is", own)
        (yes if answer else numbers).append(value)
    return separating(name, own, yes, numbers, tests)


def beyond(yes: Sequence[Value], *, up: bool) -> tuple[Value, ...]:
    """Return a near and a far number beyond some, for which something may hold no longer."""
    end = max(yes) if up else min(yes)
    far = abs(end) + 1
    return (end + 1, end + far) if up else (end - 1, end - far)


def between(yes: list[Value], no: list[Value]) -> Iterator[Value]:
    """Yield the whole numbers that lead to the limit between two sets, which grow meanwhile."""
    while True:
        ends = sorted([max(no), min(yes)] if max(no) < min(yes) else [max(yes), min(no)])
        if ends[1] - ends[0] < 2:
            return
        yield (ends[0] + ends[1]) // 2


def separating(
    name: str, own: Value, yes: Sequence[Value], no: Sequence[Value], tests: Sequence[Test] = ()
) -> Conjunct | None:
    """Return the test that separates the values for which something holds from the others."""
    if not no:
        return None
    for part in tested(name, tests):
        if all(map(part.fits, yes)) and not any(map(part.fits, no)):
            return part
    none = of_none(name, yes, no, tests)
    if none is not None:
        return none
    if all(map(is_number, [*yes, *(v for v in no if v is not ABSENT)])) and is_number(own):
        numbers = [value for value in no if value is not ABSENT]
        if numbers and max(numbers) < min(yes):
            return Conjunct(name, ">", max(numbers))
        if numbers and min(numbers) > max(yes):
            return Conjunct(name, "<", min(numbers))
    # Of an array or hash with elements most others are alike in what is asked for.
    if len(no) == 1 and len(yes) > 1 and not (isinstance(no[0], (list, dict)) and no[0]):
        return Conjunct(name, "is not", no[0])
    return Conjunct(name, "is", own)


def of_none(
    name: str, yes: Sequence[Value], no: Sequence[Value], tests: Sequence[Test]
) -> Conjunct | None:
    """Return the test for values that pass none of several tests, each of which others pass."""
    for one, several in (("is", "is none of"), ("matches", "matches none of")):
        found = dict.fromkeys(value for operator, value in tests if operator == one)
        wanted = tuple(w for w in found if not any(fits(one, w, value) for value in yes))
        part = Conjunct(name, several, wanted)
        if len(wanted) > 1 and not any(map(part.fits, no)):
            return part
    return None


def of_system(
    witness: World,
    holds: Holds,
    varying: Sequence[str],
    systems: Sequence[str],
    value_in: ValueIn,
    tests: Mapping[str, Sequence[Test]],
) -> Iterator[Conjunct]:
    """Yield the fewest facts of the system that tell where something holds from where not."""
    names = [name for name in varying if name not in witness.values]
    answers = [(witness.on(one), holds(witness.on(one))) for one in systems]
    yes = [world for world, answer in answers if answer]
    no = [world for world, answer in answers if answer is False]
    if not no:
        return
    for count in range(1, len(names) + 1):
        chosen = best(combinations(names, count), witness, yes, no, value_in, tests)
        if chosen:
            yield from chosen
            return
    yield Conjunct("facts.os.name", "is", value_in(witness, "facts.os.name"))


def best(
    groups: Iterable[tuple[str, ...]],
    witness: World,
    yes: Sequence[World],
    no: Sequence[World],
    value_in: ValueIn,
    tests: Mapping[str, Sequence[Test]],
) -> tuple[Conjunct, ...]:
    """Return the parts that hold in no other world, and in most of those where they should."""
    found: list[tuple[int, tuple[Conjunct, ...]]] = []
    for names in groups:
        choices = [list(parts_for(name, witness, no, value_in, tests)) for name in names]
        for parts in product(*choices):
            if not any(fit(parts, one, value_in) for one in no):
                found.append((sum(fit(parts, one, value_in) for one in yes), parts))
    return max(found, key=lambda pair: pair[0])[1] if found else ()


def parts_for(
    name: str,
    witness: World,
    no: Sequence[World],
    value_in: ValueIn,
    tests: Mapping[str, Sequence[Test]],
) -> Iterator[Conjunct]:
    """Yield the parts that an input may make of a condition that the witness fulfils."""
    own = value_in(witness, name)
    yield Conjunct(name, "is", own)
    yield from (part for part in tested(name, tests.get(name, ())) if part.fits(own))
    others = {repr(value_in(one, name)): value_in(one, name) for one in no}
    if len(others) == 1 and not same(own, *others.values()):
        yield Conjunct(name, "is not", *others.values())


def tested(name: str, tests: Sequence[Test]) -> Iterator[Conjunct]:
    """Yield the tests of the code as parts, and their opposites."""
    for operator, value in dict.fromkeys(tests):
        yield Conjunct(name, operator, value)
    for operator, value in dict.fromkeys(tests):
        yield Conjunct(name, OPPOSITE[operator], value)


def fit(parts: Sequence[Conjunct], world: World, value_in: ValueIn) -> bool:
    """Return whether all parts of a condition hold in a world."""
    return all(part.fits(value_in(world, part.input)) for part in parts)


def varies(name: str, systems: Sequence[str], value_in: ValueIn) -> bool:
    """Return whether an input is not the same on all systems."""
    return len({repr(value_in(World(system), name)) for system in systems}) > 1
