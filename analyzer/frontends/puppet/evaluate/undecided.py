"""Choices that an Unknown should have made: what they might assign is Unknown, too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.evaluate.errors import Unit
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.model.values import Unknown

if TYPE_CHECKING:
    from analyzer.frontends.puppet.evaluate.machine import Machine
    from analyzer.frontends.puppet.evaluate.scope import Scope


def undecided(
    value: Unknown, what: str, node: Any, machine: Machine, scope: Scope, unit: Unit
) -> Unknown:
    """Evaluate no branch of `if`, `unless` or `case`; variables of all of them are Unknown."""
    variables = scope.variables()
    for name in assigned_in(node):
        variables.setdefault(name, value)
    return machine.undecided(value, what, unit, node.test, node)


def assigned_in(node: Any) -> Iterator[str]:
    """Yield the variables that a node may give a value, those of its lambdas left out."""
    if isinstance(node, a.AssignmentExpression):
        yield from names_in(node.left_expr)
    for part in () if isinstance(node, a.LambdaExpression) else node:
        if isinstance(part, tuple):
            yield from assigned_in(part)


def names_in(node: Any) -> Iterator[str]:
    """Yield the variables on the left of an assignment."""
    if isinstance(node, a.VariableExpression):
        yield node.expr.value  # type: ignore[attr-defined]
    elif isinstance(node, a.LiteralList):
        for value in node.values:
            yield from names_in(value)
