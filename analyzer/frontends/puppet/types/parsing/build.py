"""Types with their parameters, as the TypeParser takes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from analyzer.frontends.puppet.types.generalize import sensitive_of
from analyzer.frontends.puppet.types.mismatches.assertions import assert_instance
from analyzer.frontends.puppet.types.model.aliases import TypeReferenceType
from analyzer.frontends.puppet.types.model.base import Type, ruby_class
from analyzer.frontends.puppet.types.model.catalog import ClassType
from analyzer.frontends.puppet.types.model.collections import (
    ArrayType,
    CollectionType,
    HashType,
    TupleType,
)
from analyzer.frontends.puppet.types.model.numbers import (
    FALSE,
    FLOAT,
    INTEGER,
    TRUE,
    FloatType,
    IntegerType,
)
from analyzer.frontends.puppet.types.model.objects import InitType
from analyzer.frontends.puppet.types.model.rich_data import TimespanType, TimestampType
from analyzer.frontends.puppet.types.model.strings import (
    NON_EMPTY_STRING,
    REGEXP,
    STRING,
    EnumType,
    RegexpType,
    StringType,
)
from analyzer.frontends.puppet.types.model.wrappers import (
    IterableType,
    IteratorType,
    NotUndefType,
    OptionalType,
    TypeType,
    VariantType,
    union,
)
from analyzer.frontends.puppet.types.parsing.make import (
    callable_of,
    is_limit,
    pattern,
    resource,
    runtime,
    semver,
    sized_count,
    struct,
    timespan_limit,
    timestamp_limit,
    uri,
)
from analyzer.frontends.puppet.types.parsing.objects import object_of
from analyzer.frontends.puppet.types.parsing.type_sets import type_set
from analyzer.frontends.puppet.types.problems import InvalidType
from analyzer.model.values import DEFAULT, Regexp

CLASS_REFERENCE = re.compile(r"(?:(?:::)?[A-Z]\w*)+\Z", re.ASCII)


def unnamed() -> InvalidType:
    """Return the error of a type without a text."""
    return InvalidType("no type")


@dataclass(slots=True)
class Request:
    """The parameters of a type, and the errors for a bad one or for any.

    `name` is that of the alias whose whole meaning the type is.
    """

    parameters: list[Any]
    invalid: Callable[[], InvalidType] = unnamed
    unparameterized: Callable[[], InvalidType] = unnamed
    name: str | None = None

    def count_problem(self, name: str, required: object) -> InvalidType:
        """Return the error of too many or too few parameters."""
        return InvalidType(
            f"Invalid number of type parameters specified: {name} requires {required}, "
            f"{len(self.parameters)} provided"
        )

    def type(self, value: object) -> Type:
        """Return a parameter that must be a type."""
        if not isinstance(value, Type):
            raise self.invalid()
        return value

    def limit(self, value: object) -> int | None:
        """Return a parameter that must be a limit of a size."""
        if not is_limit(value):
            raise self.invalid()
        return value if type(value) is int else None

    def size(self, values: Sequence[object]) -> IntegerType:
        """Return a size of one parameter, which may be an Integer type, or of two."""
        if len(values) == 1 and isinstance(values[0], IntegerType):
            return values[0]
        limits = [self.limit(value) for value in values]
        return IntegerType(limits[0], limits[1] if len(limits) > 1 else None)


def _array(request: Request) -> Type:
    values = request.parameters
    if len(values) not in (1, 2, 3):
        raise request.count_problem("Array", "1 to 3")
    if len(values) == 2 and not isinstance(values[0], Type):
        return ArrayType(None, request.size(values))
    element = request.type(values[0])
    return ArrayType(element, request.size(values[1:]) if len(values) > 1 else None)


def _hash(request: Request) -> Type:
    values = request.parameters
    if len(values) not in (2, 3, 4):
        raise request.count_problem("Hash", "2 to 4")
    if len(values) == 2 and not (isinstance(values[0], Type) and isinstance(values[1], Type)):
        return HashType(None, None, request.size(values))
    size = request.size(values[2:]) if len(values) > 2 else None
    return HashType(request.type(values[0]), request.type(values[1]), size)


def _sized(name: str, kind: type[CollectionType] | type[StringType]) -> Callable[[Request], Type]:
    def build(request: Request) -> Type:
        if len(request.parameters) not in (1, 2):
            raise request.count_problem(name, "1 to 2")
        return kind(request.size(request.parameters))

    return build


def _around(
    name: str, kind: Callable[[Type], Type], *, text: bool = False
) -> Callable[[Request], Type]:
    def build(request: Request) -> Type:
        if len(request.parameters) != 1:
            raise request.count_problem(name, 1)
        value = request.parameters[0]
        if text and isinstance(value, str):
            return kind(StringType(value=value))
        return kind(request.type(value))

    return build


def _class(request: Request) -> Type:
    if len(request.parameters) != 1:
        raise request.count_problem("Class", 1)
    name = request.parameters[0]
    if not isinstance(name, str | None):
        raise request.invalid()
    return ClassType(name and name.removeprefix("::"))


def _resource(request: Request) -> Type:
    first, *rest = request.parameters
    if isinstance(first, TypeReferenceType):
        first = first.type_string.partition("[")[0]
    if len(rest) > 1:
        raise request.count_problem("Resource", "1 or 2")
    return resource(first, *rest)


def _regexp(request: Request) -> Type:
    if len(request.parameters) != 1:
        raise request.count_problem("Regexp", "1")
    value = request.parameters[0]
    if not isinstance(value, str | Regexp):
        raise InvalidType(f"no implicit conversion of {ruby_class(value)} into String")
    return RegexpType(value.source if isinstance(value, Regexp) else value)


def _enum(request: Request) -> Type:
    values = request.parameters
    any_case = bool(values) and values[-1] is True
    if values and isinstance(values[-1], bool):
        request.parameters = values = values[:-1]
    if not values:
        raise request.count_problem("Enum", "1 or more")
    if not all(isinstance(value, str) for value in values):
        raise InvalidType("Enum parameters must be identifiers or strings")
    return EnumType(tuple(values), any_case)


def _pattern(request: Request) -> Type:
    if not request.parameters:
        raise request.count_problem("Pattern", "1 or more")
    return pattern(request.parameters)


def _uri(request: Request) -> Type:
    if len(request.parameters) != 1:
        raise request.count_problem("URI", "1")
    return uri(request.parameters[0])


def _variant(request: Request) -> Type:
    if not request.parameters:
        raise request.count_problem("Variant", "1 or more")
    return union([request.type(value) for value in request.parameters])


def _tuple(request: Request) -> Type:
    values = request.parameters
    if not values:
        raise request.count_problem("Tuple", "1 or more")
    count = sized_count(values)
    size = None
    if count:
        low, *high = (None if value == "default" else value for value in values[-count:])
        limits = [0 if low is DEFAULT or low is None else low, *high]
        size = request.size(limits)
    kept = values[: len(values) - count]
    return TupleType(tuple(request.type(value) for value in kept), size)


def _callable(request: Request) -> Type:
    values = request.parameters
    if len(values) > 1 and isinstance(values[0], list) and len(values) != 2:
        raise request.count_problem("callable", "2 when first parameter is an array")
    return callable_of(values)


def _struct(request: Request) -> Type:
    if len(request.parameters) != 1:
        raise request.count_problem("Struct", "1")
    if not isinstance(request.parameters[0], dict):
        raise request.invalid()
    return struct(request.parameters[0])


def _boolean(request: Request) -> Type:
    if len(request.parameters) != 1:
        raise request.count_problem("Boolean", "1")
    if not isinstance(request.parameters[0], bool):
        raise InvalidType("Boolean parameter must be true or false")
    return TRUE if request.parameters[0] else FALSE


def _integer(request: Request) -> Type:
    values = request.parameters
    if len(values) not in (1, 2):
        raise request.count_problem("Integer", "1 or 2")
    limits = [None if value is DEFAULT else value for value in values]
    if not all(value is None or type(value) is int for value in limits):
        raise request.invalid()
    return IntegerType(*limits) if any(x is not None for x in limits) else INTEGER


def _float(request: Request) -> Type:
    values = request.parameters
    if len(values) not in (1, 2):
        raise request.count_problem("Float", "1 or 2")
    limits = [None if value is DEFAULT else value for value in values]
    if not all(value is None or type(value) in (int, float) for value in limits):
        raise request.invalid()
    floats = [None if value is None else float(value) for value in limits]
    return FloatType(*floats) if any(x is not None for x in floats) else FLOAT


def _not_undef(request: Request) -> Type:
    if len(request.parameters) > 1:
        raise request.count_problem("NotUndef", "0 to 1")
    value = request.parameters[0]
    return NotUndefType(StringType(value=value) if isinstance(value, str) else request.type(value))


def _sensitive(request: Request) -> Type:
    if len(request.parameters) > 1:
        raise request.count_problem("Sensitive", "0 to 1")
    return sensitive_of(request.type(request.parameters[0]))


# The types of a Runtime's parameters.
_RUNTIME: dict[str, Type] = {
    "runtime": NON_EMPTY_STRING,
    "name_or_pattern": VariantType((NON_EMPTY_STRING, TupleType((REGEXP, STRING)))),
}


def _runtime(request: Request) -> Type:
    if len(request.parameters) != 2:
        raise request.count_problem("Runtime", "2")
    for (name, expected), value in zip(_RUNTIME.items(), request.parameters, strict=True):
        if value is not None:
            assert_instance(f"Runtime '{name}'", expected, value)
    return runtime(request.parameters)


def _timespan(request: Request) -> Type:
    if len(request.parameters) > 2:
        raise request.count_problem("Timespan", "0 to 2")
    return TimespanType(*map(timespan_limit, request.parameters))


def _timestamp(request: Request) -> Type:
    if len(request.parameters) > 2:
        raise request.count_problem("Timestamp", "0 to 2")
    return TimestampType(*map(timestamp_limit, request.parameters))


def _semver(request: Request) -> Type:
    if not request.parameters:
        raise request.count_problem("SemVer", "1 or more")
    return semver(request.parameters)


def _init(request: Request) -> Type:
    return InitType(request.type(request.parameters[0]), tuple(request.parameters[1:]))


def _object(request: Request) -> Type:
    if len(request.parameters) != 1:
        raise request.count_problem("Object", 1)
    return object_of(request.parameters[0], request.name)


def _type_set(request: Request) -> Type:
    if len(request.parameters) != 1:
        raise request.count_problem("TypeSet", 1)
    return type_set(request.parameters[0], request.name)


def _none(request: Request) -> Type:
    raise request.unparameterized()


BUILDERS: dict[str, Callable[[Request], Type]] = {
    "array": _array,
    "boolean": _boolean,
    "callable": _callable,
    "class": _class,
    "collection": _sized("Collection", CollectionType),
    "enum": _enum,
    "float": _float,
    "hash": _hash,
    "init": _init,
    "integer": _integer,
    "iterable": _around("Iterable", IterableType),
    "iterator": _around("Iterator", IteratorType),
    "notundef": _not_undef,
    "object": _object,
    "optional": _around("Optional", OptionalType, text=True),
    "pattern": _pattern,
    "regexp": _regexp,
    "resource": _resource,
    "runtime": _runtime,
    "semver": _semver,
    "sensitive": _sensitive,
    "string": _sized("String", StringType),
    "struct": _struct,
    "timespan": _timespan,
    "timestamp": _timestamp,
    "tuple": _tuple,
    "type": _around("Type", TypeType),
    "typeset": _type_set,
    "uri": _uri,
    "variant": _variant,
} | dict.fromkeys(
    ("any", "catalogentry", "data", "default", "numeric", "scalar", "semverrange", "undef"), _none
)
