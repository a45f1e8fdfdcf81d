"""Operations on one or two expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from analyzer.frontends.puppet.syntax.ast.node import Node


class ArithmeticExpression(NamedTuple):
    """`+ - * / % << >>`."""

    offset: int
    length: int
    operator: str
    left_expr: Node
    right_expr: Node


class ComparisonExpression(NamedTuple):
    """`== != < <= > >=`."""

    offset: int
    length: int
    operator: str
    left_expr: Node
    right_expr: Node


class MatchExpression(NamedTuple):
    """`=~` and `!~`."""

    offset: int
    length: int
    operator: str
    left_expr: Node
    right_expr: Node


class InExpression(NamedTuple):
    """`left in right`."""

    offset: int
    length: int
    left_expr: Node
    right_expr: Node


class AndExpression(NamedTuple):
    """`left and right`."""

    offset: int
    length: int
    left_expr: Node
    right_expr: Node


class OrExpression(NamedTuple):
    """`left or right`."""

    offset: int
    length: int
    left_expr: Node
    right_expr: Node


class NotExpression(NamedTuple):
    """`!expr`."""

    offset: int
    length: int
    expr: Node


class UnaryMinusExpression(NamedTuple):
    """`-expr`."""

    offset: int
    length: int
    expr: Node


class UnfoldExpression(NamedTuple):
    """`*expr`, the splat."""

    offset: int
    length: int
    expr: Node


class ParenthesizedExpression(NamedTuple):
    """`(expr)`."""

    offset: int
    length: int
    expr: Node


class AssignmentExpression(NamedTuple):
    """`=`, and `+=` and `-=` which no longer exist."""

    offset: int
    length: int
    operator: str
    left_expr: Node
    right_expr: Node


class RelationshipExpression(NamedTuple):
    """`-> ~> <- <~`."""

    offset: int
    length: int
    operator: str
    left_expr: Node
    right_expr: Node


class AccessExpression(NamedTuple):
    """`left[keys]`."""

    offset: int
    length: int
    left_expr: Node
    keys: tuple[Node, ...]


class NamedAccessExpression(NamedTuple):
    """`left.right`, the functor of a method call."""

    offset: int
    length: int
    left_expr: Node
    right_expr: Node
