"""Classes, defines, nodes, functions, plans and types."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from analyzer.frontends.puppet.syntax.ast.calls import Parameter
    from analyzer.frontends.puppet.syntax.ast.node import Node


class HostClassDefinition(NamedTuple):
    """`class name(parameters) inherits parent_class { body }`."""

    offset: int
    length: int
    name: str
    parameters: tuple[Parameter, ...]
    parent_class: str | None
    body: Node | None


class ResourceTypeDefinition(NamedTuple):
    """`define name(parameters) { body }`."""

    offset: int
    length: int
    name: str
    parameters: tuple[Parameter, ...]
    body: Node | None


class NodeDefinition(NamedTuple):
    """`node host_matches inherits parent { body }`."""

    offset: int
    length: int
    host_matches: tuple[Node, ...]
    parent: Node | None
    body: Node | None


class FunctionDefinition(NamedTuple):
    """`function name(parameters) >> return_type { body }`."""

    offset: int
    length: int
    name: str
    parameters: tuple[Parameter, ...]
    body: Node | None
    return_type: Node | None


class PlanDefinition(NamedTuple):
    """`plan name(parameters) { body }`."""

    offset: int
    length: int
    name: str
    parameters: tuple[Parameter, ...]
    body: Node | None
    return_type: Node | None


class ApplyExpression(NamedTuple):
    """`apply(arguments) { body }` of a plan."""

    offset: int
    length: int
    arguments: tuple[Node, ...]
    body: ApplyBlockExpression


class ApplyBlockExpression(NamedTuple):
    """The block of an apply."""

    offset: int
    length: int
    statements: tuple[Node, ...]


class TypeAlias(NamedTuple):
    """`type Name = type_expr`."""

    offset: int
    length: int
    name: str
    type_expr: Node


class TypeMapping(NamedTuple):
    """`type Runtime[...] = type`."""

    offset: int
    length: int
    type_expr: Node
    mapping_expr: Node


class TypeDefinition(NamedTuple):
    """`type Name inherits Parent { body }`, reserved for the future."""

    offset: int
    length: int
    name: str
    parent: str | None
    body: Node | None


class Program(NamedTuple):
    """A whole file; `definitions` are its classes, defines, nodes, functions, plans, types."""

    offset: int
    length: int
    body: Node
    definitions: tuple[Node, ...]
