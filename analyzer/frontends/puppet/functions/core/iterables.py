"""Values that can be iterated over, and Iterators, as in Puppet's Iterable module.

Functions that take one element after the other use up an Iterator, as in Puppet; those that leave
iteration to Ruby begin anew where Puppet's kind of Iterator can.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from itertools import islice
from typing import Any

from analyzer.frontends.puppet.evaluate.errors import BreakJump, EvaluationError
from analyzer.frontends.puppet.types.model.base import UNIT, Type
from analyzer.frontends.puppet.types.model.numbers import IntegerType
from analyzer.frontends.puppet.types.model.strings import EnumType, StringType
from analyzer.frontends.puppet.types.model.wrappers import Iteration, union
from analyzer.model.keys import keys_of, of_key, pairs_of
from analyzer.model.values import Value

# Numbers of a range that a compile goes through; Puppet would need minutes for them.
MOST_STEPS = 1_000_000


class Series(Iteration):
    """An Iterator; `make` begins it anew, `pairs` if its elements are the entries of a hash.

    `count` is the number of elements, where it is known beforehand.
    """

    __slots__ = ("count", "make", "pairs")

    def __init__(
        self,
        make: Callable[[], Iterator[Value]],
        count: int | None = None,
        element_type: Type | None = None,
        pairs: bool = False,
    ) -> None:
        super().__init__(make(), element_type)
        self.make = make
        self.count = count
        self.pairs = pairs

    def again(self, one: bool = False) -> Iterable[Value]:
        """Return the elements for a function that leaves iteration to Ruby.

        `one`: its block takes only one of the values when several are given at once.
        """
        return self.make()

    def sliced(self, size: int) -> Iterator[list[Value]]:
        """Return the elements in arrays of a size."""
        found = iter(self.again())
        return iter(lambda: list(islice(found, size)), [])

    def reverse(self) -> Series:
        """Return the elements from the last on."""
        return Series(lambda: reversed(list(self.make())), self.count, self.element_type)

    def step(self, size: int) -> Series:
        """Return each first of so many elements."""
        return self if size == 1 else Steps(self, size)


class Limited(Series):
    """An Iterator whose slices Ruby makes no larger than what it says its size is."""

    __slots__ = ()

    def sliced(self, size: int) -> Iterator[list[Value]]:
        return super().sliced(size if self.count is None else min(size, self.count) or sys.maxsize)


class Steps(Limited):
    """Each first of so many elements of another Iterator; it can not begin anew."""

    __slots__ = ()

    def __init__(self, series: Series, size: int) -> None:
        elements = islice(iter(series), 0, None, size)
        count = None if series.count is None else series.count // size
        super().__init__(lambda: elements, count, series.element_type)

    def again(self, one: bool = False) -> Iterable[Value]:
        """Return the elements; Ruby takes an array for several values that are given at once."""
        return (given(element, one) for element in self)

    def reverse(self) -> Series:
        elements = list(self.again())[::-1]
        return Series(lambda: iter(elements), len(elements), self.element_type)


def given(element: object, one: bool) -> Value:
    """Return the arguments of a block for an element that is taken for several values."""
    if element is None or not isinstance(element, (list, dict)):
        return element
    values = list(element) if isinstance(element, list) else pairs_of(element)
    return values if len(values) > 1 and not one else next(iter(values), None)


class Range(Limited):
    """Integers, upwards or downwards."""

    __slots__ = ("first", "last", "size")

    def __init__(self, first: int, last: int, size: int = 1) -> None:
        whole = range(first, last + 1, size) if size > 0 else range(last, first - 1, size)
        # Who leaves the iteration early may have a range of any length.
        numbers = iter(whole) if len_of(whole) <= MOST_STEPS else given_up(whole)
        # One too few, as in Puppet.
        count = (last - first) // abs(size)
        super().__init__(lambda: numbers, count, IntegerType(first, last))
        self.first, self.last, self.size = first, last, size

    def reverse(self) -> Series:
        return Range(self.first, self.last, -self.size)

    def step(self, size: int) -> Series:
        if size == 1:
            return self
        first, last, step = self.first, self.last, self.size * size
        rest = (last - first) % step
        return Range(first - min(rest, 0), last - max(rest, 0), step)


def len_of(whole: range) -> int:
    """Return how many numbers a range has, which may be more than `len` can tell."""
    return max(0, (whole.stop - whole.start + whole.step - (whole.step > 0 or -1)) // whole.step)


def given_up(whole: range) -> Iterator[int]:
    """Yield the numbers of a range that is too long to go through.

    Raises:
        EvaluationError: that many were taken.
    """
    yield from islice(whole, MOST_STEPS)
    raise EvaluationError(
        f"the iteration over {len_of(whole):,} values is stopped after {MOST_STEPS:,}, the most "
        "that catgraph goes through; no option raises this limit"
    )


def series(value: Any) -> Series:
    """Return the Iterator over a value that is iterable."""
    match value:
        case Series():
            return value
        case Iteration():
            return Series(lambda: iter(value))
        case int():
            return Range(0, value - 1) if value else series([])
        case dict():
            return Series(
                lambda: ([of_key(key), one] for key, one in value.items()), len(value), pairs=True
            )
        case IntegerType(low=int(low), high=int(high)):
            return Range(low, high)
        case EnumType():
            return Series(lambda: iter(value.values), len(value.values), value)
    resolved = getattr(value, "resolved", None)
    return Series(lambda: iter(value), len(value)) if resolved is None else series(resolved)


def typed(value: object) -> Series:
    """Return the Iterator over a value with the type of its elements."""
    from analyzer.frontends.puppet.types.infer import infer_set
    from analyzer.frontends.puppet.types.model.collections import TupleType

    found = series(value)
    if isinstance(value, list):
        found.element_type = union(map(infer_set, value)) if value else UNIT
    elif isinstance(value, dict) and value:
        keys, values = (union(map(infer_set, part)) for part in (keys_of(value), value.values()))
        found.element_type = TupleType((keys, values))
    elif isinstance(value, str):
        found.element_type = StringType(IntegerType(1, 1))
    return found


def elements(value: object) -> Iterable[Any]:
    """Return the elements of a value, using up an Iterator."""
    return value if type(value) is list else series(value)


def fresh(value: object, one: bool = False) -> Iterable[Any]:
    """Return the elements for a function that leaves iteration to Ruby."""
    return value if type(value) is list else series(value).again(one)


def ends_at_break(value: object) -> AbstractContextManager[None]:
    """Return a function that ends at a `break` where Ruby's iteration over a value does."""
    limited = not isinstance(value, (list, dict)) and isinstance(series(value), Limited)
    return suppress(BreakJump) if limited else nullcontext()


def has_pairs(value: object) -> bool:
    """Return whether iteration gives the entries of a hash."""
    return isinstance(value, dict) or (isinstance(value, Series) and value.pairs)
