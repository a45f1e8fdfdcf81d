"""Brackets behind a type, as the evaluator takes them (Puppet's AccessOperator)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf
from typing import Any

from analyzer.frontends.puppet.types.generalize import sensitive_of
from analyzer.frontends.puppet.types.model.aliases import TypeReferenceType
from analyzer.frontends.puppet.types.model.base import Type, ruby_class
from analyzer.frontends.puppet.types.model.callables import CallableType
from analyzer.frontends.puppet.types.model.catalog import ClassType, ResourceType, RuntimeType
from analyzer.frontends.puppet.types.model.collections import (
    ArrayType,
    CollectionType,
    HashType,
    StructType,
    TupleType,
)
from analyzer.frontends.puppet.types.model.numbers import BooleanType, FloatType, IntegerType
from analyzer.frontends.puppet.types.model.objects import InitType, ObjectType, TypeSetType
from analyzer.frontends.puppet.types.model.rich_data import (
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
    NOT_UNDEF,
    IterableType,
    IteratorType,
    NotUndefType,
    OptionalType,
    SensitiveType,
    TypeType,
    VariantType,
    union,
)
from analyzer.frontends.puppet.types.parsing import make
from analyzer.frontends.puppet.types.parsing.objects import object_of, parameterized
from analyzer.frontends.puppet.types.parsing.type_sets import type_set
from analyzer.frontends.puppet.types.problems import AccessProblem
from analyzer.frontends.puppet.types.specialize.catalog import (
    class_access,
    is_empty,
    resource_access,
)
from analyzer.frontends.puppet.types.specialize.problems import (
    arity_problem,
    assert_keys,
    capital,
    label,
    size_of,
    type_problem,
)
from analyzer.model.values import DEFAULT, Regexp, Value, flat
from analyzer.model.versions import SemVerRange

Access = Callable[[Any, list[Any]], Any]


def specialize(base: Type, keys: Sequence[object], strict: bool = False) -> Value:
    """Return `base[keys]`: a type, or a list of them for several classes or resources.

    No title at all is an error if `strict`, else the result is empty. Parameters of a named
    resource or class (`File['x'][mode]`) are looked up by the evaluator.

    Raises:
        AccessProblem: the type takes no such keys.
    """
    given = list(keys)
    titled = isinstance(base, (ResourceType, ClassType))
    if titled and given and not strict and is_empty(base, given):
        return [] if len(given) > 1 or isinstance(given[0], list) else None
    if type(base) in _UNFLATTENED:
        return _UNFLATTENED[type(base)](base, given)
    take = _ACCESS.get(type(base))
    if take is None:
        raise AccessProblem(
            "OPERATOR_NOT_APPLICABLE", f"Operator '[]' is not applicable to {label(base)}."
        )
    return take(base, list(flat(given)))


def _regexp(base: Type, keys: list[Any]) -> Type:
    if len(keys) != 1:
        raise arity_problem(capital(label(base)), 1, None, keys)
    assert_keys(base, keys, 1, (str, Regexp), "String or Regexp")
    return RegexpType(keys[0].source if isinstance(keys[0], Regexp) else keys[0])


def _boolean(base: Type, keys: list[Any]) -> Type:
    assert_keys(base, keys, 1, (bool,), "TrueClass or FalseClass")
    return BooleanType(keys[0])


def _enum(base: Type, keys: list[Any]) -> Type:
    any_case = bool(keys) and keys[-1] is True
    if keys and isinstance(keys[-1], bool):
        keys = keys[:-1]
    assert_keys(base, keys, inf, (str,), "String")
    return EnumType(tuple(keys), any_case)


def _variant(base: Type, keys: list[Any]) -> Type:
    assert_keys(base, keys, inf, (Type,), "Any-Type")
    return union(keys)


def _semver(base: Type, keys: list[object]) -> Type:
    assert_keys(base, keys, inf, (str, SemVerRange), "String or SemanticPuppet::VersionRange")
    return make.semver(keys)


def _timestamp(base: Type, keys: list[object]) -> Type:
    if len(keys) > 2:
        raise arity_problem(capital(label(base)), 0, 2, keys)
    return TimestampType(*map(make.timestamp_limit, keys))


def _timespan(base: Type, keys: list[object]) -> Type:
    if len(keys) > 2:
        raise arity_problem(capital(label(base)), 0, 2, keys)
    return TimespanType(*map(make.timespan_limit, keys))


def _tuple(base: Type, keys: list[Any]) -> Type:
    count = 2 if len(keys) > 1 and make.is_limit(keys[-1]) and make.is_limit(keys[-2]) else 0
    count = count or (1 if keys and make.is_limit(keys[-1]) else 0)
    size = None
    if count:
        limits = [key if type(key) is int else None for key in keys[-count:]]
        size = IntegerType(limits[0], limits[1] if count == 2 else None)
        keys = keys[:-count]
    assert_keys(base, keys, inf, (Type,), "Any-Type")
    return TupleType(tuple(keys), size)


def _callable(base: Type, keys: list[object]) -> Type:
    if keys and isinstance(keys[0], list) and len(keys) != 2:
        raise arity_problem(capital(label(base)), 2, 2, keys)
    return make.callable_of(keys)


def _struct(base: Type, keys: list[Any]) -> Type:
    assert_keys(base, keys, 1, (dict,), "Hash")
    return make.struct(keys[0])


def _string(base: Type, keys: list[object]) -> Type:
    if len(keys) not in (1, 2):
        raise AccessProblem(
            "BAD_STRING_SLICE_ARITY",
            f"String supports [] with one or two arguments. Got {len(keys)}",
        )
    return StringType(size_of(keys, 0))


def _pattern(base: Type, keys: list[object]) -> Type:
    names = "String or Regexp or Pattern-Type or Regexp-Type"
    assert_keys(base, keys, inf, (str, Regexp, PatternType, RegexpType), names)
    return make.pattern(keys)


def _uri(base: Type, keys: list[object]) -> Type:
    if len(keys) != 1:
        raise arity_problem("URI-Type", 1, None, keys)
    if not isinstance(keys[0], str | dict) or keys[0] == "" or not make.has_uri_parts(keys[0]):
        raise type_problem("URI-Type", keys[0])
    return make.uri(keys[0])


def _one(name: str, kind: Callable[[Type], Type], *, text: bool = False) -> Access:
    def take(base: Type, keys: list[object]) -> Type:
        if len(keys) != 1:
            raise arity_problem(f"{name}-Type", 1, None, keys)
        key = keys[0]
        if text and isinstance(key, str):
            return kind(StringType(value=key))
        if not isinstance(key, Type):
            raise type_problem(f"{name}-Type", key)
        return kind(key)

    return take


def _not_undef(base: Type, keys: list[object]) -> Type:
    if len(keys) > 1:
        raise arity_problem("NotUndef-Type", 0, 1, keys)
    if not keys:
        return NOT_UNDEF
    if isinstance(keys[0], str):
        return NotUndefType(StringType(value=keys[0]))
    if isinstance(keys[0], Type):
        return NotUndefType(keys[0])
    raise AccessProblem(
        "BAD_NOT_UNDEF_SLICE_TYPE",
        f"NotUndef-Type[] argument must be a Type or a String. Got {ruby_class(keys[0])}",
        0,
    )


def _object(base: ObjectType, keys: list[object]) -> Type:
    if base.object_name is not None:
        return parameterized(base, keys)
    if len(keys) != 1:
        raise arity_problem("Object-Type", 1, None, keys)
    return object_of(keys[0])


def _type_set(base: Type, keys: list[Any]) -> Type:
    if len(keys) != 1:
        raise arity_problem("TypeSet-Type", 1, None, keys)
    return type_set(keys[0])


def _init(base: Type, keys: list[object]) -> Type:
    if not isinstance(keys[0], Type):
        raise type_problem("Init-Type", keys[0])
    return InitType(keys[0], tuple(keys[1:]))


def _runtime(base: Type, keys: list[object]) -> Type:
    assert_keys(base, keys, 2, (str,), "String or String", low=2)
    return make.runtime(keys)


def _limits(kind: str, also: str, allowed: tuple[type, ...], keys: list[object]) -> list[Any]:
    if len(keys) not in (1, 2):
        raise AccessProblem(
            "BAD_INTEGER_SLICE_ARITY",
            f"{kind}-Type supports [] with one or two arguments (from, to). Got {len(keys)}",
        )
    for index, key in enumerate(keys):
        if type(key) not in allowed and key is not DEFAULT:
            raise AccessProblem(
                "BAD_INTEGER_SLICE_TYPE",
                f"{kind}-Type [] requires all arguments to be {also} (or default). "
                f"Got {ruby_class(key)}",
                index,
            )
    return [None if key is DEFAULT else key for key in keys]


def _integer(base: Type, keys: list[object]) -> Type:
    return IntegerType(*_limits("Integer", "integers", (int,), keys))


def _float(base: Type, keys: list[object]) -> Type:
    limits = _limits("Float", "floats, or integers", (int, float), keys)
    return FloatType(*(None if limit is None else float(limit) for limit in limits))


def _hash(base: Type, keys: list[Any]) -> Type:
    if len(keys) == 2 and type(keys[0]) is int and type(keys[1]) is int:
        return HashType(None, None, IntegerType(keys[0], keys[1]))
    for index, key in enumerate(keys[:2]):
        if not isinstance(key, Type):
            raise type_problem("Hash-Type", key, index)
    if len(keys) not in (2, 3, 4):
        raise arity_problem("Hash-Type", 2, 4, keys)
    if len(keys) == 3 and isinstance(keys[2], str):
        raise AccessProblem("RUNTIME_ERROR", "comparison of String with Infinity failed")
    size = size_of(keys[2:], 2) if len(keys) > 2 else None
    return HashType(keys[0], keys[1], size)


def _collection(base: Type, keys: list[object]) -> Type:
    if len(keys) not in (1, 2):
        raise arity_problem("Collection-Type", 1, 2, keys)
    return CollectionType(size_of(keys, 0))


def _array(base: Type, keys: list[object]) -> Type:
    if len(keys) not in (1, 2, 3):
        raise arity_problem("Array-Type", 1, 3, keys)
    if isinstance(keys[0], Type):
        return ArrayType(keys[0], size_of(keys[1:], 1) if len(keys) > 1 else None)
    if len(keys) == 2:
        return ArrayType(None, size_of(keys, 0))
    raise type_problem("Array-Type", keys[0])


def _reference(base: TypeReferenceType, keys: list[object]) -> Type:
    raise AccessProblem("UNKNOWN_RESOURCE_TYPE", f"Resource type not found: {base.type_string}")


# These see lists among their keys.
_UNFLATTENED: dict[type[Type], Access] = {
    CallableType: _callable,
    StructType: _struct,
    InitType: _init,
    TypeReferenceType: _reference,
    ResourceType: resource_access,
    ClassType: class_access,
}
_ACCESS: dict[type[Type], Access] = {
    ArrayType: _array,
    BooleanType: _boolean,
    CollectionType: _collection,
    EnumType: _enum,
    FloatType: _float,
    HashType: _hash,
    IntegerType: _integer,
    IterableType: _one("Iterable", IterableType),
    IteratorType: _one("Iterator", IteratorType),
    NotUndefType: _not_undef,
    ObjectType: _object,
    OptionalType: _one("Optional", OptionalType, text=True),
    PatternType: _pattern,
    RegexpType: _regexp,
    RuntimeType: _runtime,
    SemVerType: _semver,
    SensitiveType: _one("Sensitive", sensitive_of),
    StringType: _string,
    TimespanType: _timespan,
    TimestampType: _timestamp,
    TupleType: _tuple,
    TypeSetType: _type_set,
    TypeType: _one("Type", TypeType),
    URIType: _uri,
    VariantType: _variant,
}
