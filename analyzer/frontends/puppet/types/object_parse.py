"""Object types from the hashes that describe them."""

from __future__ import annotations

from typing import Any

from analyzer.frontends.puppet.types.base import Type
from analyzer.frontends.puppet.types.objects import MISSING, OBJECT, Attribute, ObjectType
from analyzer.frontends.puppet.types.problems import TypeProblem


def object_of(described: dict[str, Any]) -> Type:
    """The Object type of a hash with `name`, `parent`, `attributes`, `constants`, `functions`.

    Raises:
        TypeProblem: an attribute has no type.
    """
    if not described:
        return OBJECT
    given: dict[str, Any] = described.get("attributes") or {}
    constants: dict[str, Any] = described.get("constants") or {}
    attributes = [_attribute(name, value) for name, value in given.items()]
    attributes += [_constant(name, value) for name, value in constants.items()]
    functions: dict[str, Any] = described.get("functions") or {}
    return ObjectType(
        described.get("name"),
        described.get("parent"),
        tuple(attributes),
        tuple((name, value) for name, value in functions.items() if isinstance(value, Type)),
        dict(described),
    )


def _attribute(name: str, described: Any) -> Attribute:
    if isinstance(described, Type):
        return Attribute(name, described)
    found = described.get("type") if isinstance(described, dict) else None
    if not isinstance(found, Type):
        raise TypeProblem(f"attribute {name} has no type")
    return Attribute(name, found, described.get("value", MISSING), described.get("kind"))


def _constant(name: str, value: Any) -> Attribute:
    from analyzer.frontends.puppet.types.infer import infer_generic

    return Attribute(name, infer_generic(value), value, "constant")
