"""The types that values with something Unknown in them may be of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeGuard

from analyzer.frontends.puppet.types.assignable import assignable
from analyzer.frontends.puppet.types.instance import instance
from analyzer.frontends.puppet.types.model.aliases import TypeAliasType, why_opaque
from analyzer.frontends.puppet.types.model.base import ANY, Type
from analyzer.frontends.puppet.types.model.collections import (
    ArrayType,
    HashType,
    StructType,
    TupleType,
)
from analyzer.frontends.puppet.types.model.strings import STRING, EnumType, PatternType, StringType
from analyzer.frontends.puppet.types.model.wrappers import (
    IterableType,
    NotUndefType,
    OptionalType,
    SensitiveType,
    VariantType,
)
from analyzer.model.keys import keys_of
from analyzer.model.unknowns import find_unknown
from analyzer.model.values import Sensitive, Unknown, Value

# Whether a value is of a type: yes, no, or the Unknown that decides it.
Verdict = bool | Unknown


def is_instance(expected: Type, value: object) -> bool:
    """Return whether a value is of a type, or may be, because of something Unknown in it."""
    if instance(expected, value):
        return True
    return find_unknown((value,)) is not None and fits(expected, value) is not False


def matches_type(expected: Type, value: object) -> Verdict:
    """Return whether a value is of a type as a condition asks, or the Unknown that decides.

    A part of the type may be an alias of a module that is not there.
    """
    verdict = fits(expected, value)
    opaque = why_opaque(expected) if verdict is True else ""
    return Unknown(opaque) if opaque else verdict


def has_unknown(value: object) -> bool:
    """Return whether a value is Unknown, or has something Unknown in it."""
    return find_unknown((value,)) is not None


def fits(expected: Type, value: Any) -> Verdict:
    """Return whether a value is of a type, or the Unknown in it that decides."""
    unknown = find_unknown((value,))
    if unknown is None:
        return instance(expected, value)
    found = AROUND.get(type(expected))
    if found is None:
        found = of_unknown if value is unknown else PARTS.get(type(expected))
    if found is not None:
        return found(expected, value)
    return instance(expected, value) or (unknown if expected.simple_name == "Init" else False)


def of_alias(expected: TypeAliasType, value: object) -> Verdict:
    """Return whether a value is of the type that an alias stands for."""
    return expected.once(value, lambda target: fits(target, value))


def of_variant(expected: VariantType, value: object) -> Verdict:
    """Return whether a value is of one of several types."""
    return either(fits(each, value) for each in expected.types)


def of_optional(expected: OptionalType, value: Value) -> Verdict:
    """Return whether a value is of a type, or undef."""
    undef: Verdict = value if may_be_undef(value) else False
    return undef if expected.type is None else either((fits(expected.type, value), undef))


def of_not_undef(expected: NotUndefType, value: Value) -> Verdict:
    """Return whether a value is of a type, and not undef."""
    defined: Verdict = value if may_be_undef(value) else True
    return defined if expected.type is None else every((fits(expected.type, value), defined))


def may_be_undef(value: object) -> TypeGuard[Unknown]:
    """Return whether a value with something Unknown may be undef."""
    return isinstance(value, Unknown) and not value.is_text


def of_unknown(expected: Type, value: Unknown) -> Verdict:
    """Return whether an Unknown is of a type, whatever its value; or the Unknown."""
    if not value.is_text:
        return assignable(expected, ANY) or value
    if assignable(expected, STRING):
        return True
    texts = isinstance(expected, StringType | EnumType | PatternType | IterableType)
    return value if texts or expected.simple_name in ("Init", "TypeReference") else False


def every(verdicts: Iterable[Verdict]) -> Verdict:
    """Return whether all hold."""
    decides: Verdict = True
    for verdict in verdicts:
        if verdict is False:
            return False
        if verdict is not True and decides is True:
            decides = verdict
    return decides


def either(verdicts: Iterable[Verdict]) -> Verdict:
    """Return whether one holds."""
    decides: Verdict = False
    for verdict in verdicts:
        if verdict is True:
            return True
        if verdict is not False and decides is False:
            decides = verdict
    return decides


def of_array(expected: ArrayType, value: object) -> Verdict:
    """Return whether a value is an array of a type."""
    if type(value) is not list or not instance(expected.sizes, len(value)):
        return False
    return every(fits(expected.element, each) for each in value)


def of_hash(expected: HashType, value: object) -> Verdict:
    """Return whether a value is a hash of a type."""
    if type(value) is not dict or not instance(expected.sizes, len(value)):
        return False
    keys = (fits(expected.key, key) for key in keys_of(value))
    return every((*keys, *(fits(expected.value, each) for each in value.values())))


def of_tuple(expected: TupleType, value: object) -> Verdict:
    """Return whether a value is an array of these types."""
    if type(value) is not list or not instance(expected.sizes, len(value)):
        return False
    if not expected.types:
        return True
    return every(fits(expected.at(index), each) for index, each in enumerate(value))


def of_struct(expected: StructType, value: object) -> Verdict:
    """Return whether a value is a hash of these entries; an Unknown key may be any of them."""
    if type(value) is not dict:
        return False
    known = {key: each for key, each in value.items() if not has_unknown(key)}
    elements = expected.by_name()
    found = every(
        fits(elements[key].value, each) if key in elements else False for key, each in known.items()
    )
    missing = [name for name, each in elements.items() if each.required and name not in known]
    if found is False or len(missing) > len(value) - len(known):
        return False
    return found if len(known) == len(value) else find_unknown(value) or found


def of_iterable(expected: IterableType, value: object) -> Verdict:
    """Return whether a value can be iterated over, and its elements are of a type."""
    inner = expected.type
    if inner is None or type(value) is not list:
        return instance(expected, value)
    return every(fits(inner, each) for each in value)


def of_sensitive(expected: SensitiveType, value: object) -> Verdict:
    """Return whether a value is a secret of a type."""
    return isinstance(value, Sensitive) and fits(expected.inner, value.value)


AROUND: dict[type[Type], Callable[[Any, Any], Verdict]] = {
    NotUndefType: of_not_undef,
    OptionalType: of_optional,
    TypeAliasType: of_alias,
    VariantType: of_variant,
}
PARTS: dict[type[Type], Callable[[Any, Any], Verdict]] = {
    ArrayType: of_array,
    HashType: of_hash,
    IterableType: of_iterable,
    SensitiveType: of_sensitive,
    StructType: of_struct,
    TupleType: of_tuple,
}
