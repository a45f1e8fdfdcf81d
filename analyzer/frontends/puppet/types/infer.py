"""The type of a value, and what types have in common (Puppet's TypeCalculator)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from analyzer.frontends.puppet.types.model.base import (
    ANY,
    DEFAULT_TYPE,
    UNDEF,
    UNIT,
    Type,
    UndefType,
    UnitType,
)
from analyzer.frontends.puppet.types.model.builtin import DATA, RICH_DATA, object_type
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
from analyzer.frontends.puppet.types.model.scalars import SCALAR, SCALAR_DATA
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
    SensitiveType,
    TypeType,
    VariantType,
    union,
)
from analyzer.frontends.puppet.types.signatures import CALLABLE, CallableType, callable_type
from analyzer.model.keys import keys_of
from analyzer.model.timespan import Timespan
from analyzer.model.timestamp import Timestamp
from analyzer.model.values import Binary, Default, Deferred, Regexp, Sensitive, Unknown, Uri
from analyzer.model.versions import SemVer, SemVerRange


def infer(value: Any) -> Type:
    """The type of a value; that of an array or hash is what its elements have in common."""
    found = _INFER.get(type(value))
    if found is not None:
        return found(value)
    if isinstance(value, Type):
        return TypeType(value)
    if isinstance(value, Iteration):
        return IteratorType(value.element_type)
    if isinstance(value, ObjectValue):
        return value.type
    return callable_type(value) or RuntimeType("ruby", type(value).__name__)


def infer_set(value: Any) -> Type:
    """The type of a value in full: a Tuple or Struct of the types of all elements."""
    if type(value) is list:
        return TupleType(tuple(map(infer_set, value))) if value else EMPTY_ARRAY
    if type(value) is dict:
        return _infer_set_hash(value) if value else EMPTY_HASH
    if type(value) is SemVer:
        return SemVerType((SemVerRange.between(value, value),))
    return infer(value)


def infer_generic(value: Any) -> Type:
    """The type of a value without its size, range or value: what `type(x, generalized)` gives."""
    return infer(value).generalize()


def type_of(value: Any, detail: str = "detailed") -> Type:
    """What the function `type` returns: `detailed`, `reduced` or `generalized`."""
    if detail == "detailed":
        return infer_set(value)
    return infer(value) if detail == "reduced" else infer_generic(value)


def _infer_set_hash(value: dict[Any, Any]) -> Type:
    if all(type(key) is str and key for key in value):
        return StructType(
            tuple(
                StructElement(StringType(value=key), infer_set(each)) for key, each in value.items()
            )
        )
    keys, values = map(infer_set, keys_of(value)), map(infer_set, value.values())
    return HashType(union(keys), union(values), exactly(len(value)))


def _infer_list(value: list[Any]) -> Type:
    if not value:
        return EMPTY_ARRAY
    return ArrayType(reduce_types(map(infer, value)), exactly(len(value)))


def _infer_hash(value: dict[Any, Any]) -> Type:
    if not value:
        return EMPTY_HASH
    keys, values = map(infer, keys_of(value)), map(infer, value.values())
    return HashType(reduce_types(keys), reduce_types(values), exactly(len(value)))


def _infer_uri(value: Uri) -> Type:
    from analyzer.frontends.puppet.types.uris import parameters_of

    return URIType(parameters_of(value))


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
    Sensitive: lambda value: SensitiveType(infer(value.value)),
    Deferred: lambda value: object_type("Deferred"),
    # It gives way to every other type, where nothing is known of it.
    Unknown: lambda value: STRING if value.is_text else UNIT,
    Timespan: lambda value: TimespanType(value, value),
    Timestamp: lambda value: TimestampType(value, value),
    SemVer: lambda value: SEMVER,
    SemVerRange: lambda value: SEMVER_RANGE,
    Binary: lambda value: BINARY,
    Uri: _infer_uri,
    ObjectValue: lambda value: value.type,
}


def reduce_types(types: Iterable[Type]) -> Type:
    """What types have in common."""
    result: Type | None = None
    for each in types:
        result = each if result is None else common_type(result, each)
    return result or UNDEF


def common_type(a: Type, b: Type) -> Type:
    """The narrowest type Puppet knows that both are assignable to; Undef gives way."""
    if isinstance(a, UndefType | UnitType):
        return b
    if isinstance(b, UndefType | UnitType) or a.assignable(b):
        return a
    if b.assignable(a):
        return b
    for kind, combine in _COMBINE:
        if isinstance(a, kind) and isinstance(b, kind):
            return combine(a, b)
    if isinstance(a, StringType | EnumType) and isinstance(b, StringType | EnumType):
        return _common_string(a, b)
    for wide in (NUMERIC, SCALAR_DATA, SCALAR, DATA):
        if wide.assignable(a) and wide.assignable(b):
            return wide
    if isinstance(a, TypeType) and isinstance(b, TypeType):
        return TypeType(common_type(a.type or UNDEF, b.type or UNDEF))
    return RICH_DATA if RICH_DATA.assignable(a) and RICH_DATA.assignable(b) else ANY


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
