"""Timestamp, Timespan, SemVer, SemVerRange, Binary and URI."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from analyzer.frontends.puppet.types.model.base import Type
from analyzer.model.timespan import Timespan
from analyzer.model.timestamp import Timestamp
from analyzer.model.values import Value
from analyzer.model.versions import SemVerRange

Moment = TypeVar("Moment", Timespan, Timestamp)


@dataclass(frozen=True, slots=True)
class TimeType(Type, Generic[Moment]):
    """The base of Timestamp and Timespan: limits."""

    low: Moment | None = None
    high: Moment | None = None

    def __post_init__(self) -> None:
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError(f"'from' must be less or equal to 'to'. Got ({self.low}, {self.high}")

    @property
    def limits(self) -> tuple[float, float]:
        """Return the limits in nanoseconds."""
        low = float("-inf") if self.low is None else self.low.nanoseconds
        return low, float("inf") if self.high is None else self.high.nanoseconds

    def holds(self, nanoseconds: int) -> bool:
        """Return whether a moment lies between the limits."""
        low, high = self.limits
        return low <= nanoseconds <= high

    def merge(self, other: TimeType[Moment]) -> TimeType[Moment] | None:
        """Return both in one, if they overlap."""
        (a, b), (c, d) = self.limits, other.limits
        if b < c or d < a:
            return None
        low = self.low if a <= c else other.low
        return self.__class__(low, self.high if b >= d else other.high)


@dataclass(frozen=True, slots=True)
class TimestampType(TimeType[Timestamp]):
    """`Timestamp[from, to]`."""

    simple_name: ClassVar[str] = "Timestamp"


@dataclass(frozen=True, slots=True)
class TimespanType(TimeType[Timespan]):
    """`Timespan[from, to]`."""

    simple_name: ClassVar[str] = "Timespan"


@dataclass(frozen=True, slots=True)
class SemVerType(Type):
    """`SemVer[ranges]`: a version in one of them."""

    ranges: tuple[SemVerRange, ...] = ()

    simple_name: ClassVar[str] = "SemVer"


@dataclass(frozen=True, slots=True)
class SemVerRangeType(Type):
    """`SemVerRange`."""

    simple_name: ClassVar[str] = "SemVerRange"


@dataclass(frozen=True, slots=True)
class BinaryType(Type):
    """`Binary`."""

    simple_name: ClassVar[str] = "Binary"


@dataclass(frozen=True, slots=True)
class URIType(Type):
    """`URI[parts]`: pairs of a part's name and the pattern it must match."""

    parameters: tuple[tuple[str, Value], ...] = ()

    simple_name: ClassVar[str] = "URI"


TIMESTAMP = TimestampType()
TIMESPAN = TimespanType()
SEMVER = SemVerType()
SEMVER_RANGE = SemVerRangeType()
BINARY = BinaryType()
URI = URIType()
