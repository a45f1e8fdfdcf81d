"""Resources, their defaults, overrides and collectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from analyzer.frontends.puppet.syntax.ast.node import Node


class ResourceExpression(NamedTuple):
    """`type { bodies }`; `form` is regular, virtual or exported."""

    offset: int
    length: int
    type_name: Node
    bodies: tuple[ResourceBody, ...]
    form: str


class ResourceBody(NamedTuple):
    """`title: operations`."""

    offset: int
    length: int
    title: Node
    operations: tuple[Operation, ...]


class ResourceDefaultsExpression(NamedTuple):
    """`Type { operations }`."""

    offset: int
    length: int
    type_ref: Node
    operations: tuple[Operation, ...]
    form: str


class ResourceOverrideExpression(NamedTuple):
    """`Type[title] { operations }`."""

    offset: int
    length: int
    resources: Node
    operations: tuple[Operation, ...]
    form: str


class AttributeOperation(NamedTuple):
    """`name => value` or `name +> value`."""

    offset: int
    length: int
    attribute_name: str
    operator: str
    value_expr: Node


class AttributesOperation(NamedTuple):
    """`* => hash`."""

    offset: int
    length: int
    expr: Node


class CollectExpression(NamedTuple):
    """`Type <| query |> { operations }`."""

    offset: int
    length: int
    type_expr: Node
    query: Node
    operations: tuple[Operation, ...]


class VirtualQuery(NamedTuple):
    """`<| expr |>`."""

    offset: int
    length: int
    expr: Node | None


class ExportedQuery(NamedTuple):
    """`<<| expr |>>`."""

    offset: int
    length: int
    expr: Node | None


Operation = AttributeOperation | AttributesOperation
