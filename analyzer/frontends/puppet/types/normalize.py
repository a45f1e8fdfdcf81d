"""The shortest form of a type: choices that overlap become one (Puppet's `normalize`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from analyzer.frontends.puppet.types.assignable import assignable
from analyzer.frontends.puppet.types.model.aliases import TypeAliasType
from analyzer.frontends.puppet.types.model.base import ANY, UNDEF, Type, UndefType, change_all
from analyzer.frontends.puppet.types.model.collections import (
    ARRAY,
    COLLECTION,
    EMPTY_HASH,
    HASH,
    ArrayType,
    CollectionType,
    HashType,
)
from analyzer.frontends.puppet.types.model.numbers import FloatType, IntegerType
from analyzer.frontends.puppet.types.model.rich_data import SemVerType, TimespanType, TimestampType
from analyzer.frontends.puppet.types.model.strings import EnumType, PatternType, StringType
from analyzer.frontends.puppet.types.model.wrappers import (
    NOT_UNDEF,
    OPTIONAL,
    NotUndefType,
    OptionalType,
    VariantType,
    union,
)


def normalize(found: Type) -> Type:
    """Return the same type in its shortest form."""
    known = _NORMALIZE.get(type(found))
    return found.map(normalize) if known is None else known(found)


def _array(found: ArrayType) -> Type:
    # Puppet loses the size of an array of anything.
    return ARRAY if found.element == ANY else found.map(normalize)


def _hash(found: HashType) -> Type:
    return found if found in (HASH, EMPTY_HASH) else found.map(normalize)


def _optional(found: OptionalType) -> Type:
    inner = found.type and normalize(found.type)
    if inner is None:
        return OPTIONAL
    if isinstance(inner, NotUndefType):
        return normalize(OptionalType(inner.type))
    if assignable(inner, UNDEF):
        return inner
    return found if inner is found.type else OptionalType(inner)


def _not_undef(found: NotUndefType) -> Type:
    inner = found.type and normalize(found.type)
    if inner is None:
        return NOT_UNDEF
    if isinstance(inner, OptionalType):
        return normalize(NotUndefType(inner.type))
    if not assignable(inner, UNDEF):
        return inner
    return found if inner is found.type else NotUndefType(inner)


def _variant(found: VariantType) -> Type:
    if not found.types:
        return found
    types = change_all(found.types, normalize)
    if len(types) == 1:
        return types[0]
    if any(isinstance(each, UndefType | OptionalType) for each in types):
        inner = [each.type if isinstance(each, OptionalType) else each for each in types]
        kept = [each for each in inner if each is not None and not isinstance(each, UndefType)]
        return normalize(OptionalType(union(kept)))
    flat = _flatten(types)
    merged = flat
    for merge in _MERGES:
        merged = merge(merged) if len(merged) > 1 else merged
    if len(merged) == 1:
        return merged[0]
    if types is not found.types or len(merged) != len(flat):
        return union(merged)
    return found


def _flatten(types: Sequence[Type]) -> list[Type]:
    return [
        inner
        for each in types
        for inner in (each.types if isinstance(each, VariantType) else (each,))
    ]


def _split(types: list[Type], chosen: Callable[[Any], bool]) -> tuple[list[Any], list[Type]]:
    return [x for x in types if chosen(x)], [x for x in types if not chosen(x)]


def _not_undefs(types: list[Type]) -> list[Type]:
    found, others = _split(types, lambda x: isinstance(x, NotUndefType))
    if len(found) < 2:
        return types
    inner = union(x.type for x in found if x.type is not None)
    return [*others, normalize(NotUndefType(inner))]


def _literal(found: Type) -> bool:
    if isinstance(found, EnumType):
        return bool(found.values) and not found.any_case
    return isinstance(found, StringType) and found.value is not None


def _enums(types: list[Type]) -> list[Type]:
    found, others = _split(types, _literal)
    if len(found) < 2:
        return types
    values: list[str] = []
    for each in found:
        values += each.values if isinstance(each, EnumType) else [each.value]
    return [*others, EnumType(tuple(values))]


def _enums_of_any_case(types: list[Type]) -> list[Type]:
    found, others = _split(
        types, lambda x: isinstance(x, EnumType) and x.any_case and x.values != ()
    )
    if len(found) < 2:
        return types
    return [*others, EnumType(tuple(v.lower() for each in found for v in each.values), True)]


def _patterns(types: list[Type]) -> list[Type]:
    found, others = _split(types, lambda x: isinstance(x, PatternType))
    if len(found) < 2:
        return types
    return [*others, PatternType(tuple(dict.fromkeys(p for x in found for p in x.patterns)))]


def _versions(types: list[Type]) -> list[Type]:
    found, others = _split(types, lambda x: isinstance(x, SemVerType))
    if len(found) < 2:
        return types
    return [SemVerType(tuple(r for each in found for r in each.ranges)), *others]


def _ranges(kind: type[Type]) -> Callable[[list[Type]], list[Type]]:
    def merge(types: list[Type]) -> list[Type]:
        found, others = _split(types, lambda x: isinstance(x, kind))
        return [*merge_ranges(found), *others] if len(found) > 1 else types

    return merge


def merge_ranges(ranges: list[Any]) -> list[Any]:
    """Return ranges, those that overlap as one; from the last on, as Puppet does."""
    result = []
    while ranges:
        *rest, whole = ranges
        ranges = []
        for each in [*rest, whole]:
            merged = whole.merge(each)
            if merged is None:
                ranges.append(each)
            else:
                whole = merged
        result.append(whole)
    return result


_MERGES: tuple[Callable[[list[Type]], list[Type]], ...] = (
    _not_undefs,
    _enums,
    _enums_of_any_case,
    _patterns,
    _versions,
    _ranges(IntegerType),
    _ranges(FloatType),
    _ranges(TimespanType),
    _ranges(TimestampType),
)
_NORMALIZE: dict[type[Type], Callable[[Any], Type]] = {
    ArrayType: _array,
    CollectionType: lambda found: COLLECTION,
    HashType: _hash,
    NotUndefType: _not_undef,
    OptionalType: _optional,
    # Only the meaning of an alias could be changed: it stays as it is.
    TypeAliasType: lambda found: found,
    VariantType: _variant,
}
