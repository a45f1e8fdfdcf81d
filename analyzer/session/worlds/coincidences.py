"""Values that code does not distinguish: with another one, a coincidence does not occur."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from analyzer.frontends.puppet.worlds.outcomes import Place
from analyzer.frontends.puppet.worlds.tests import ABSENT, Value, is_number, same

# The characters that make a text another one; a text of letters, or of digits, allows one. Alone,
# one is a text that has no character twice, which a loop would declare twice.
ADDED = "x1"

Taken = Mapping[Place, frozenset[int]]


def alternatives(
    name: str, values: Mapping[str, Value], asked: Mapping[str, Sequence[Value]]
) -> Iterator[Value]:
    """Yield other values of an input: like its own, or any if another input has the same value."""
    own = values[name]
    yield from neighbours(own)
    if any(same(own, value) for other, value in values.items() if other != name):
        yield from (one for one in asked.get(name, ()) if one is not ABSENT and not same(one, own))


def neighbours(value: Value) -> Iterator[Value]:
    """Yield values like a value: longer, or one more; a text in place of true."""
    if value is True:
        yield ADDED
    elif isinstance(value, str):
        for one in ADDED:
            yield from (value + one, one + value, one)
    elif is_number(value):
        yield value + 1
    elif isinstance(value, list) and value:
        yield from ([one, *value[1:]] for one in neighbours(value[0]))


def is_alike(taken: Taken, other: Taken) -> bool:
    """Return whether a compile took all arms of another one."""
    return all(arms <= other.get(place, frozenset()) for place, arms in taken.items())
