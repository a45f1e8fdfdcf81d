"""Types made of parameter values, for the TypeParser and the evaluator."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from analyzer.frontends.puppet.regex.translate import compiled
from analyzer.frontends.puppet.types.assignable import assignable
from analyzer.frontends.puppet.types.infer import infer_generic
from analyzer.frontends.puppet.types.model.base import UNDEF, UNIT, Type, ruby_class
from analyzer.frontends.puppet.types.model.callables import CallableType
from analyzer.frontends.puppet.types.model.catalog import (
    RESOURCE,
    ResourceType,
    RuntimeType,
    capitalize_segments,
)
from analyzer.frontends.puppet.types.model.collections import StructElement, StructType, TupleType
from analyzer.frontends.puppet.types.model.numbers import IntegerType
from analyzer.frontends.puppet.types.model.rich_data import SemVerType, URIType
from analyzer.frontends.puppet.types.model.strings import (
    EnumType,
    PatternType,
    RegexpType,
    StringType,
)
from analyzer.frontends.puppet.types.model.wrappers import NotUndefType, OptionalType
from analyzer.frontends.puppet.types.problems import TypeProblem
from analyzer.frontends.puppet.types.traits import is_callable
from analyzer.frontends.puppet.types.uris import parameters_of, parse_uri
from analyzer.model.timespan import Timespan
from analyzer.model.timestamp import Timestamp
from analyzer.model.values import DEFAULT, Regexp, Uri, Value
from analyzer.model.versions import SemVerRange, united

CLASS_REFERENCE = re.compile(r"(?:(?:::)?[A-Z]\w*)+\Z", re.ASCII)


def struct_key(key: object, value: Type) -> Type:
    """Return the type of a key of a Struct as it is written: a string, Optional or NotUndef of one.

    Raises:
        ValueError: it is no such thing.
    """

    if isinstance(key, str):
        if not key:
            raise ValueError("Struct element key cannot be an empty String")
        made = StringType(value=key)
        return OptionalType(made) if assignable(value, UNDEF) else made
    found: Type | None = None
    if isinstance(key, NotUndefType):
        found = key = key.type
    elif isinstance(key, OptionalType):
        found = key.type
    elif isinstance(key, StringType):
        found = key
    elif isinstance(key, EnumType):
        found = StringType(value=key.values[0]) if len(key.values) == 1 else None
        key = found or key
    else:
        raise ValueError(
            "Illegal Struct member key type. Expected NotUndef, Optional, String, or Enum. "
            f"Got: {ruby_class(key)}"
        )
    if not isinstance(found, StringType) or found.value is None:
        raise ValueError(
            "Unable to extract a non-empty literal string from Struct member key type "
            f"{key or UNDEF}"
        )
    assert isinstance(key, Type)
    return key


def optional_key(name: str) -> Type:
    """Return the type of a key of a Struct that may be missing."""
    return OptionalType(StringType(value=name))


def is_limit(value: object) -> bool:
    """Return whether a parameter is a limit of a size: an integer or default."""
    return type(value) is int or value is DEFAULT or value == "default"


def resource(name: object, title: str | None = None) -> Type:
    """Return the type of a resource, or of all of a type.

    Raises:
        TypeProblem: it is no name of a type.
    """
    if isinstance(name, ResourceType):
        return ResourceType(name.type_name, title)
    if name is None:
        return RESOURCE
    if not isinstance(name, str):
        raise TypeProblem(f"The type name cannot be a {ruby_class(name)}")
    shown = capitalize_segments(name)
    if not CLASS_REFERENCE.match(shown):
        raise TypeProblem(f"Illegal type name '{shown}'")
    return ResourceType(shown, title)


def pattern(values: Sequence[object]) -> Type:
    """Return the Pattern of regular expressions, of texts of such and of their types.

    Raises:
        TypeProblem: one of them is nothing of these.
    """
    sources: list[str] = []
    for value in values:
        if isinstance(value, str):
            compiled(value)
            sources.append(value)
        elif isinstance(value, Regexp):
            sources.append(value.source)
        elif isinstance(value, RegexpType):
            sources.append(value.pattern or "")
        elif isinstance(value, PatternType):
            sources += value.patterns
        else:
            raise TypeProblem(
                "Only String, Regexp, Pattern-Type, and Regexp-Type are allowed: got "
                f"'{ruby_class(value)}"
            )
    return PatternType(tuple(dict.fromkeys(sources)))


def uri(value: object) -> Type:
    """Return the URI type of a text or of a hash of its parts."""
    if isinstance(value, str):
        return URIType(parameters_of(parse_uri(value)))
    return URIType(tuple(value.items()) if isinstance(value, dict) else ())


def has_uri_parts(value: str | dict[Value, Value]) -> bool:
    """Return whether the keys of a hash are names of the parts of a URI."""
    return isinstance(value, str) or set(value) <= set(Uri.__slots__) - {"text"}


def sized_count(values: Sequence[object]) -> int:
    """Return how many parameters at the end are the limits of a size."""
    if len(values) > 1 and is_limit(values[-2]):
        return 2
    return 1 if values and is_limit(values[-1]) else 0


def callable_of(values: Sequence[Any]) -> Type:
    """Return the Callable of types, limits of their number and the type of a block; or of a list of
    these and what is returned."""
    returns = None
    if len(values) == 2 and isinstance(values[0], list):
        values, returns = values
        returns = returns if isinstance(returns, Type) else _generic(returns)
    values = list(values)
    block = None
    if values and isinstance(values[-1], Type) and is_callable(values[-1]):
        block = values.pop()
    count = sized_count(values)
    size = None
    if count:
        limits = [value if type(value) is int else None for value in values[-count:]]
        size = IntegerType(limits[0], limits[1] if count == 2 else None)
        values = values[:-count]
    if not values and size is not None and size.high != 0:
        values = [UNIT]
    types = tuple(value if isinstance(value, Type) else _generic(value) for value in values)
    return CallableType(TupleType(types, size), block, returns)


def _generic(value: object) -> Type:
    return RuntimeType("ruby", value) if isinstance(value, str) else infer_generic(value)


def struct(entries: dict[object, object]) -> Type:
    """Return the Struct of keys and types.

    Raises:
        TypeProblem: a key is none.
    """
    elements = []
    for key, value in entries.items():
        found = value if isinstance(value, Type) else _generic(value)
        elements.append(StructElement(struct_key(key, found), found))
    return StructType(tuple(elements))


def runtime(values: Sequence[Any]) -> Type:
    """Return the type of a runtime's class."""
    name = values[1]
    return RuntimeType(values[0], tuple(name) if isinstance(name, list) else name)


def timespan_limit(value: object) -> Timespan | None:
    """Return a limit of a Timespan: a span, a text, seconds, a hash; default stands for none."""
    if isinstance(value, dict):
        if "string" in value:
            return Timespan.parse(value["string"], value.get("format") or ())
        return Timespan.of(value)
    if value is None or value is DEFAULT:
        return None
    if isinstance(value, Timespan):
        return value
    if isinstance(value, str):
        return Timespan.parse(value)
    return Timespan(_nanoseconds(value, "Timespan"))


def timestamp_limit(value: object) -> Timestamp | None:
    """Return a limit of a Timestamp: a moment, a text, seconds, a hash; default stands for none."""
    if isinstance(value, dict):
        if "string" not in value:
            raise TypeProblem("no implicit conversion of nil into String")
        return Timestamp.parse(value["string"], value.get("format"), value.get("timezone"))
    if value is None or value is DEFAULT:
        return None
    if isinstance(value, Timestamp):
        return value
    if isinstance(value, str):
        return Timestamp.parse(value)
    return Timestamp(_nanoseconds(value, "Timestamp"))


def _nanoseconds(value: Any, kind: str) -> int:
    if type(value) not in (int, float):
        raise TypeProblem(
            f"Unable to create a Puppet::Pops::Time::{kind} from a {ruby_class(value)}"
        )
    return int(value * 10**9)


def semver(values: Sequence[Any]) -> Type:
    """Return the type of versions in ranges."""
    ranges = [x if isinstance(x, SemVerRange) else SemVerRange.parse(x) for x in values]
    return SemVerType(united(ranges))
