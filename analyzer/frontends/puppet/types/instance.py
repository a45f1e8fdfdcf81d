"""Whether a value is of a type (Puppet's `instance?`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from analyzer.frontends.puppet.types.assignable import assignable
from analyzer.frontends.puppet.types.infer import infer
from analyzer.frontends.puppet.types.leaves import (
    in_enum,
    in_pattern,
    matches_part,
)
from analyzer.frontends.puppet.types.model.aliases import TypeAliasType, TypeReferenceType
from analyzer.frontends.puppet.types.model.base import (
    ANY,
    AnyType,
    DefaultType,
    ScalarDataType,
    ScalarType,
    Type,
    UndefType,
    UnitType,
)
from analyzer.frontends.puppet.types.model.builtin import RICH_DATA
from analyzer.frontends.puppet.types.model.callables import CallableType, callable_type
from analyzer.frontends.puppet.types.model.catalog import (
    CatalogEntryType,
    ClassType,
    ResourceType,
    RuntimeType,
)
from analyzer.frontends.puppet.types.model.collections import (
    ArrayType,
    CollectionType,
    HashType,
    StructType,
    TupleType,
)
from analyzer.frontends.puppet.types.model.numbers import (
    BooleanType,
    FloatType,
    IntegerType,
    NumericType,
)
from analyzer.frontends.puppet.types.model.objects import (
    OBJECT,
    InitType,
    ObjectType,
    ObjectValue,
    ParameterizedObject,
    TypeSetType,
)
from analyzer.frontends.puppet.types.model.rich_data import (
    BinaryType,
    SemVerRangeType,
    SemVerType,
    TimespanType,
    TimestampType,
    URIType,
)
from analyzer.frontends.puppet.types.model.strings import (
    EnumType,
    PatternType,
    RegexpType,
    StringType,
)
from analyzer.frontends.puppet.types.model.wrappers import (
    IterableType,
    Iteration,
    IteratorType,
    NotUndefType,
    OptionalType,
    SensitiveType,
    TypeType,
    VariantType,
)
from analyzer.model.keys import keys_of
from analyzer.model.timespan import Timespan
from analyzer.model.timestamp import Timestamp
from analyzer.model.values import DEFAULT, Binary, Regexp, Sensitive, Uri
from analyzer.model.versions import SemVer, SemVerRange

# Whether a value is of a type, by the class of the type.
Check = Callable[[Any, Any], bool]

_SCALAR_DATA = frozenset((str, int, float, bool))
_PLAIN = _SCALAR_DATA | {type(None), list, dict}
_SCALARS = _SCALAR_DATA | {Regexp, SemVer, SemVerRange, Timespan, Timestamp}


def instance(found: Type, value: object) -> bool:
    """Return whether a value is of a type."""
    return CHECKS[type(found)](found, value)


def _optional(found: OptionalType, value: object) -> bool:
    inner = found.type
    return value is None or (inner is not None and CHECKS[type(inner)](inner, value))


def _not_undef(found: NotUndefType, value: object) -> bool:
    inner = found.type
    return value is not None and (inner is None or CHECKS[type(inner)](inner, value))


def _variant(found: VariantType, value: object) -> bool:
    for each in found.types:
        check = CHECKS[type(each)]
        if check(each, value):
            return True
    return False


def _alias(found: TypeAliasType, value: object) -> bool:
    if found.recursive:
        return found.once(value, lambda target: instance(target, value))
    return instance(found.resolved, value)


def _integer(found: IntegerType, value: object) -> bool:
    return (
        type(value) is int
        and (found.low is None or value >= found.low)
        and (found.high is None or value <= found.high)
    )


def _float(found: FloatType, value: object) -> bool:
    return (
        type(value) is float
        and (found.low is None or value >= found.low)
        and (found.high is None or value <= found.high)
    )


def _boolean(found: BooleanType, value: object) -> bool:
    return (value is True or value is False) and (found.value is None or value is found.value)


def _string(found: StringType, value: object) -> bool:
    if type(value) is not str:
        return False
    if found.size is not None:
        return found.size.holds(len(value))
    return found.value is None or found.value == value


def _enum(found: EnumType, value: object) -> bool:
    if type(value) is not str:
        return False
    return in_enum(found, value) if found.any_case else value in found.values


def _pattern(found: PatternType, value: object) -> bool:
    return type(value) is str and in_pattern(found, value)


def _regexp(found: RegexpType, value: object) -> bool:
    return isinstance(value, Regexp) and found.pattern in (None, value.source)


def _collection(found: CollectionType, value: object) -> bool:
    if type(value) is not list and type(value) is not dict:
        return False
    return found.size is None or found.size.holds(len(value))


def _array(found: ArrayType, value: object) -> bool:
    if type(value) is not list or not (found.size is None or found.size.holds(len(value))):
        return False
    element = found.element
    return element is ANY or _all_of(element, value)


def _all_of(found: Type, values: Any) -> bool:
    check = CHECKS[type(found)]
    for each in values:  # noqa: SIM110 - half the time of `all`
        if not check(found, each):
            return False
    return True


def _hash(found: HashType, value: object) -> bool:
    if type(value) is not dict or not (found.size is None or found.size.holds(len(value))):
        return False
    if not (found.key is ANY or _all_of(found.key, keys_of(value))):
        return False
    return found.value is ANY or _all_of(found.value, value.values())


def _tuple(found: TupleType, value: object) -> bool:
    if type(value) is not list:
        return False
    types, size = found.types, found.size
    if not (size.holds(len(value)) if size is not None else len(value) == len(types) or not types):
        return False
    return not types or all(instance(found.at(index), each) for index, each in enumerate(value))


def _struct(found: StructType, value: object) -> bool:
    if type(value) is not dict:
        return False
    matched = 0
    for each in found.elements:
        if each.name in value:
            matched += 1
            if not instance(each.value, value[each.name]):
                return False
        elif each.required:
            return False
    return matched == len(value)


def _callable(found: CallableType, value: object) -> bool:
    actual = callable_type(value)
    return actual is not None and assignable(found, actual)


def _type(found: TypeType, value: object) -> bool:
    return isinstance(value, Type) and (found.type is None or assignable(found.type, value))


def _sensitive(found: SensitiveType, value: object) -> bool:
    return isinstance(value, Sensitive) and instance(found.inner, value.value)


def _iterable(found: IterableType, value: object) -> bool:
    if found.type is not None and not assignable(found.type, ANY):
        return assignable(found, infer(value))
    if type(value) is int:
        return value >= 0
    if isinstance(value, IntegerType):
        return value.finite
    if isinstance(value, EnumType | Iteration | str | list | dict):
        return True
    resolved = getattr(value, "resolved", None)
    return resolved is not None and instance(found, resolved)


def _iterator(found: IteratorType, value: object) -> bool:
    if not isinstance(value, Iteration):
        return False
    return found.type is None or assignable(found.type, value.element_type or ANY)


def _init(found: InitType, value: object) -> bool:
    if found.type is None:
        return instance(RICH_DATA, value)
    inner = found.type
    return found.once(value, lambda: _is_accepted(found, inner, value), False)


def _is_accepted(found: InitType, inner: Type, value: object) -> bool:
    single, others = found.accepted()
    if instance(inner, value) or instance(single, value):
        return True
    return any(
        instance(each, value) or (each.sizes.low == 1 and instance(each, [value]))
        for each in others
    )


def _object(found: ObjectType, value: object) -> bool:
    # Types are objects, too.
    return found == OBJECT if isinstance(value, Type) else _inferred(found, value)


def _parameterized(found: ParameterizedObject, value: object) -> bool:
    if not isinstance(value, ObjectValue) or not assignable(found.base, value.type):
        return False
    return all(
        name in value.attributes and _part(pattern, value.attributes[name])
        for name, pattern in found.parameters
    )


def _inferred(found: Type, value: object) -> bool:
    return type(value) not in _PLAIN and assignable(found, infer(value))


def _timespan(found: TimespanType, value: object) -> bool:
    return isinstance(value, Timespan) and found.holds(value.nanoseconds)


def _timestamp(found: TimestampType, value: object) -> bool:
    return isinstance(value, Timestamp) and found.holds(value.nanoseconds)


def _semver(found: SemVerType, value: object) -> bool:
    return isinstance(value, SemVer) and (
        not found.ranges or any(value in each for each in found.ranges)
    )


def _uri(found: URIType, value: object) -> bool:
    return isinstance(value, Uri) and all(
        _part(pattern, getattr(value, name)) for name, pattern in found.parameters
    )


def _part(pattern: object, value: object) -> bool:
    if isinstance(pattern, Type):
        return instance(pattern, value)
    return matches_part(pattern, value)


CHECKS: dict[type[Type], Check] = {
    AnyType: lambda found, value: True,
    ArrayType: _array,
    BinaryType: lambda found, value: isinstance(value, Binary),
    BooleanType: _boolean,
    CallableType: _callable,
    CatalogEntryType: _inferred,
    ClassType: _inferred,
    CollectionType: _collection,
    DefaultType: lambda found, value: value is DEFAULT,
    EnumType: _enum,
    FloatType: _float,
    HashType: _hash,
    InitType: _init,
    IntegerType: _integer,
    IterableType: _iterable,
    IteratorType: _iterator,
    NotUndefType: _not_undef,
    NumericType: lambda found, value: type(value) is int or type(value) is float,
    ObjectType: _object,
    OptionalType: _optional,
    ParameterizedObject: _parameterized,
    PatternType: _pattern,
    RegexpType: _regexp,
    ResourceType: _inferred,
    RuntimeType: _inferred,
    ScalarDataType: lambda found, value: type(value) in _SCALAR_DATA,
    ScalarType: lambda found, value: type(value) in _SCALARS,
    SemVerRangeType: lambda found, value: isinstance(value, SemVerRange),
    SemVerType: _semver,
    SensitiveType: _sensitive,
    StringType: _string,
    StructType: _struct,
    TimespanType: _timespan,
    TimestampType: _timestamp,
    TupleType: _tuple,
    TypeAliasType: _alias,
    TypeReferenceType: lambda found, value: False,
    TypeSetType: lambda found, value: isinstance(value, TypeSetType),
    TypeType: _type,
    UndefType: lambda found, value: value is None,
    UnitType: lambda found, value: True,
    URIType: _uri,
    VariantType: _variant,
}
