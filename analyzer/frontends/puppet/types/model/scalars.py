"""Scalar and ScalarData."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from analyzer.frontends.puppet.types.model.base import Guard, Type
from analyzer.frontends.puppet.types.model.numbers import (
    BooleanType,
    FloatType,
    IntegerType,
    NumericType,
)
from analyzer.frontends.puppet.types.model.rich_data import (
    SemVerRangeType,
    SemVerType,
    TimespanType,
    TimestampType,
)
from analyzer.frontends.puppet.types.model.strings import (
    EnumType,
    PatternType,
    RegexpType,
    StringType,
)
from analyzer.model.timespan import Timespan
from analyzer.model.timestamp import Timestamp
from analyzer.model.values import Regexp
from analyzer.model.versions import SemVer, SemVerRange

_DATA = (StringType, EnumType, PatternType, IntegerType, FloatType, NumericType, BooleanType)
_MORE = (RegexpType, SemVerType, SemVerRangeType, TimespanType, TimestampType)
_DATA_VALUES = frozenset((str, int, float, bool))
_VALUES = _DATA_VALUES | {Regexp, SemVer, SemVerRange, Timespan, Timestamp}


@dataclass(frozen=True, slots=True)
class ScalarDataType(Type):
    """`ScalarData`: strings, numbers and booleans."""

    simple_name: ClassVar[str] = "ScalarData"

    def instance(self, value: Any) -> bool:
        return type(value) in _DATA_VALUES

    def accepts(self, other: Type, guard: Guard | None) -> bool:
        return isinstance(other, (*_DATA, ScalarDataType))


@dataclass(frozen=True, slots=True)
class ScalarType(Type):
    """`Scalar`: ScalarData, and what is written as simply as they are."""

    simple_name: ClassVar[str] = "Scalar"

    def instance(self, value: Any) -> bool:
        return type(value) in _VALUES

    def accepts(self, other: Type, guard: Guard | None) -> bool:
        return isinstance(other, (*_DATA, *_MORE, ScalarDataType, ScalarType))


SCALAR_DATA = ScalarDataType()
SCALAR = ScalarType()
