"""Numeric, Integer, Float and Boolean."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import ClassVar, TypeVar

from analyzer.frontends.puppet.types.model.base import Type

Limit = TypeVar("Limit", int, float)


@dataclass(frozen=True, slots=True)
class NumericType(Type):
    """`Numeric`."""

    simple_name: ClassVar[str] = "Numeric"


@dataclass(frozen=True, slots=True)
class RangeType(Type):
    """A type of numbers with limits; None stands for no limit."""

    low: float | None = None
    high: float | None = None

    def __post_init__(self) -> None:
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError(f"'from' must be less or equal to 'to'. Got ({self.low}, {self.high}")

    @property
    def limits(self) -> tuple[float, float]:
        """Return the least and greatest value, infinite where there is no limit."""
        return -inf if self.low is None else self.low, inf if self.high is None else self.high


@dataclass(frozen=True, slots=True)
class IntegerType(RangeType):
    """`Integer[low, high]`; None stands for no limit. Sizes are such types, too."""

    low: int | None = None
    high: int | None = None

    simple_name: ClassVar[str] = "Integer"

    @property
    def finite(self) -> bool:
        """Return whether it has both limits."""
        return self.low is not None and self.high is not None

    def merge(self, other: IntegerType) -> IntegerType | None:
        """Return both in one, if they overlap or touch."""
        (a, b), (c, d) = self.limits, other.limits
        if (b < c or d < a) and b + 1 != c and d + 1 != a:
            return None
        return IntegerType(lowest(self.low, other.low), highest(self.high, other.high))

    def holds(self, number: int) -> bool:
        """Return whether a number is between the limits."""
        return (self.low is None or number >= self.low) and (
            self.high is None or number <= self.high
        )

    def as_size(self) -> IntegerType:
        """Return the same limits as those of a size, which is never negative."""
        if self.low is not None and self.low >= 0:
            return self
        return IntegerType(0, None if self.high is None else max(self.high, 0))


@dataclass(frozen=True, slots=True)
class FloatType(RangeType):
    """`Float[low, high]`; None stands for no limit."""

    simple_name: ClassVar[str] = "Float"

    def merge(self, other: FloatType) -> FloatType | None:
        """Return both in one, if they overlap."""
        (a, b), (c, d) = self.limits, other.limits
        if b < c or d < a:
            return None
        return FloatType(lowest(self.low, other.low), highest(self.high, other.high))


@dataclass(frozen=True, slots=True)
class BooleanType(Type):
    """`Boolean[value]`; None stands for either value."""

    value: bool | None = None

    simple_name: ClassVar[str] = "Boolean"


def within(inner: tuple[float, float], outer: tuple[float, float]) -> bool:
    """Return whether a range lies in another."""
    return outer[0] <= inner[0] and outer[1] >= inner[1]


def lowest(a: Limit | None, b: Limit | None) -> Limit | None:
    """Return the lower of two lower limits."""
    return None if a is None or b is None else min(a, b)


def highest(a: Limit | None, b: Limit | None) -> Limit | None:
    """Return the higher of two upper limits."""
    return None if a is None or b is None else max(a, b)


NUMERIC = NumericType()
INTEGER = IntegerType()
FLOAT = FloatType()
BOOLEAN = BooleanType()
TRUE = BooleanType(True)
FALSE = BooleanType(False)
ANY_SIZE = IntegerType(0)
NOT_EMPTY = IntegerType(1)
ZERO_SIZE = IntegerType(0, 0)
