"""Precedence of operators (the table of egrammar.ra), climbed over a flat list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.lexing.tokens import Token


def arithmetic(op: Token, left: a.Node, right: a.Node) -> a.ArithmeticExpression:
    """Make `left + right`, at the place of its operator."""
    return a.ArithmeticExpression(op[2], op[3], op[1], left, right)


def comparison(op: Token, left: a.Node, right: a.Node) -> a.ComparisonExpression:
    """Make `left == right`."""
    return a.ComparisonExpression(op[2], op[3], op[1], left, right)


def matching(op: Token, left: a.Node, right: a.Node) -> a.MatchExpression:
    """Make `left =~ right`."""
    return a.MatchExpression(op[2], op[3], op[1], left, right)


def membership(op: Token, left: a.Node, right: a.Node) -> a.InExpression:
    """Make `left in right`."""
    return a.InExpression(op[2], op[3], left, right)


def conjunction(op: Token, left: a.Node, right: a.Node) -> a.AndExpression:
    """Make `left and right`."""
    return a.AndExpression(op[2], op[3], left, right)


def disjunction(op: Token, left: a.Node, right: a.Node) -> a.OrExpression:
    """Make `left or right`."""
    return a.OrExpression(op[2], op[3], left, right)


def selector(op: Token, left: a.Node, right: list[a.SelectorEntry]) -> a.SelectorExpression:
    """Make `left ? entries`, at the place of what is chosen by."""
    return a.SelectorExpression(left.offset, left.length, left, tuple(right))


# A selector is whole when its entries are read: nothing behind it binds to these.
SELECTION = 3

# A higher number binds tighter; all associate to the left. `?` has entries for a right side.
OPERATORS: dict[str, tuple[int, Callable[[Token, a.Node, Any], a.Node]]] = {
    "IN": (10, membership),
    "MATCH": (9, matching),
    "NOMATCH": (9, matching),
    "TIMES": (8, arithmetic),
    "DIV": (8, arithmetic),
    "MODULO": (8, arithmetic),
    "MINUS": (7, arithmetic),
    "PLUS": (7, arithmetic),
    "LSHIFT": (6, arithmetic),
    "RSHIFT": (6, arithmetic),
    "NOTEQUAL": (5, comparison),
    "ISEQUAL": (5, comparison),
    "GREATEREQUAL": (4, comparison),
    "GREATERTHAN": (4, comparison),
    "LESSTHAN": (4, comparison),
    "LESSEQUAL": (4, comparison),
    "QMARK": (SELECTION, selector),
    "AND": (2, conjunction),
    "OR": (1, disjunction),
}


# Stands for an operator before a function that is applied to the value of a selector.
APPLIED: Token = ("APPLIED", None, 0, 0)


def apply(op: Token, left: a.Node, right: Callable[[a.Node], a.Node]) -> a.Node:
    """Make `left` with an access or a call behind it."""
    return right(left)


OPERATORS["APPLIED"] = (SELECTION, apply)


def climb(items: list[Any]) -> a.Node:
    """Return the tree of a flat list: operand, operator, operand, operator, operand...

    The entries behind a `?` stand in the place of its right operand.
    """
    if len(items) == 3:
        return OPERATORS[items[1][0]][1](items[1], items[0], items[2])
    operands: list[a.Node] = [items[0]]
    pending: list[Token] = []
    for place in range(1, len(items), 2):
        operator = items[place]
        power, make = OPERATORS[operator[0]]
        while pending and OPERATORS[pending[-1][0]][0] >= power:
            combine(operands, pending)
        if power == SELECTION:
            operands[-1] = make(operator, operands[-1], items[place + 1])
        else:
            operands.append(items[place + 1])
            pending.append(operator)
    while pending:
        combine(operands, pending)
    return operands[0]


def combine(operands: list[a.Node], pending: list[Token]) -> None:
    """Apply the operator on top to the two operands on top."""
    right = operands.pop()
    operator = pending.pop()
    operands[-1] = OPERATORS[operator[0]][1](operator, operands[-1], right)
