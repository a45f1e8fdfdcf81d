"""Nodes that only EPP templates have."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from analyzer.frontends.puppet.syntax.ast.node import Node


class EppExpression(NamedTuple):
    """The body of an EPP template."""

    offset: int
    length: int
    parameters_specified: bool
    body: Node | None


class RenderStringExpression(NamedTuple):
    """Text of a template."""

    offset: int
    length: int
    value: str


class RenderExpression(NamedTuple):
    """`<%= expr %>`."""

    offset: int
    length: int
    expr: Node
