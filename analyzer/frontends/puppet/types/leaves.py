"""The rows of `assignable` for types that are not made of other types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from analyzer.frontends.puppet.regex.translate import compiled
from analyzer.frontends.puppet.types.model.aliases import Guard, TypeReferenceType
from analyzer.frontends.puppet.types.model.base import (
    AnyType,
    DefaultType,
    ScalarDataType,
    ScalarType,
    Type,
    UndefType,
    UnitType,
)
from analyzer.frontends.puppet.types.model.catalog import (
    CatalogEntryType,
    ClassType,
    ResourceType,
    RuntimeType,
)
from analyzer.frontends.puppet.types.model.numbers import (
    ANY_SIZE,
    BooleanType,
    FloatType,
    IntegerType,
    NumericType,
    within,
)
from analyzer.frontends.puppet.types.model.objects import (
    OBJECT,
    TYPE_SET,
    ObjectType,
    ParameterizedObject,
    TypeSetType,
)
from analyzer.frontends.puppet.types.model.rich_data import (
    BinaryType,
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
    fold,
)
from analyzer.model.values import Regexp
from analyzer.model.versions import covers

# Whether a type accepts another, which is not made of types; the guard is for recursive aliases.
Accepts = Callable[[Any, Type, Guard | None], bool]


def _range(target: Any, other: Any, guard: Guard | None) -> bool:
    return type(other) is type(target) and within(other.limits, target.limits)


def _string(target: StringType, other: Type, guard: Guard | None) -> bool:
    if target.size is not None:
        sizes = sizes_of(other)
        return sizes is not None and within(sizes, target.size.limits)
    if isinstance(other, StringType):
        return target.value is None or (other.size is None and target.value == other.value)
    if isinstance(other, EnumType):
        # Puppet takes any Enum of one value here.
        return target.value is None or (len(other.values) == 1 and not other.any_case)
    return isinstance(other, PatternType) and target.value is None


def sizes_of(other: Type) -> tuple[float, float] | None:
    """Return the least and greatest length of a type's strings; None if it has no strings."""
    if isinstance(other, StringType):
        if other.size is not None:
            return other.size.limits
        length = None if other.value is None else len(other.value)
        return ANY_SIZE.limits if length is None else (length, length)
    if isinstance(other, EnumType) and other.values:
        lengths = [len(value) for value in other.values]
        return min(lengths), max(lengths)
    return ANY_SIZE.limits if isinstance(other, EnumType | PatternType) else None


def in_enum(found: EnumType, value: str) -> bool:
    """Return whether a string is one of an Enum."""
    if not found.any_case:
        return value in found.values
    folded = fold(value)
    return any(fold(each) == folded for each in found.values)


def _enum(target: EnumType, other: Type, guard: Guard | None) -> bool:
    if isinstance(other, StringType):
        return not target.values or (other.value is not None and in_enum(target, other.value))
    if isinstance(other, PatternType):
        return not target.values
    if not isinstance(other, EnumType):
        return False
    if not target.values or target == other:
        return True
    if not other.values or (other.any_case and not target.any_case):
        return False
    return all(in_enum(target, each) for each in other.values)


def in_pattern(found: PatternType, value: str) -> bool:
    """Return whether a string matches a Pattern."""
    return not found.patterns or any(compiled(each).search(value) for each in found.patterns)


def _pattern(target: PatternType, other: Type, guard: Guard | None) -> bool:
    if isinstance(other, StringType):
        return not target.patterns if other.value is None else in_pattern(target, other.value)
    if isinstance(other, EnumType):
        if not other.values:
            return not target.patterns
        return all(in_pattern(target, each) for each in other.values)
    return isinstance(other, PatternType) and (not target.patterns or target == other)


def _regexp(target: RegexpType, other: Type, guard: Guard | None) -> bool:
    return isinstance(other, RegexpType) and target.pattern in (None, other.pattern)


def _boolean(target: BooleanType, other: Type, guard: Guard | None) -> bool:
    return isinstance(other, BooleanType) and target.value in (None, other.value)


def _semver(target: SemVerType, other: Type, guard: Guard | None) -> bool:
    if not isinstance(other, SemVerType):
        return False
    if not target.ranges:
        return True
    return bool(other.ranges) and all(
        any(covers(mine, theirs) for mine in target.ranges) for theirs in other.ranges
    )


def matches_part(pattern: object, part: object) -> bool:
    """Return whether a part of a URI matches a text, a regular expression or a number."""
    if isinstance(pattern, Regexp):
        return isinstance(part, str) and bool(compiled(pattern.source).search(part))
    if isinstance(pattern, str) and isinstance(part, str):
        return fold(pattern) == fold(part)
    return type(pattern) is type(part) and bool(pattern == part)


def _class(target: ClassType, other: Type, guard: Guard | None) -> bool:
    return isinstance(other, ClassType) and target.class_name in (None, other.class_name)


def _resource(target: ResourceType, other: Type, guard: Guard | None) -> bool:
    if not isinstance(other, ResourceType):
        return False
    if target.type_name is None:
        return True
    same = target.folded_name == other.folded_name
    return same and target.title in (None, other.title)


def _runtime(target: RuntimeType, other: Type, guard: Guard | None) -> bool:
    if not isinstance(other, RuntimeType) or target.runtime not in (None, other.runtime):
        return False
    return target.pattern is None or target.pattern == other.pattern


def _object(target: ObjectType, other: Type, guard: Guard | None) -> bool:
    if isinstance(other, ParameterizedObject):
        other = other.base
    if not isinstance(other, ObjectType):
        return False
    return target == OBJECT or any(each == target for each in other.ancestors())


def _any_of(*kinds: type[Type]) -> Accepts:
    """Return a row that accepts types of these classes."""
    return lambda target, other, guard: isinstance(other, kinds)


_DATA = (
    *(StringType, EnumType, PatternType, IntegerType, FloatType, NumericType, BooleanType),
    ScalarDataType,
)


def _same_kind(target: Type, other: Type, guard: Guard | None) -> bool:
    return type(other) is type(target)


LEAVES: dict[type[Type], Accepts] = {
    AnyType: lambda target, other, guard: True,
    BinaryType: _same_kind,
    BooleanType: _boolean,
    CatalogEntryType: _any_of(CatalogEntryType),
    ClassType: _class,
    DefaultType: _same_kind,
    EnumType: _enum,
    FloatType: _range,
    IntegerType: _range,
    NumericType: _any_of(NumericType, IntegerType, FloatType),
    ObjectType: _object,
    PatternType: _pattern,
    RegexpType: _regexp,
    ResourceType: _resource,
    RuntimeType: _runtime,
    ScalarDataType: _any_of(*_DATA),
    ScalarType: _any_of(
        *(*_DATA, ScalarType, RegexpType, SemVerType, SemVerRangeType),
        *(TimespanType, TimestampType),
    ),
    SemVerRangeType: _same_kind,
    SemVerType: _semver,
    StringType: _string,
    TimespanType: _range,
    TimestampType: _range,
    TypeReferenceType: lambda target, other, guard: target == other,
    TypeSetType: lambda target, other, guard: (
        isinstance(other, TypeSetType) and target in (TYPE_SET, other)
    ),
    UndefType: _same_kind,
    UnitType: lambda target, other, guard: True,
}
