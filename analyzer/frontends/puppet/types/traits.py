"""Decides whether values of a type can be iterated over or called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from analyzer.frontends.puppet.types.model.aliases import TypeAliasType
from analyzer.frontends.puppet.types.model.base import ANY, UNIT, Type
from analyzer.frontends.puppet.types.model.callables import CallableType
from analyzer.frontends.puppet.types.model.collections import (
    EMPTY_HASH,
    HASH,
    ArrayType,
    CollectionType,
    HashType,
    StructType,
    TupleType,
    exactly,
)
from analyzer.frontends.puppet.types.model.numbers import INTEGER, IntegerType
from analyzer.frontends.puppet.types.model.strings import EnumType, StringType
from analyzer.frontends.puppet.types.model.wrappers import (
    IterableType,
    IteratorType,
    OptionalType,
    TypeType,
    VariantType,
    union,
)

_CHARACTER = StringType(IntegerType(1, 1))


def is_callable(found: Type) -> bool:
    """Return whether a type is a Callable, an Optional one or a choice of them."""
    if isinstance(found, OptionalType):
        return found.type is not None and is_callable(found.type)
    if isinstance(found, VariantType):
        return all(map(is_callable, found.types))
    if isinstance(found, TypeAliasType):
        return not found.recursive and is_callable(found.resolved)
    return isinstance(found, CallableType)


def is_iterable(found: Type) -> bool:
    """Return whether values of a type can be iterated over."""
    if isinstance(found, TypeAliasType):
        return is_iterable(found.resolved)
    return type(found) is CollectionType or _iterated(found) is not None


def iterated(found: Type) -> Type | None:
    """Return the type that iteration gives; None if there is none, or it is anything."""
    made = _iterated(found)
    return None if made == ANY else made


def _iterated(found: Type) -> Type | None:
    """Return the type that iteration gives, Any included; None if there is none."""
    known = _ITERATED.get(type(found))
    return None if known is None else known(found)


def _type(found: TypeType) -> Type | None:
    inner = found.type
    finite = isinstance(inner, IntegerType) and inner.finite
    return inner if finite or isinstance(inner, EnumType) else None


def _hash(found: HashType) -> Type:
    if found in (HASH, EMPTY_HASH):
        return TupleType((UNIT, UNIT), exactly(2))
    return TupleType((found.key, found.value), exactly(2))


def _struct(found: StructType) -> Type:
    if not found.elements:
        return TupleType((UNIT, UNIT), exactly(2))
    keys = union(each.key for each in found.elements)
    return TupleType((keys, union(each.value for each in found.elements)), exactly(2))


_ITERATED: dict[type[Type], Callable[[Any], Type | None]] = {
    ArrayType: lambda found: found.element,
    EnumType: lambda found: _CHARACTER,
    HashType: _hash,
    IntegerType: lambda found: INTEGER,
    IterableType: lambda found: found.type or ANY,
    IteratorType: lambda found: found.type or ANY,
    StringType: lambda found: _CHARACTER,
    StructType: _struct,
    TupleType: lambda found: union(found.types),
    TypeAliasType: lambda found: _iterated(found.resolved),
    TypeType: _type,
}
