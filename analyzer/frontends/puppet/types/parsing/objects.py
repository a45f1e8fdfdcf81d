"""Object types from the hashes that describe them (Puppet's PObjectType)."""

from __future__ import annotations

from typing import Any

from analyzer.frontends.puppet.types.assignable import assignable
from analyzer.frontends.puppet.types.infer import infer_generic
from analyzer.frontends.puppet.types.mismatches.assertions import assert_instance
from analyzer.frontends.puppet.types.model.base import ANY, Type
from analyzer.frontends.puppet.types.model.collections import ArrayType, HashType
from analyzer.frontends.puppet.types.model.numbers import BOOLEAN
from analyzer.frontends.puppet.types.model.objects import MISSING, OBJECT, Attribute, ObjectType
from analyzer.frontends.puppet.types.model.strings import EnumType, PatternType
from analyzer.frontends.puppet.types.model.wrappers import TYPE, OptionalType, VariantType
from analyzer.frontends.puppet.types.parsing.make import optional_key, struct
from analyzer.frontends.puppet.types.problems import TypeProblem
from analyzer.model.values import Value

_MEMBER = PatternType((r"\A[a-z_]\w*\z",))
_MEMBERS = HashType(_MEMBER, ANY)
_DESCRIPTION = struct(
    {
        optional_key("name"): PatternType((r"\A[A-Z][\w]*(?:::[A-Z][\w]*)*\z",)),
        optional_key("parent"): TYPE,
        optional_key("type_parameters"): _MEMBERS,
        optional_key("attributes"): _MEMBERS,
        optional_key("constants"): _MEMBERS,
        optional_key("functions"): HashType(
            VariantType((_MEMBER, PatternType((r"\A\[\]\z",)))), ANY
        ),
        optional_key("equality"): VariantType((_MEMBER, ArrayType(_MEMBER))),
        optional_key("equality_include_type"): BOOLEAN,
        optional_key("checks"): ANY,
        optional_key("annotations"): ANY,
    }
)
_ATTRIBUTE = struct(
    {
        "type": TYPE,
        optional_key("final"): BOOLEAN,
        optional_key("override"): BOOLEAN,
        optional_key("kind"): EnumType(("constant", "derived", "given_or_derived", "reference")),
        optional_key("value"): ANY,
        optional_key("annotations"): ANY,
    }
)


def object_of(described: Any, name: str | None = None) -> Type:
    """Return the Object type of a hash with `parent`, `attributes`, `constants`, `functions`, ...

    A `name` given here goes before that in the hash.

    Raises:
        TypeProblem: the hash describes none.
    """
    if described == {} and name is None:
        return OBJECT
    assert_instance("object initializer", _DESCRIPTION, described)
    name = name or described.get("name")
    parent = described.get("parent")
    given: dict[str, Value] = described.get("attributes") or {}
    constants: dict[str, Value] = described.get("constants") or {}
    label = name or "Object"
    attributes = [_attribute(label, key, value) for key, value in given.items()]
    attributes += [_constant(key, value) for key, value in constants.items()]
    functions: dict[str, Value] = described.get("functions") or {}
    shown = {key: value for key, value in described.items() if key != "name"}
    made = ObjectType(
        name,
        parent,
        tuple(attributes),
        tuple((key, value) for key, value in functions.items() if isinstance(value, Type)),
        {"name": name, **shown} if name else shown,
    )
    _check_overrides(made, given, label)
    return made


def _attribute(label: str, name: str, described: Any) -> Attribute:
    what = f"attribute {label}[{name}]"
    if not isinstance(described, dict):
        found: Type = assert_instance(what, TYPE, described)
        # What may be undef need not be given.
        return Attribute(name, found, None if isinstance(found, OptionalType) else MISSING)
    assert_instance(f"initializer for {what}", _ATTRIBUTE, described)
    value = described.get("value", MISSING)
    if value is not MISSING:
        assert_instance(f"{what} value", described["type"], value)
    return Attribute(name, described["type"], value, described.get("kind"))


def _constant(name: str, value: object) -> Attribute:
    return Attribute(name, infer_generic(value), value, "constant")


def _check_overrides(made: ObjectType, given: dict[str, Any], label: str) -> None:
    """Refuse attributes that override inherited ones unsaid, and those that override nothing."""
    inherited = {
        attribute.name: (owner, attribute)
        for owner in [*made.ancestors()][1:]
        if isinstance(owner, ObjectType)
        for attribute in owner.attributes
    }
    for name, described in given.items():
        overrides = isinstance(described, dict) and described.get("override", False)
        what = f"attribute {label}[{name}]"
        if name not in inherited:
            if overrides:
                raise TypeProblem(
                    f"expected {what} to override an inherited attribute, but no such attribute "
                    "was found"
                )
            continue
        owner, attribute = inherited[name]
        problem = f"{what} attempts to override attribute {owner.name}[{name}]"
        if not overrides:
            raise TypeProblem(f"{problem} without having override => true")
        if not assignable(attribute.type, described["type"]):
            raise TypeProblem(f"{problem} with a type that does not match")
