"""The `new` of Object types: by position or by name."""

from __future__ import annotations

from typing import Any

from analyzer.frontends.puppet.types.assignable import assignable
from analyzer.frontends.puppet.types.construct.constructor import Constructor, Overload
from analyzer.frontends.puppet.types.model.base import ANY, UNDEF
from analyzer.frontends.puppet.types.model.collections import StructElement, StructType
from analyzer.frontends.puppet.types.model.objects import (
    MISSING,
    Member,
    ObjectType,
    ObjectValue,
)
from analyzer.frontends.puppet.types.model.strings import StringType
from analyzer.frontends.puppet.types.model.wrappers import OptionalType
from analyzer.frontends.puppet.types.problems import TypeProblem
from analyzer.frontends.puppet.types.signatures import SignatureParameter, signature_of
from analyzer.model.values import Deferred, Value


def by_position(found: ObjectType) -> list[Member]:
    """Return the attributes in the order in which `new` takes them, those with a value last."""
    given = [each for each in found.all_attributes().values() if each.is_given]
    return sorted(given, key=lambda each: each.value is not MISSING)


def is_required(attribute: Member) -> bool:
    """Return whether `new` must be given an attribute: it has no value, and undef is none."""
    return attribute.value is MISSING and not assignable(attribute.type, UNDEF)


def object_constructor(found: ObjectType) -> Constructor:
    """Return the `new` of an Object type.

    Raises:
        TypeProblem: there is a constant in place of an inherited attribute that is none.
    """
    _check_constants(found)
    ordered = by_position(found)
    least = sum(each.value is MISSING for each in ordered)

    def make_by_position(*values: object) -> Value:
        if len(values) < least:
            most = f"..{len(ordered)}" if least < len(ordered) else ""
            raise TypeProblem(
                f"wrong number of arguments (given {len(values)}, expected {least}{most})"
            )
        named = {each.name: value for each, value in zip(ordered, values, strict=False)}
        return make_by_name(named)

    def make_by_name(values: dict[str, Any]) -> Value:
        given = [each for each in found.all_attributes().values() if each.is_given]
        filled = {each.name: values.get(each.name, each.value) for each in given}
        filled = {name: None if value is MISSING else value for name, value in filled.items()}
        if found.object_name == "Deferred":
            return Deferred(filled["name"], tuple(filled["arguments"] or ()))
        return ObjectValue(found, filled)

    required = sum(map(is_required, ordered))
    params = [
        SignatureParameter(each.name, each.type or ANY, index >= required)
        for index, each in enumerate(ordered)
    ]
    hashed = SignatureParameter("hash", StructType(tuple(map(_element, ordered))))
    overloads = (
        Overload(signature_of([hashed]), make_by_name),
        Overload(signature_of(params), make_by_position),
    )
    return Constructor(f"new_{found.object_name}", overloads)


def _check_constants(found: ObjectType) -> None:
    given: set[str] = set()
    for owner in found.lineage():
        if any(each.kind == "constant" and each.name in given for each in owner.attributes):
            raise TypeProblem(
                f"Initializer for class  does not match the attributes of {found.name}"
            )
        given |= {each.name for each in owner.attributes if each.is_given}


def _element(attribute: Member) -> StructElement:
    key = StringType(value=attribute.name)
    return StructElement(key if is_required(attribute) else OptionalType(key), attribute.type)
