"""Whether every value of one type is of another (Puppet's `assignable?`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from analyzer.frontends.puppet.types.generalize import generalize
from analyzer.frontends.puppet.types.leaves import LEAVES, Accepts, matches_part
from analyzer.frontends.puppet.types.model.aliases import Guard, TypeAliasType
from analyzer.frontends.puppet.types.model.base import (
    ANY,
    UNDEF,
    AnyType,
    ContainingType,
    Type,
    UnitType,
)
from analyzer.frontends.puppet.types.model.builtin import RICH_DATA
from analyzer.frontends.puppet.types.model.callables import CallableType
from analyzer.frontends.puppet.types.model.collections import (
    EMPTY_HASH,
    ArrayType,
    CollectionType,
    HashType,
    StructType,
    TupleType,
    exactly,
)
from analyzer.frontends.puppet.types.model.numbers import IntegerType, within
from analyzer.frontends.puppet.types.model.objects import InitType, ParameterizedObject
from analyzer.frontends.puppet.types.model.rich_data import URIType
from analyzer.frontends.puppet.types.model.strings import RegexpType, StringType
from analyzer.frontends.puppet.types.model.wrappers import (
    IterableType,
    IteratorType,
    NotUndefType,
    OptionalType,
    SensitiveType,
    TypeType,
    VariantType,
)
from analyzer.frontends.puppet.types.traits import is_iterable, iterated
from analyzer.model.values import Regexp


def assignable(target: Type, other: Type, guard: Guard | None = None) -> bool:
    """Return whether every value of `other` is of the type `target`."""
    if type(target) is TypeAliasType:
        return _alias(target, other, guard)
    parts = _PARTS.get(type(other))
    if parts is not None:
        return parts(target, other, guard)
    return ACCEPTS[type(target)](target, other, guard)


def _alias(target: Any, other: Type, guard: Guard | None) -> bool:
    if not target.recursive:
        return _fits(target, other, guard)
    guard = guard or Guard()
    if guard.add_this(target):
        return guard.that_recurs or _fits(target, other, guard)
    result = _fits(target, other, guard)
    guard.remove_this(target)
    return result


def _fits(target: Type, other: Type, guard: Guard | None) -> bool:
    parts = _PARTS.get(type(other))
    return (ACCEPTS[type(target)] if parts is None else parts)(target, other, guard)


def _of_optional(target: Type, other: OptionalType, guard: Guard | None) -> bool:
    return assignable(target, UNDEF) and (other.type is None or assignable(target, other.type))


def _of_not_undef(target: Type, other: NotUndefType, guard: Guard | None) -> bool:
    if other.type is None or assignable(other.type, UNDEF):
        return ACCEPTS[type(target)](target, other, guard)
    return assignable(target, other.type, guard)


def _of_variant(target: Type, other: VariantType, guard: Guard | None) -> bool:
    if type(target) is AnyType or type(target) is UnitType:
        return True
    if isinstance(target, VariantType) and not target.types:
        # Puppet takes any choice here, but no single type.
        return True
    if isinstance(target, NotUndefType) and not other.types:
        return ACCEPTS[type(target)](target, other, guard)
    return bool(other.types) and all(assignable(target, each, guard) for each in other.types)


def _of_alias(target: Type, other: TypeAliasType, guard: Guard | None) -> bool:
    if not other.recursive:
        return assignable(target, other.resolved, guard)
    guard = guard or Guard()
    if guard.add_that(other):
        return True
    return assignable(target, other.resolved, guard)


_PARTS: dict[type[Type], Callable[[Type, Any, Guard | None], bool]] = {
    NotUndefType: _of_not_undef,
    OptionalType: _of_optional,
    TypeAliasType: _of_alias,
    UnitType: lambda target, other, guard: True,
    VariantType: _of_variant,
}


def _uri(target: URIType, other: Type, guard: Guard | None) -> bool:
    if not isinstance(other, URIType):
        return False
    theirs = dict(other.parameters)
    return all(
        name in theirs and _part_fits(pattern, theirs[name]) for name, pattern in target.parameters
    )


def _part_fits(pattern: object, part: object) -> bool:
    """Return whether a part of a URI or Object, a value or a type, is as a type asks for."""
    if not isinstance(pattern, Type):
        return matches_part(pattern, part)
    if isinstance(part, Type):
        return assignable(pattern, TypeType(part)) or assignable(pattern, part)
    literal = _LITERALS.get(type(part))
    return literal is not None and assignable(pattern, literal(part))


_LITERALS: dict[type, Callable[[Any], Type]] = {
    int: lambda part: IntegerType(part, part),
    Regexp: lambda part: RegexpType(part.source),
    str: lambda part: StringType(value=part),
    type(None): lambda part: UNDEF,
}


def _collection(target: CollectionType, other: Type, guard: Guard | None) -> bool:
    if isinstance(other, CollectionType):
        return within(other.sizes.limits, target.sizes.limits)
    if isinstance(other, TupleType):
        return within((other.size or exactly(len(other.types))).limits, target.sizes.limits)
    return isinstance(other, StructType) and target.sizes.holds(len(other.elements))


def _array(target: ArrayType, other: Type, guard: Guard | None) -> bool:
    if isinstance(other, TupleType):
        sizes = other.size or exactly(len(other.types))
        return within(sizes.limits, target.sizes.limits) and all(
            assignable(target.element, each, guard) for each in other.types
        )
    return (
        isinstance(other, ArrayType)
        and within(other.sizes.limits, target.sizes.limits)
        and assignable(target.element, other.element, guard)
    )


def _hash(target: HashType, other: Type, guard: Guard | None) -> bool:
    if isinstance(other, HashType):
        if not target.sizes.low and other == EMPTY_HASH:
            return True
        return (
            assignable(target.key, other.key, guard)
            and assignable(target.value, other.value, guard)
            and within(other.sizes.limits, target.sizes.limits)
        )
    return (
        isinstance(other, StructType)
        and target.sizes.holds(len(other.elements))
        and all(
            assignable(target.key, StringType(value=each.name))
            and assignable(target.value, each.value, guard)
            for each in other.elements
        )
    )


def _tuple(target: TupleType, other: Type, guard: Guard | None) -> bool:
    if target == other:
        return True
    if not isinstance(other, TupleType | ArrayType):
        return False
    if not within(other.sizes.limits, target.sizes.limits):
        return False
    if isinstance(other, ArrayType):
        count = int(min(len(target.types), other.sizes.limits[1]))
        return all(assignable(target.at(index), other.element, guard) for index in range(count))
    if not target.types:
        return True
    if not other.types:
        return target.sizes.low == 0
    return all(assignable(target.at(index), each, guard) for index, each in enumerate(other.types))


def _struct(target: StructType, other: Type, guard: Guard | None) -> bool:
    if isinstance(other, HashType):
        return _struct_of_hash(target, other, guard)
    if not isinstance(other, StructType):
        return False
    theirs = other.by_name()
    matched = 0
    for mine in target.elements:
        found = theirs.get(mine.name)
        if found is None:
            if mine.required:
                return False
            continue
        matched += 1
        if not assignable(mine.key, found.key, guard):
            return False
        if not assignable(mine.value, found.value, guard):
            return False
    return matched == len(theirs)


def _struct_of_hash(target: StructType, other: HashType, guard: Guard | None) -> bool:
    required = [each for each in target.elements if each.required]
    for each in required:
        if not assignable(each.value, other.value, guard):
            return False
        if not assignable(generalize(each.key), other.key):
            return False
    return within(other.sizes.limits, (len(required), len(target.elements)))


def _callable(target: CallableType, other: Type, guard: Guard | None) -> bool:
    if not isinstance(other, CallableType):
        return False
    if target.returns is not None and not assignable(target.returns, other.returns or ANY, guard):
        return False
    if target.params is None:
        return True
    if other.params is None or not assignable(other.params, target.params, guard):
        return False
    return assignable(other.block or UNDEF, target.block or UNDEF, guard)


def _optional(target: OptionalType, other: Type, guard: Guard | None) -> bool:
    return target.type is None or other is UNDEF or assignable(target.type, other, guard)


def _not_undef(target: NotUndefType, other: Type, guard: Guard | None) -> bool:
    if assignable(other, UNDEF, guard):
        return False
    return target.type is None or assignable(target.type, other, guard)


def _inner(target: ContainingType, other: Type, guard: Guard | None) -> bool:
    """Return whether two types of one kind are around types that fit."""
    if type(other) is not type(target) or not isinstance(other, ContainingType):
        return False
    if target.type is None:
        return True
    return other.type is not None and assignable(target.type, other.type, guard)


def _init(target: InitType, other: Type, guard: Guard | None) -> bool:
    if isinstance(other, InitType):
        return target.type is None or (
            other.type is not None and assignable(target.type, other.type, guard)
        )
    if target.type is None:
        return assignable(RICH_DATA, other, guard)
    inner = target.type
    return target.once(other, lambda: _is_accepted(target, inner, other, guard), False)


def _is_accepted(target: InitType, inner: Type, other: Type, guard: Guard | None) -> bool:
    single, others = target.accepted()
    if assignable(inner, other, guard) or assignable(single, other, guard):
        return True
    return any(
        assignable(each, other, guard)
        or (each.sizes.low == 1 and assignable(each, TupleType((other,))))
        for each in others
    )


def _variant(target: VariantType, other: Type, guard: Guard | None) -> bool:
    return any(assignable(each, other, guard) for each in target.types)


def _iterable(target: IterableType, other: Type, guard: Guard | None) -> bool:
    if target.type is None or assignable(target.type, ANY, guard):
        return is_iterable(other)
    found = iterated(other)
    return found is not None and assignable(target.type, found, guard)


def _parameterized(target: ParameterizedObject, other: Type, guard: Guard | None) -> bool:
    if not assignable(target.base, other, guard) or not isinstance(other, ParameterizedObject):
        return False
    given = dict(other.parameters)
    return all(
        name in given and _part_fits(pattern, given[name]) for name, pattern in target.parameters
    )


ACCEPTS: dict[type[Type], Accepts] = {
    **LEAVES,
    ArrayType: _array,
    CallableType: _callable,
    CollectionType: _collection,
    HashType: _hash,
    InitType: _init,
    IterableType: _iterable,
    IteratorType: _inner,
    NotUndefType: _not_undef,
    OptionalType: _optional,
    ParameterizedObject: _parameterized,
    SensitiveType: _inner,
    StructType: _struct,
    TupleType: _tuple,
    TypeAliasType: lambda target, other, guard: assignable(target.resolved, other, guard),
    TypeType: _inner,
    URIType: _uri,
    VariantType: _variant,
}
