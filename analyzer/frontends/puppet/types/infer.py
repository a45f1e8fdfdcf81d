"""The type of a value, and the common type of several (Puppet's TypeCalculator)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from analyzer.frontends.puppet.types.assignable import assignable
from analyzer.frontends.puppet.types.generalize import generalize, sensitive_of
from analyzer.frontends.puppet.types.model.base import (
    ANY,
    DEFAULT_TYPE,
    SCALAR,
    SCALAR_DATA,
    UNDEF,
    UNIT,
    Type,
    UndefType,
    UnitType,
)
from analyzer.frontends.puppet.types.model.builtin import DATA, OBJECTS, RICH_DATA
from analyzer.frontends.puppet.types.model.callables import CALLABLE, CallableType, callable_type
from analyzer.frontends.puppet.types.model.catalog import (
    CLASS,
    RESOURCE,
    ClassType,
    ResourceType,
    RuntimeType,
)
from analyzer.frontends.puppet.types.model.collections import (
    EMPTY_ARRAY,
    EMPTY_HASH,
    ArrayType,
    HashType,
    StructElement,
    StructType,
    TupleType,
    exactly,
)
from analyzer.frontends.puppet.types.model.numbers import (
    FALSE,
    NUMERIC,
    TRUE,
    FloatType,
    IntegerType,
    highest,
    lowest,
)
from analyzer.frontends.puppet.types.model.objects import ObjectValue
from analyzer.frontends.puppet.types.model.rich_data import (
    BINARY,
    SEMVER,
    SEMVER_RANGE,
    SemVerType,
    TimespanType,
    TimestampType,
    URIType,
)
from analyzer.frontends.puppet.types.model.strings import (
    ENUM,
    REGEXP,
    STRING,
    EnumType,
    PatternType,
    RegexpType,
    StringType,
)
from analyzer.frontends.puppet.types.model.wrappers import (
    Iteration,
    IteratorType,
    TypeType,
    VariantType,
    union,
)
from analyzer.frontends.puppet.types.uris import parameters_of
from analyzer.model.keys import keys_of
from analyzer.model.timespan import Timespan
from analyzer.model.timestamp import Timestamp
from analyzer.model.values import Binary, Default, Deferred, Regexp, Sensitive, Unknown, Uri, Value
from analyzer.model.versions import SemVer, SemVerRange


def infer(value: object) -> Type:
    """Return the type of a value; for an array or hash of the common type of its elements."""
    found = _INFER.get(type(value))
    if found is not None:
        return found(value)
    if isinstance(value, Type):
        return TypeType(value)
    if isinstance(value, Iteration):
        return IteratorType(value.element_type)
    if isinstance(value, ObjectValue):
        return value.visible_type()
    return callable_type(value) or RuntimeType("ruby", type(value).__name__)


def infer_set(value: object) -> Type:
    """Return the type of a value in full: a Tuple or Struct of the types of all elements."""
    found = _INFER_SET.get(type(value))
    return infer(value) if found is None else found(value)


def infer_generic(value: object) -> Type:
    """Return the type of a value without size, range or value, as `type(x, generalized)` does."""
    return generalize(infer(value))


def type_of(value: object, detail: str = "detailed") -> Type:
    """Return the result of the function `type`: `detailed`, `reduced` or `generalized`."""
    if detail == "detailed":
        return infer_set(value)
    return infer(value) if detail == "reduced" else infer_generic(value)


def _infer_set_list(value: list[object]) -> Type:
    return TupleType(tuple(map(infer_set, value))) if value else EMPTY_ARRAY


def _infer_set_hash(value: dict[Any, Value]) -> Type:
    if not value:
        return EMPTY_HASH
    if all(type(key) is str and key for key in value):
        return StructType(
            tuple(
                StructElement(StringType(value=key), infer_set(each)) for key, each in value.items()
            )
        )
    keys, values = map(infer_set, keys_of(value)), map(infer_set, value.values())
    return HashType(union(keys), union(values), exactly(len(value)))


def _infer_list(value: list[object]) -> Type:
    if not value:
        return EMPTY_ARRAY
    return ArrayType(_common(value), exactly(len(value)))


def _infer_hash(value: dict[object, object]) -> Type:
    if not value:
        return EMPTY_HASH
    return HashType(_common(keys_of(value)), _common(list(value.values())), exactly(len(value)))


def _common(values: list[Any]) -> Type:
    """Return the type that values have in common; strings and integers need no pairwise look."""
    kinds = set(map(type, values))
    if kinds == {str} and len(set(values)) > 1:
        return EnumType(tuple(values))
    if kinds == {int}:
        return IntegerType(min(values), max(values))
    return reduce_types(map(infer, values))


def _infer_uri(value: Uri) -> Type:
    return URIType(parameters_of(value))


_INFER_SET: dict[type, Callable[[Any], Type]] = {
    dict: _infer_set_hash,
    list: _infer_set_list,
    SemVer: lambda value: SemVerType((SemVerRange.between(value, value),)),
}
_INFER: dict[type, Callable[[Any], Type]] = {
    str: lambda value: StringType(value=value),
    int: lambda value: IntegerType(value, value),
    float: lambda value: FloatType(value, value),
    bool: lambda value: TRUE if value else FALSE,
    type(None): lambda value: UNDEF,
    list: _infer_list,
    dict: _infer_hash,
    Default: lambda value: DEFAULT_TYPE,
    Regexp: lambda value: RegexpType(value.source),
    Sensitive: lambda value: sensitive_of(infer(value.value)),
    Deferred: lambda value: OBJECTS["Deferred"],
    # It gives way to every other type, where nothing is known of it.
    Unknown: lambda value: STRING if value.is_text else UNIT,
    Timespan: lambda value: TimespanType(value, value),
    Timestamp: lambda value: TimestampType(value, value),
    SemVer: lambda value: SEMVER,
    SemVerRange: lambda value: SEMVER_RANGE,
    Binary: lambda value: BINARY,
    Uri: _infer_uri,
    ObjectValue: lambda value: value.visible_type(),
}


def reduce_types(types: Iterable[Type]) -> Type:
    """Return the narrowest type that types have in common."""
    result: Type | None = None
    for each in types:
        result = each if result is None else common_type(result, each)
    return result or UNDEF


def common_type(a: Type, b: Type) -> Type:
    """Return the narrowest type of Puppet to which both are assignable; Undef gives way."""
    if isinstance(a, UndefType | UnitType):
        return b
    if isinstance(b, UndefType | UnitType) or assignable(a, b):
        return a
    if assignable(b, a):
        return b
    for kind, combine in _COMBINE:
        if isinstance(a, kind) and isinstance(b, kind):
            return combine(a, b)
    if isinstance(a, StringType | EnumType) and isinstance(b, StringType | EnumType):
        return _common_string(a, b)
    for wide in (NUMERIC, SCALAR_DATA, SCALAR, DATA):
        if assignable(wide, a) and assignable(wide, b):
            return wide
    if isinstance(a, TypeType) and isinstance(b, TypeType):
        return TypeType(common_type(a.type or UNDEF, b.type or UNDEF))
    return RICH_DATA if assignable(RICH_DATA, a) and assignable(RICH_DATA, b) else ANY


def _common_string(a: StringType | EnumType, b: StringType | EnumType) -> Type:
    if isinstance(a, EnumType) or isinstance(b, EnumType):
        values: list[str] = []
        for each in (a, b):
            if isinstance(each, EnumType):
                values += each.values
            elif each.value is None:
                return ENUM
            else:
                values.append(each.value)
        return EnumType(tuple(values))
    if a.size is None or b.size is None:
        if a.value is None or b.value is None:
            return STRING
        return EnumType((a.value, b.value))
    size = common_type(a.size, b.size)
    return StringType(size if isinstance(size, IntegerType) else None)


def _common_resource(a: ResourceType, b: ResourceType) -> Type:
    return ResourceType(a.type_name) if a.type_name == b.type_name else RESOURCE


_Combine = Callable[[Any, Any], Type]
_COMBINE: tuple[tuple[type[Type], _Combine], ...] = (
    (ArrayType, lambda a, b: ArrayType(common_type(a.element, b.element))),
    (HashType, lambda a, b: HashType(common_type(a.key, b.key), common_type(a.value, b.value))),
    (ClassType, lambda a, b: CLASS),
    (ResourceType, _common_resource),
    (IntegerType, lambda a, b: IntegerType(lowest(a.low, b.low), highest(a.high, b.high))),
    (FloatType, lambda a, b: FloatType(lowest(a.low, b.low), highest(a.high, b.high))),
    (PatternType, lambda a, b: PatternType(tuple(dict.fromkeys(a.patterns + b.patterns)))),
    (VariantType, lambda a, b: union(dict.fromkeys(a.types + b.types))),
    (RegexpType, lambda a, b: REGEXP),
    (CallableType, lambda a, b: CALLABLE),
)
