"""Object types from the hashes that describe them (Puppet's PObjectType)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from analyzer.frontends.puppet.types.assignable import assignable
from analyzer.frontends.puppet.types.infer import infer_generic
from analyzer.frontends.puppet.types.instance import instance
from analyzer.frontends.puppet.types.mismatches.assertions import assert_instance
from analyzer.frontends.puppet.types.model.aliases import TypeReferenceType, resolved
from analyzer.frontends.puppet.types.model.base import ANY, Type
from analyzer.frontends.puppet.types.model.builtin import ANNOTATION, MEMBER_NAME
from analyzer.frontends.puppet.types.model.callables import CALLABLE
from analyzer.frontends.puppet.types.model.collections import ArrayType, HashType
from analyzer.frontends.puppet.types.model.numbers import BOOLEAN
from analyzer.frontends.puppet.types.model.objects import (
    MISSING,
    OBJECT,
    Member,
    ObjectType,
    ParameterizedObject,
)
from analyzer.frontends.puppet.types.model.strings import EnumType, PatternType
from analyzer.frontends.puppet.types.model.wrappers import (
    NOT_UNDEF,
    TYPE,
    OptionalType,
    TypeType,
    VariantType,
)
from analyzer.frontends.puppet.types.parsing.make import optional_key, struct
from analyzer.frontends.puppet.types.problems import TypeProblem
from analyzer.model.values import DEFAULT

_MEMBERS = HashType(MEMBER_NAME, NOT_UNDEF)
_ANNOTATIONS = OptionalType(HashType(TypeType(ANNOTATION), HashType(MEMBER_NAME, ANY)))
_FUNCTION_TYPE = TypeType(CALLABLE)
_DESCRIPTION = struct(
    {
        optional_key("name"): PatternType((r"\A[A-Z][\w]*(?:::[A-Z][\w]*)*\z",)),
        optional_key("parent"): TYPE,
        optional_key("type_parameters"): _MEMBERS,
        optional_key("attributes"): _MEMBERS,
        optional_key("constants"): HashType(MEMBER_NAME, ANY),
        optional_key("functions"): HashType(
            VariantType((MEMBER_NAME, PatternType((r"\A\[\]\z",)))), NOT_UNDEF
        ),
        optional_key("equality"): VariantType((MEMBER_NAME, ArrayType(MEMBER_NAME))),
        optional_key("equality_include_type"): BOOLEAN,
        optional_key("checks"): ANY,
        optional_key("annotations"): _ANNOTATIONS,
    }
)
_FUNCTION = struct(
    {
        "type": _FUNCTION_TYPE,
        optional_key("final"): BOOLEAN,
        optional_key("override"): BOOLEAN,
        optional_key("annotations"): _ANNOTATIONS,
    }
)
_ATTRIBUTE = struct(
    {
        "type": TYPE,
        optional_key("final"): BOOLEAN,
        optional_key("override"): BOOLEAN,
        optional_key("kind"): EnumType(("constant", "derived", "given_or_derived", "reference")),
        optional_key("value"): ANY,
        optional_key("annotations"): _ANNOTATIONS,
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
    label = name or "Object"
    equality = described.get("equality")
    made = ObjectType(
        name,
        _checked_parent(described.get("parent"), label),
        _attributes(label, described, _inherited(described)),
        tuple(_function(label, *each) for each in (described.get("functions") or {}).items()),
        tuple(
            _type_parameter(label, *each)
            for each in (described.get("type_parameters") or {}).items()
        ),
        (equality,) if isinstance(equality, str) else equality and tuple(equality),
        described.get("equality_include_type", True),
        described.get("checks"),
        described.get("annotations"),
    )
    if made.inherits_from(label):
        raise TypeProblem(f"The Object type '{label}' inherits from itself")
    _check_members(made, label)
    return made


def parameterized(base: ObjectType, values: Sequence[Any]) -> ParameterizedObject:
    """Return an Object type with values of its type parameters, by position or in one hash.

    Raises:
        TypeProblem: it has no such parameters.
    """
    names = base.all_type_parameters()
    if not names:
        raise TypeProblem(f"The {base.name}-Type cannot be parameterized using []")
    given: dict[str, Any] = dict(zip(names, values, strict=False))
    first = next(iter(names.values()))
    if len(values) == 1 and isinstance(values[0], dict) and not instance(first.type, values[0]):
        given = values[0]
    for name in given:
        if name not in names:
            raise TypeProblem(f"'{name}' is not a known type parameter for {base.name}-Type")
    checked = {
        name: assert_instance(names[name].label(base.name), names[name].type, value)
        for name, value in given.items()
        if value is not DEFAULT
    }
    if not checked:
        raise TypeProblem(
            f"The {base.name}-Type cannot be parameterized using an empty parameter list"
        )
    return ParameterizedObject(base, tuple(checked.items()))


def _checked_parent(parent: Type | None, label: str) -> Type | None:
    found = parent if parent is None or parent.name == label else resolved(parent)
    if isinstance(found, TypeReferenceType) and found != TypeReferenceType():
        raise TypeProblem(f"reference to unresolved type '{found.type_string}'")
    return parent


def _type_parameter(label: str, name: str, described: Any) -> Member:
    value = MISSING
    if isinstance(described, dict):
        value = described.get("value", MISSING)
        described = described.get("type")
    what = f"type_parameter {label}[{name}]"
    found: Type = assert_instance(what, TYPE, described)
    found = found if isinstance(found, OptionalType) else OptionalType(found)
    return Member(name, found, value, feature="type_parameter")


def _inherited(described: Any) -> set[str]:
    parent = described.get("parent")
    found = parent and resolved(parent)
    return set(found.all_members()) if isinstance(found, ObjectType) else set()


def _attributes(label: str, described: Any, inherited: set[str]) -> tuple[Member, ...]:
    given = described.get("attributes") or {}
    constants = described.get("constants") or {}
    for name in constants:
        if name in given:
            raise TypeProblem(
                f"attribute {label}[{name}] is defined as both a constant and an attribute"
            )
    attributes = [_attribute(label, key, value) for key, value in given.items()]
    for key, value in constants.items():
        overrides = key in inherited
        attributes.append(Member(key, infer_generic(value), value, "constant", True, overrides))
    return tuple(attributes)


def _attribute(label: str, name: str, described: Any) -> Member:
    what = f"attribute {label}[{name}]"
    if not isinstance(described, dict):
        found: Type = assert_instance(what, TYPE, described)
        # What may be undef need not be given.
        return Member(name, found, None if isinstance(found, OptionalType) else MISSING)
    assert_instance(f"initializer for {what}", _ATTRIBUTE, described)
    if name in ("__ptype", "__pvalue"):
        raise TypeProblem(f"The attribute '{name}' is reserved and cannot be used")
    kind, value = described.get("kind"), described.get("value", MISSING)
    if kind == "constant" and described.get("final") is False:
        raise TypeProblem(f"{what} of kind 'constant' cannot be combined with final => false")
    if value is MISSING:
        if kind == "constant":
            raise TypeProblem(f"{what} of kind 'constant' requires a value")
    elif kind in ("derived", "given_or_derived"):
        raise TypeProblem(f"{what} of kind '{kind}' cannot be combined with an attribute value")
    elif value is not DEFAULT:
        assert_instance(f"{what} value", described["type"], value)
    return Member(
        name,
        described["type"],
        value,
        kind,
        described.get("final", False) or kind == "constant",
        described.get("override", False),
        described.get("annotations"),
    )


def _function(label: str, name: str, described: Any) -> Member:
    if not isinstance(described, dict):
        found: Type = assert_instance(f"function {label}[{name}]", _FUNCTION_TYPE, described)
        return Member(name, found, feature="function")
    assert_instance(f"initializer for function '{name}'", _FUNCTION, described)
    return Member(
        name,
        described["type"],
        final=described.get("final", False),
        override=described.get("override", False),
        annotations=described.get("annotations"),
        feature="function",
    )


def _check_members(made: ObjectType, label: str) -> None:
    """Refuse members that override inherited ones unsaid, and an equality of no attributes."""
    parent = None if made.parent is None else resolved(made.parent)
    above = parent if isinstance(parent, ObjectType) else OBJECT
    inherited = above.all_members()
    parameters = {name: (above, each) for name, each in above.all_type_parameters().items()}
    own = {each.name for each in made.attributes}
    for each in made.type_parameters:
        _check_override(each, label, parameters)
    for each in made.attributes:
        _check_override(each, label, inherited)
    for each in made.functions:
        if each.name in own:
            raise TypeProblem(f"{each.label(label)} conflicts with attribute with the same name")
        _check_override(each, label, inherited)
    _check_equality(made, label, above)


def _check_override(
    member: Member, label: str, inherited: dict[str, tuple[ObjectType, Member]]
) -> None:
    what = member.label(label)
    if member.name not in inherited:
        if member.override:
            raise TypeProblem(
                f"expected {what} to override an inherited {member.feature}, but no such "
                f"{member.feature} was found"
            )
        return
    owner, other = inherited[member.name]
    constant = member.kind == "constant" == other.kind
    problem = f"{what} attempts to override {other.label(owner.name)}"
    if member.feature != other.feature:
        raise TypeProblem(problem)
    if other.final and not constant:
        raise TypeProblem(f"{what} attempts to override final {other.label(owner.name)}")
    if not (member.override or constant):
        raise TypeProblem(f"{problem} without having override => true")
    if not assignable(other.type, member.type):
        raise TypeProblem(f"{problem} with a type that does not match")


def _check_equality(made: ObjectType, label: str, above: ObjectType) -> None:
    if not made.equality:
        return
    if not made.equality_includes_type:
        raise TypeProblem(
            "equality_include_type = false cannot be combined with non empty equality specification"
        )
    members, counted = made.all_members(), above.equality_names()
    for name in made.equality:
        start = f"{label} equality is referencing"
        if name not in members:
            raise TypeProblem(f"{start} non existent attribute '{name}'")
        owner, member = members[name]
        shown = member.label(owner.name)
        if name in counted:
            raise TypeProblem(
                f"{start} {shown} which is included in equality of {counted[name].name}"
            )
        if member.feature == "function":
            raise TypeProblem(f"{start} {shown}. Only attribute references are allowed")
        if member.kind == "constant":
            raise TypeProblem(
                f"{start} constant {shown}. Reference to constant is not allowed in equality"
            )
