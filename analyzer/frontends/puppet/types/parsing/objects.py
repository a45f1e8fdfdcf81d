"""Object types from the hashes that describe them (Puppet's PObjectType)."""

from __future__ import annotations

from functools import cache
from typing import Any

from analyzer.frontends.puppet.types.model.base import Type
from analyzer.frontends.puppet.types.model.objects import MISSING, OBJECT, Attribute, ObjectType
from analyzer.frontends.puppet.types.model.wrappers import OptionalType
from analyzer.frontends.puppet.types.problems import TypeProblem

MEMBER = "Pattern[/\\A[a-z_]\\w*\\z/]"
MEMBERS = f"Hash[{MEMBER}, Any]"
DESCRIPTION = f"""Struct[{{
    Optional[name]                  => Pattern[/\\A[A-Z][\\w]*(?:::[A-Z][\\w]*)*\\z/],
    Optional[parent]                => Type,
    Optional[type_parameters]       => {MEMBERS},
    Optional[attributes]            => {MEMBERS},
    Optional[constants]             => {MEMBERS},
    Optional[functions]             => Hash[Variant[{MEMBER}, Pattern[/\\A\\[\\]\\z/]], Any],
    Optional[equality]              => Variant[{MEMBER}, Array[{MEMBER}]],
    Optional[equality_include_type] => Boolean,
    Optional[checks]                => Any,
    Optional[annotations]           => Any
}}]"""
ATTRIBUTE = """Struct[{
    type                  => Type,
    Optional[final]       => Boolean,
    Optional[override]    => Boolean,
    Optional[kind]        => Enum[constant, derived, given_or_derived, reference],
    Optional[value]       => Any,
    Optional[annotations] => Any
}]"""


def object_of(described: Any, name: str | None = None) -> Type:
    """The Object type of a hash with `parent`, `attributes`, `constants`, `functions`, ...

    A `name` given here goes before that in the hash.

    Raises:
        TypeProblem: the hash describes none.
    """
    if described == {} and name is None:
        return OBJECT
    asserted("object initializer", DESCRIPTION, described)
    name = name or described.get("name")
    parent = described.get("parent")
    given: dict[str, Any] = described.get("attributes") or {}
    constants: dict[str, Any] = described.get("constants") or {}
    label = name or "Object"
    attributes = [_attribute(label, key, value) for key, value in given.items()]
    attributes += [_constant(key, value) for key, value in constants.items()]
    functions: dict[str, Any] = described.get("functions") or {}
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


def asserted(subject: str, wanted: str, value: Any) -> Any:
    """The value, which is of a type.

    Raises:
        Mismatch: it is of another.
    """
    from analyzer.frontends.puppet.types.mismatches.assertions import assert_instance

    return assert_instance(subject, _type(wanted), value)


@cache
def _type(text: str) -> Type:
    from analyzer.frontends.puppet.types.parsing.parse import parse_type

    return parse_type(text)


def _attribute(label: str, name: str, described: Any) -> Attribute:
    what = f"attribute {label}[{name}]"
    if not isinstance(described, dict):
        found: Type = asserted(what, "Type", described)
        # What may be undef need not be given.
        return Attribute(name, found, None if isinstance(found, OptionalType) else MISSING)
    asserted(f"initializer for {what}", ATTRIBUTE, described)
    from analyzer.frontends.puppet.types.mismatches.assertions import assert_instance

    value = described.get("value", MISSING)
    if value is not MISSING:
        assert_instance(f"{what} value", described["type"], value)
    return Attribute(name, described["type"], value, described.get("kind"))


def _constant(name: str, value: Any) -> Attribute:
    from analyzer.frontends.puppet.types.infer import infer_generic

    return Attribute(name, infer_generic(value), value, "constant")


def _check_overrides(made: ObjectType, given: dict[str, Any], label: str) -> None:
    """Refuse attributes that override inherited ones unsaid, and those that say so in vain."""
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
        said = f"{what} attempts to override attribute {owner.name}[{name}]"
        if not overrides:
            raise TypeProblem(f"{said} without having override => true")
        if not attribute.type.assignable(described["type"]):
            raise TypeProblem(f"{said} with a type that does not match")
