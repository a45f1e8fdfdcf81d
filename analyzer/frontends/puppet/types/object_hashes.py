"""The hashes that describe Object types, in Puppet's order (`_pcore_init_hash`)."""

from __future__ import annotations

from typing import Any

from analyzer.frontends.puppet.types.infer import infer_generic
from analyzer.frontends.puppet.types.model.base import Type
from analyzer.frontends.puppet.types.model.objects import MISSING, Member, ObjectType


def described(found: ObjectType) -> dict[str, Any]:
    """Return the hash that `Object[...]` takes to make a type; what is usual is left out."""
    constants = {each.name: each.value for each in found.attributes if _is_plain_constant(each)}
    others = [each for each in found.attributes if each.name not in constants]
    parts = {
        "annotations": found.annotations,
        "name": found.object_name,
        "parent": found.parent,
        "type_parameters": {each.name: _type_parameter(each) for each in found.type_parameters},
        "attributes": {each.name: _member(each) for each in others},
        "constants": constants,
        "functions": {each.name: _member(each) for each in found.functions},
    }
    shown = {key: value for key, value in parts.items() if value is not None and value != {}}
    if found.equality is not None:
        shown["equality"] = list(found.equality)
    if found.checks is not None:
        shown["checks"] = found.checks
    return shown


def _is_plain_constant(member: Member) -> bool:
    return member.kind == "constant" and member.type == infer_generic(member.value)


def _member(member: Member) -> Type | dict[str, Any]:
    parts = {
        "type": member.type,
        # A constant is final.
        "final": True if member.final and member.kind != "constant" else None,
        "override": True if member.override else None,
        "annotations": member.annotations,
        "kind": member.kind,
    }
    shown = {key: value for key, value in parts.items() if value is not None}
    if member.value is not MISSING:
        shown["value"] = member.value
    return member.type if len(shown) == 1 else shown


def _type_parameter(member: Member) -> Type | dict[str, Any]:
    inner: Type = getattr(member.type, "type", None) or member.type
    if member.value is MISSING or member.value is None:
        return inner
    return {"type": inner, "value": member.value}
