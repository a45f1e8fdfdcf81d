"""Values as the catalog of an agent has them (Serialization::ToDataConverter, rich_data)."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any

from analyzer.frontends.puppet.compiler.declared.entry import shown
from analyzer.frontends.puppet.types.construct.objects import by_position
from analyzer.frontends.puppet.types.model.base import ANY, Type
from analyzer.frontends.puppet.types.model.catalog import ClassType, ResourceType
from analyzer.frontends.puppet.types.model.collections import (
    ArrayType,
    HashType,
    StructType,
    TupleType,
)
from analyzer.frontends.puppet.types.model.numbers import BooleanType, FloatType, IntegerType
from analyzer.frontends.puppet.types.model.objects import (
    MISSING,
    ObjectType,
    ObjectValue,
    ParameterizedObject,
)
from analyzer.frontends.puppet.types.model.rich_data import TimespanType, TimestampType
from analyzer.frontends.puppet.types.model.strings import (
    EnumType,
    PatternType,
    RegexpType,
    StringType,
)
from analyzer.frontends.puppet.types.model.wrappers import (
    NotUndefType,
    OptionalType,
    SensitiveType,
    TypeType,
    VariantType,
)
from analyzer.frontends.puppet.types.object_hashes import described
from analyzer.frontends.puppet.types.rich_values import RICH_VALUES, RichValue
from analyzer.model.keys import of_key
from analyzer.model.values import Default, Deferred, Sensitive, Unknown, Value

TYPE, VALUE = "__ptype", "__pvalue"
Fields = dict[str, Any]


def data(value: Value) -> Value:
    """Return a value as data; what has no form of its own in JSON says its type."""
    if isinstance(value, (ResourceType, ClassType)):
        return shown(value)
    convert = FORMS.get(type(value))
    if convert is not None:
        return convert(value)
    return type_data(value) if isinstance(value, Type) else value


def of_hash(value: dict[Any, Any]) -> Fields:
    """Return a hash; keys that are no texts, or the key of types, make it an array of pairs."""
    if all(isinstance(key, str) and key != TYPE for key in value):
        return {key: data(one) for key, one in value.items()}
    pairs = [data(part) for key, one in value.items() for part in (of_key(key), one)]
    return {TYPE: "Hash", VALUE: pairs}


def of_deferred(value: Deferred) -> Fields:
    """Return a deferred call; arguments that are not given are left out."""
    arguments = {"arguments": data(list(value.arguments))} if value.arguments else {}
    return {TYPE: "Deferred", "name": value.name, **arguments}


def of_object(value: ObjectValue) -> Fields:
    """Return an object: its attributes, up to the last that has not its default."""
    given = by_position(value.type)
    while given and is_default(value, given[-1].name, given[-1].value):
        given.pop()
    fields = {each.name: data(value.attributes[each.name]) for each in given}
    return {TYPE: value.type.name, **fields}


def is_default(value: ObjectValue, name: str, default: object) -> bool:
    """Return whether an attribute has its default."""
    return default is not MISSING and bool(value.attributes[name] == default)


def form_of(rich: RichValue) -> Callable[[Any], Fields]:
    """Return the function that writes values of a kind with the name of their type."""
    return lambda value: {TYPE: rich.name, VALUE: rich.text(value)}


FORMS: dict[type, Callable[[Any], Any]] = {
    Default: lambda value: {TYPE: "Default"},
    Deferred: of_deferred,
    ObjectValue: of_object,
    Sensitive: lambda value: {TYPE: "Sensitive", VALUE: data(value.value)},
    dict: of_hash,
    list: lambda value: [data(one) for one in value],
    **{rich.kind: form_of(rich) for rich in RICH_VALUES},
}


def type_data(value: Type) -> Fields | Unknown:
    """Return a type as data, Unknown where its parameters have no form here."""
    fields = TYPES.get(type(value))
    if fields is None and str(value) != value.simple_name:
        return Unknown(f"the form of the type {value} in a catalog is not known here")
    found = fields(value) if fields else {}
    given = {name: one for name, one in found.items() if one is not None}
    return {TYPE: f"Pcore::{value.simple_name}Type", **given}


def limits(low: object, high: object) -> Fields | None:
    """Return the type of the numbers between two, None for all."""
    if low is None and high is None:
        return None
    bounds = {"from": low, "to": high}
    return {TYPE: "Pcore::IntegerType", **{k: v for k, v in bounds.items() if v is not None}}


def sizes(size: IntegerType | None) -> Fields | None:
    """Return the sizes of a text or a collection, None for all."""
    if size is None or size.limits == (0, inf):
        return None
    return limits(size.low, size.high)


def between(value: Any) -> Fields:
    """Return the limits of a type of times."""
    return {"from": data(value.low), "to": data(value.high)}


def of_string(value: StringType) -> Fields:
    """Return the parameters of `String`: its one value, or its sizes."""
    if value.value is not None:
        return {"size_type_or_value": value.value}
    return {"size_type_or_value": sizes(value.size)}


def of_tuple(value: TupleType) -> Fields:
    """Return the parameters of `Tuple`."""
    count = len(value.types)
    usual = value.sizes.limits == (count, count)
    return {
        "types": [type_data(one) for one in value.types],
        "size_type": None if usual else limits(value.sizes.low, value.sizes.high),
    }


def of_struct(value: StructType) -> Fields:
    """Return the parameters of `Struct`."""
    elements = [
        {
            TYPE: "Pcore::StructElement",
            "key_type": type_data(element.key),
            "value_type": type_data(element.value),
        }
        for element in value.elements
    ]
    return {"elements": elements}


def inner(value: Any) -> Fields:
    """Return the parameter of a type around another."""
    return {"type": None if value.type is None else type_data(value.type)}


def of_object_type(value: ObjectType) -> Fields:
    """Return the description of an Object type."""
    return {"_pcore_init_hash": data(described(value))}


TYPES: dict[type, Callable[[Any], Fields]] = {
    ArrayType: lambda value: {
        "element_type": None if str(value.element) == "Any" else type_data(value.element),
        "size_type": sizes(value.sizes),
    },
    BooleanType: lambda value: {},
    EnumType: lambda value: {"values": list(value.values)},
    FloatType: lambda value: {"from": value.low, "to": value.high},
    HashType: lambda value: {
        "key_type": None if str(value.key) == "Any" else type_data(value.key),
        "value_type": None if str(value.value) == "Any" else type_data(value.value),
        "size_type": sizes(value.sizes),
    },
    IntegerType: lambda value: {"from": value.low, "to": value.high},
    NotUndefType: inner,
    ObjectType: of_object_type,
    OptionalType: inner,
    ParameterizedObject: lambda value: {
        "base_type": type_data(value.base),
        "init_parameters": data([None if x is MISSING else x for x in value.positional or []]),
    },
    PatternType: lambda value: {
        "patterns": [{TYPE: "Pcore::RegexpType", "pattern": one} for one in value.patterns]
    },
    RegexpType: lambda value: {"pattern": value.pattern},
    SensitiveType: lambda value: {} if value.type == ANY else inner(value),
    StringType: of_string,
    TimespanType: between,
    TimestampType: between,
    StructType: of_struct,
    TupleType: of_tuple,
    TypeType: inner,
    VariantType: lambda value: {"types": [type_data(one) for one in value.types]},
}
