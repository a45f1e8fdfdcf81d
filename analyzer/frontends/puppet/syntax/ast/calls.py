"""Calls, lambdas and parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from analyzer.frontends.puppet.syntax.ast.node import Node


class CallNamedFunctionExpression(NamedTuple):
    """`name(arguments)`; `rval_required` unless it stands as a statement."""

    offset: int
    length: int
    functor_expr: Node
    rval_required: bool
    arguments: tuple[Node, ...]
    lambda_: LambdaExpression | None


class CallMethodExpression(NamedTuple):
    """`receiver.name(arguments)`."""

    offset: int
    length: int
    functor_expr: Node
    rval_required: bool
    arguments: tuple[Node, ...]
    lambda_: LambdaExpression | None


class LambdaExpression(NamedTuple):
    """`|parameters| >> type { body }`."""

    offset: int
    length: int
    parameters: tuple[Parameter, ...]
    body: Node | None
    return_type: Node | None


class Parameter(NamedTuple):
    """A parameter of a class, define, function, plan or lambda."""

    offset: int
    length: int
    name: str
    value: Node | None
    type_expr: Node | None
    captures_rest: bool
