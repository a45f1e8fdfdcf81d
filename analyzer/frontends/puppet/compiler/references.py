"""`Type[title]` and `Class[name]`: references, and parameters of declared resources."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from analyzer.frontends.puppet.compiler.declared.compilation import Compilation
from analyzer.frontends.puppet.compiler.declared.entry import key_of
from analyzer.frontends.puppet.evaluate.errors import EvaluationError, Unit
from analyzer.frontends.puppet.evaluate.machine import Machine
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.frontends.puppet.types.model.aliases import TypeAliasType
from analyzer.frontends.puppet.types.model.base import Type
from analyzer.frontends.puppet.types.model.catalog import ClassType, ResourceType
from analyzer.frontends.puppet.types.model.wrappers import Iteration
from analyzer.frontends.puppet.types.problems import AccessProblem
from analyzer.frontends.puppet.types.specialize import access
from analyzer.model.names import capitalize_type
from analyzer.model.values import Unknown, Value, flat

NO_TITLE = 'No title provided and "{}" is not a valid resource reference'


def specialize(
    compilation: Compilation, kind: Type, keys: list[Value], node: Any, unit: Unit
) -> Value:
    """Return a type with parameters, references to titles, or parameters of one resource.

    Raises:
        EvaluationError: the type takes no such keys, or the resource or parameter is not there.
    """
    title = getattr(kind, "class_name", None) or getattr(kind, "title", None)
    if isinstance(kind, (ClassType, ResourceType)) and title is not None:
        several = len(keys) > 1 or isinstance(keys[0], list)
        found = [parameter(compilation, kind, name, node, unit) for name in flat(keys)]
        return found if several else found[-1]
    if isinstance(kind, (ClassType, ResourceType)) and None in flat(keys):
        compilation.untitled.append((unit, node))
    try:
        return access.specialize(kind, keys)
    except AccessProblem as problem:
        at = node.keys[problem.key] if problem.key is not None else node
        raise EvaluationError(str(problem), unit, at) from None
    except ValueError as problem:
        raise EvaluationError(str(problem), unit, node) from None


def as_resources(value: Value) -> Any:
    """Return the type of resources that a name of a missing module stands for where one is meant.

    Any other value is returned as it is.
    """
    if isinstance(value, TypeAliasType) and value.missing:
        return ResourceType(capitalize_type(value.name.removeprefix("::")))
    return value


def parameter(
    compilation: Compilation, kind: ClassType | ResourceType, name: Value, node: Node, unit: Unit
) -> Value:
    """Return the value of a declared resource's parameter, or its type's default."""
    entry = compilation.find_ref(kind)
    if isinstance(kind, ClassType):
        type_name, title = "Class", kind.class_name
    else:
        type_name, title = kind.type_name or "", kind.title
    if entry is None:
        raise EvaluationError(f"Resource not found: {type_name}['{title}']", unit, node)
    declared = entry.definition
    type = compilation.definitions.ruby_type(type_name)
    names: Container[str] | None = None if type is None or type.open else type.attributes
    if declared is not None and not declared.missing:
        names = {"title", *(p.name for p in declared.node.parameters)}
    if not isinstance(name, str) or (
        names is not None and name not in names and name not in COMMON
    ):
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
    if value is None and declared is not None and declared.missing:
        return Unknown(f"{entry.ref} {declared.missing}")
    return value


def key_to_override(
    compilation: Compilation, ref: ResourceType, node: Node, unit: Unit
) -> tuple[str, str]:
    """Return type and title of the resource whose attributes a statement changes.

    What is no type of resources counts as the one of classes (Puppet::Resource#initialize).

    Raises:
        EvaluationError: the reference has no title.
    """
    name = ref.type_name or ""
    define = compilation.definitions.find("define", name)
    known = (
        define is not None
        or compilation.definitions.has_ruby_type(name)
        or compilation.definitions.missing_type(name) != ""
    )
    if ref.title is None:
        shown = f":{name.lower()}" if define is None else f'"{define.name}"'
        problem = f"{shown if known else 'nil'} is not a valid resource reference"
        raise EvaluationError(f"No title provided and {problem}", unit, node)
    return key_of(ref if known else ResourceType("class", ref.title))


def as_parameter(value: Value, machine: Machine, node: Node, unit: Unit) -> Value:
    """Return a value as a parameter holds it: with references as resources.

    Raises:
        EvaluationError: there is a reference to the type of all classes in it, or an Iterator.
    """
    kind = type(value)
    if kind is str or kind is int:
        return value
    return resources_in(value, machine, node, unit) if has_reference(value) else value


def has_reference(value: Any) -> bool:
    """Return whether there is a reference, or an Iterator, in a value."""
    kind = type(value)
    if kind is str or kind is int:
        return False
    if kind is list or kind is dict:
        for one in value if kind is list else value.values():
            if type(one) is not str and has_reference(one):
                return True
        return False
    return kind is ResourceType or kind is ClassType or isinstance(value, Iteration)


def resources_in(value: Value, machine: Machine, node: Node, unit: Unit) -> Value:
    """Return a value with its references as resources.

    Raises:
        EvaluationError: there is a reference to the type of all classes in it, or an Iterator.
    """
    if isinstance(value, list):
        return [resources_in(one, machine, node, unit) for one in value]
    if isinstance(value, dict):
        return {key: resources_in(one, machine, node, unit) for key, one in value.items()}
    if isinstance(value, (ClassType, ResourceType)) and key_of(value) == ("Class", ""):
        raise EvaluationError(NO_TITLE.format("class"), unit, node)
    if isinstance(value, Iteration):
        raise EvaluationError("Use of an Iterator is not supported here", unit, node)
    return as_resource(value, machine) if isinstance(value, ResourceType) else value


def as_resource(ref: ResourceType, machine: Machine) -> ResourceType:
    """Return a reference as a resource: of what is no type, one to a class.

    Puppet takes the name of an unknown type for none, and a resource without a type for a class
    (Puppet::Resource#initialize).
    """
    name = ref.type_name
    if not name or ref.folded_name == "class" or machine.resource_exists(name):
        return ref
    if isinstance(machine, Compilation) and is_elsewhere(machine, name):
        return ref
    return ResourceType("class", capitalize_type(ref.title or "main"))


def is_elsewhere(compilation: Compilation, name: str) -> bool:
    """Return whether a type may be of a module that a server has, and this checkout has not."""
    first, qualified, _ = name.lower().removeprefix("::").partition("::")
    known = compilation.inputs.strict or not qualified
    return not known and compilation.definitions.module(first) is None


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
    ]
)
