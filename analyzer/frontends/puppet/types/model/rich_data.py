"""Timestamp, Timespan, SemVer, SemVerRange, Binary and URI."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from analyzer.frontends.puppet.types.model.base import Guard, Type
from analyzer.frontends.puppet.types.model.numbers import within
from analyzer.model.timespan import Timespan
from analyzer.model.timestamp import Timestamp
from analyzer.model.values import Binary, Regexp, Uri
from analyzer.model.versions import SemVer, SemVerRange, covers

Moment = TypeVar("Moment", Timespan, Timestamp)


@dataclass(frozen=True, slots=True)
class TimeType(Type, Generic[Moment]):
    """What Timestamp and Timespan have in common: limits."""

    low: Moment | None = None
    high: Moment | None = None

    def __post_init__(self) -> None:
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError(f"'from' must be less or equal to 'to'. Got ({self.low}, {self.high}")

    @property
    def limits(self) -> tuple[float, float]:
        """The limits in nanoseconds."""
        low = float("-inf") if self.low is None else self.low.nanoseconds
        return low, float("inf") if self.high is None else self.high.nanoseconds

    def holds(self, nanoseconds: int) -> bool:
        """Whether a moment lies between the limits."""
        low, high = self.limits
        return low <= nanoseconds <= high

    def accepts(self, other: Type, guard: Guard | None) -> bool:
        return type(other) is type(self) and within(other.limits, self.limits)

    def generalize(self) -> Type:
        return self.__class__()

    def merge(self, other: TimeType[Moment]) -> TimeType[Moment] | None:
        """Both in one, if they overlap."""
        (a, b), (c, d) = self.limits, other.limits
        if b < c or d < a:
            return None
        low = self.low if a <= c else other.low
        return self.__class__(low, self.high if b >= d else other.high)


@dataclass(frozen=True, slots=True)
class TimestampType(TimeType[Timestamp]):
    """`Timestamp[from, to]`."""

    simple_name: ClassVar[str] = "Timestamp"

    def instance(self, value: Any) -> bool:
        return isinstance(value, Timestamp) and self.holds(value.nanoseconds)


@dataclass(frozen=True, slots=True)
class TimespanType(TimeType[Timespan]):
    """`Timespan[from, to]`."""

    simple_name: ClassVar[str] = "Timespan"

    def instance(self, value: Any) -> bool:
        return isinstance(value, Timespan) and self.holds(value.nanoseconds)


@dataclass(frozen=True, slots=True)
class SemVerType(Type):
    """`SemVer[ranges]`: a version in one of them."""

    ranges: tuple[SemVerRange, ...] = ()

    simple_name: ClassVar[str] = "SemVer"

    def instance(self, value: Any) -> bool:
        return isinstance(value, SemVer) and (
            not self.ranges or any(value in each for each in self.ranges)
        )

    def accepts(self, other: Type, guard: Guard | None) -> bool:
        if not isinstance(other, SemVerType):
            return False
        if not self.ranges:
            return True
        return bool(other.ranges) and all(
            any(covers(mine, theirs) for mine in self.ranges) for theirs in other.ranges
        )


@dataclass(frozen=True, slots=True)
class SemVerRangeType(Type):
    """`SemVerRange`."""

    simple_name: ClassVar[str] = "SemVerRange"

    def instance(self, value: Any) -> bool:
        return isinstance(value, SemVerRange)


@dataclass(frozen=True, slots=True)
class BinaryType(Type):
    """`Binary`."""

    simple_name: ClassVar[str] = "Binary"

    def instance(self, value: Any) -> bool:
        return isinstance(value, Binary)


@dataclass(frozen=True, slots=True)
class URIType(Type):
    """`URI[parts]`: pairs of a part's name and what it must match."""

    parameters: tuple[tuple[str, Any], ...] = ()

    simple_name: ClassVar[str] = "URI"

    def instance(self, value: Any) -> bool:
        return isinstance(value, Uri) and all(
            matches(getattr(value, name), pattern) for name, pattern in self.parameters
        )

    def accepts(self, other: Type, guard: Guard | None) -> bool:
        if not isinstance(other, URIType):
            return False
        theirs: Mapping[str, Any] = dict(other.parameters)
        return all(
            name in theirs and _covers(pattern, theirs[name]) for name, pattern in self.parameters
        )

    def generalize(self) -> Type:
        return URI


def _covers(pattern: Any, other: Any) -> bool:
    if matches(other, pattern):
        return True
    both = isinstance(pattern, Type) and isinstance(other, Type)
    return both and pattern.assignable(other)


def matches(value: Any, pattern: Any) -> bool:
    """Puppet's `=~` and `==` in one, for the parts of a URI."""
    from analyzer.frontends.puppet.regex.translate import compiled
    from analyzer.frontends.puppet.types.model.strings import fold

    if isinstance(pattern, Type):
        return pattern.instance(value)
    if isinstance(pattern, Regexp):
        return isinstance(value, str) and bool(compiled(pattern.source).search(value))
    if isinstance(pattern, str) and isinstance(value, str):
        return fold(pattern) == fold(value)
    return type(pattern) is type(value) and bool(pattern == value)


TIMESTAMP = TimestampType()
TIMESPAN = TimespanType()
SEMVER = SemVerType()
SEMVER_RANGE = SemVerRangeType()
BINARY = BinaryType()
URI = URIType()
