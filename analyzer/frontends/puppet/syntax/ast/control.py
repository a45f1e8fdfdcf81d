"""Blocks and choices."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from analyzer.frontends.puppet.syntax.ast.node import Node


class BlockExpression(NamedTuple):
    """Several statements."""

    offset: int
    length: int
    statements: tuple[Node, ...]


class IfExpression(NamedTuple):
    """`if`; an `elsif` is an IfExpression in `else_expr`."""

    offset: int
    length: int
    test: Node
    then_expr: Node | None
    else_expr: Node | None


class UnlessExpression(NamedTuple):
    """`unless`."""

    offset: int
    length: int
    test: Node
    then_expr: Node | None
    else_expr: Node | None


class CaseExpression(NamedTuple):
    """`case`."""

    offset: int
    length: int
    test: Node
    options: tuple[CaseOption, ...]


class CaseOption(NamedTuple):
    """`values: { then }`."""

    offset: int
    length: int
    values: tuple[Node, ...]
    then_expr: Node | None


class SelectorExpression(NamedTuple):
    """`left ? { selectors }`."""

    offset: int
    length: int
    left_expr: Node
    selectors: tuple[SelectorEntry, ...]


class SelectorEntry(NamedTuple):
    """`matching => value` in a selector."""

    offset: int
    length: int
    matching_expr: Node
    value_expr: Node
