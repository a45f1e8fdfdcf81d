"""`Type[title]` and `Class[name]`: references, and parameters of what is declared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.ast import Node
from analyzer.frontends.puppet.evaluate.access import flat
from analyzer.frontends.puppet.evaluate.errors import EvaluationError, Unit
from analyzer.frontends.puppet.types.catalog import ClassType, ResourceType
from analyzer.model.names import capitalize_type

if TYPE_CHECKING:
    from analyzer.frontends.puppet.compiler.compiler import Compiler


def specialize(
    compiler: Compiler, kind: ClassType | ResourceType, keys: list[Any], node: Any, unit: Unit
) -> Any:
    """Return references to titles, or the values of parameters of one resource.

    Several keys, or an array of them, yield an array; undef among them is left out.

    Raises:
        EvaluationError: a title is no string, or the resource or parameter is not there.
    """
    keys = list(keys)
    if isinstance(kind, ResourceType) and kind.type_name is None:
        kind = named(keys.pop(0), node, unit)
    several = len(keys) > 1 or (bool(keys) and isinstance(keys[0], list))
    titles = [key for key in flat(keys) if key is not None]
    if keys and not titles:
        return [] if several else None
    title = kind.class_name if isinstance(kind, ClassType) else kind.title
    if title is not None:
        found = [parameter(compiler, kind, name, node, unit) for name in titles]
    elif isinstance(kind, ClassType):
        found = [ClassType(class_name(one, node, unit)) for one in titles]
    elif not titles:
        return kind
    else:
        found = [reference(compiler, kind, one, node, unit) for one in titles]
    return found if several else found[-1]


def named(value: Any, node: Any, unit: Unit) -> ResourceType:
    """Return the type of `Resource[type]`."""
    if isinstance(value, ResourceType):
        return value
    if isinstance(value, str):
        return ResourceType(capitalize_type(value))
    raise EvaluationError(f"{value} is no name of a resource type", unit, node)


def reference(
    compiler: Compiler, kind: ResourceType, title: Any, node: Any, unit: Unit
) -> ResourceType:
    """Return the reference to a title."""
    if not isinstance(title, str):
        shown = "Default" if str(title) == "default" else compiler.type_word(title)
        message = (
            f"Error creating type specialization of {article(kind)} {kind.type_name}-Type, "
            f"Cannot use {shown} where a resource title String is expected"
        )
        raise EvaluationError(message, unit, node)
    return ResourceType(capitalize_type(kind.type_name or ""), title)


def article(kind: ResourceType) -> str:
    """Return the article of a type's name."""
    return "an" if (kind.type_name or " ")[0] in "AEIOU" else "a"


def class_name(value: Any, node: Any, unit: Unit) -> str:
    """Return the name of a class from what stands in `Class[...]`."""
    if isinstance(value, ClassType):
        return value.class_name or ""
    if isinstance(value, ResourceType):
        return (value.type_name or "").lower()
    if isinstance(value, str):
        return value.lower().removeprefix("::")
    message = (
        f"Illegal Class name in class reference. {value} cannot be used where a String is expected"
    )
    raise EvaluationError(message, unit, node)


def parameter(
    compiler: Compiler, kind: ClassType | ResourceType, name: Any, node: Node, unit: Unit
) -> Any:
    """Return the value of a declared resource's parameter, or its type's default."""
    entry = compiler.find_ref(kind)
    if isinstance(kind, ClassType):
        type_name, title = "Class", kind.class_name
    else:
        type_name, title = kind.type_name or "", kind.title
    if entry is None:
        raise EvaluationError(f"Resource not found: {type_name}['{title}']", unit, node)
    declared = entry.definition
    names = {p.name for p in declared.node.parameters} if declared is not None else None
    known = isinstance(name, str) and (names is None or name in names or name in COMMON)
    if not known:
        raise EvaluationError(
            f"The resource {type_name.capitalize()}['{title}'] does not have a parameter "
            f"called '{name}'",
            unit,
            node,
        )
    value = entry.get(name)
    scope = entry.scope
    while value is None and scope is not None:
        value = scope.defaults.get(entry.type, {}).get(name)
        scope = scope.caller
    return value


# Parameters that every resource has (Type.metaparams).
COMMON = frozenset(
    [
        "alias",
        "audit",
        "before",
        "loglevel",
        "name",
        "noop",
        "notify",
        "require",
        "schedule",
        "stage",
        "subscribe",
        "tag",
        "title",
    ]
)
