"""annotate: objects that are attached to other objects (Puppet's Annotation)."""

from __future__ import annotations

from typing import Any

from analyzer.frontends.puppet.functions.registry import Call, Depth, function
from analyzer.frontends.puppet.types.model.objects import ObjectType, ObjectValue
from analyzer.model.values import Unknown, Value

NOT_KEPT = "what annotate adds to anything but an object of an Object type is not known here"


@function(
    "annotate",
    "Type[Annotation] $type, Any $value, &Optional[Callable[0, 0]] $block",
    depth=Depth.ARGUMENTS,
)
def annotation(call: Call, kind: ObjectType, value: Any) -> Value:
    """Return the annotation that a value has; if it has none, that of the block's hash."""
    declared = of_type(value).get(kind)
    if declared is not None:
        return call.call("new", kind, declared)
    if not isinstance(value, ObjectValue):
        return Unknown(NOT_KEPT)
    present = value.annotations.get(kind.name)
    if present is not None or call.block is None:
        return present
    described = call.block()
    return None if described is None else add(call, kind, value, described)


@function(
    "annotate",
    "Type[Annotation] $type, Any $value, "
    "Variant[Enum[clear], Hash[Pcore::MemberName, Any]] $annotation_hash",
    depth=Depth.ARGUMENTS,
)
def annotate(call: Call, kind: ObjectType, value: Any, described: Any) -> Value:
    """Add an annotation to a value and return it; `clear` takes it off."""
    clear = described == "clear"
    if kind in of_type(value):
        verb = "clear" if clear else "redefine"
        call.fail(f"attempt to {verb} {kind.name} annotation declared on {value.name}")
    if not clear:
        return add(call, kind, value, described)
    return value.annotations.pop(kind.name, None) if isinstance(value, ObjectValue) else None


@function(
    "annotate",
    "Type[Pcore] $type, Any $value, "
    "Hash[Type[Annotation], Hash[Pcore::MemberName, Any]] $annotations",
    depth=Depth.ARGUMENTS,
)
def annotate_all(call: Call, kind: ObjectType, value: Value, described: dict[Any, Any]) -> Value:
    """Add several annotations to a value, where it has none of their types; return the value."""
    for each, one in described.items():
        if not (isinstance(value, ObjectValue) and each.name in value.annotations):
            add(call, each, value, one)
    return value


def of_type(value: Any) -> dict[Any, Any]:
    """Return the annotations that the description of a type has."""
    return value.annotations or {} if isinstance(value, ObjectType) else {}


def add(call: Call, kind: ObjectType, value: Value, described: Any) -> Value:
    """Make an annotation and keep it with an object."""
    made = call.call("new", kind, described)
    if isinstance(value, ObjectValue):
        value.annotations[kind.name] = made
    return made
