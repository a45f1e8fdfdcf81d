"""The `new` of Object types: by position or by name."""

from __future__ import annotations

from typing import Any

from analyzer.frontends.puppet.types.construct.constructor import Constructor, Overload
from analyzer.frontends.puppet.types.model.base import ANY
from analyzer.frontends.puppet.types.model.collections import StructElement, StructType
from analyzer.frontends.puppet.types.model.objects import (
    MISSING,
    Attribute,
    ObjectType,
    ObjectValue,
)
from analyzer.frontends.puppet.types.model.strings import StringType
from analyzer.frontends.puppet.types.model.wrappers import OptionalType
from analyzer.frontends.puppet.types.signatures import Parameter, signature_of
from analyzer.model.values import Deferred, Value


def object_constructor(found: ObjectType) -> Constructor:
    """Return the `new` of an Object type."""
    every = found.all_attributes().values()
    given = [each for each in every if each.kind not in ("constant", "derived")]
    ordered = [*filter(_required, given), *(each for each in given if not each.required)]

    def by_position(*values: object) -> Value:
        named = {each.name: value for each, value in zip(ordered, values, strict=False)}
        return by_name(named)

    def by_name(values: dict[str, Any]) -> Value:
        filled = {each.name: values.get(each.name, each.value) for each in given}
        filled = {name: None if value is MISSING else value for name, value in filled.items()}
        if found.object_name == "Deferred":
            return Deferred(filled["name"], tuple(filled["arguments"] or ()))
        return ObjectValue(found, filled)

    params = [Parameter(each.name, each.type or ANY, not each.required) for each in ordered]
    hashed = Parameter("hash", StructType(tuple(map(_element, ordered))))
    overloads = (
        Overload(signature_of([hashed]), by_name),
        Overload(signature_of(params), by_position),
    )
    return Constructor(f"new_{found.object_name}", overloads)


def _required(attribute: Attribute) -> bool:
    return attribute.required


def _element(attribute: Attribute) -> StructElement:
    key = StringType(value=attribute.name)
    return StructElement(key if attribute.required else OptionalType(key), attribute.type)
