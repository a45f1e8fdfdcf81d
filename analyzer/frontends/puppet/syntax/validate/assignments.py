"""Checks of variables: their names, and what may stand before an equals sign."""

from __future__ import annotations

import re
from typing import Any

from analyzer.frontends.puppet.syntax import ast
from analyzer.frontends.puppet.syntax.validate.labels import a_label
from analyzer.frontends.puppet.syntax.validate.values import SUSPECT, check_rvalue
from analyzer.frontends.puppet.syntax.validate.walk import Validation

_NAME = re.compile(r"(?:::)?(?:[a-z]\w*::)*[a-z_]\w*", re.ASCII)
_NUMBER = re.compile(r"0|[1-9][0-9]*", re.ASCII)


def check_assignment(validation: Validation, node: ast.AssignmentExpression) -> None:
    """Check that a value is assigned to variables."""
    if node.operator != "=":
        validation.report("APPENDS_DELETES_NO_LONGER_SUPPORTED", node, operator=node.operator)
        return
    _check_target(validation, node.left_expr)
    if type(node.right_expr) in SUSPECT:
        check_rvalue(validation, node.right_expr)


def _check_target(validation: Validation, target: object) -> None:
    pending = [target]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.VariableExpression):
            _check_assignable(validation, node)
        elif isinstance(node, ast.LiteralList):
            pending += node.values[::-1]
        elif isinstance(node, ast.AccessExpression):
            validation.report("ILLEGAL_INDEXED_ASSIGNMENT", node)
        else:
            validation.report("ILLEGAL_ASSIGNMENT", node, an_expression=a_label(node))


def _check_assignable(validation: Validation, node: Any) -> None:
    if not isinstance(node.expr, ast.QualifiedName):
        return
    name = node.expr.value
    if _NUMBER.fullmatch(name) is not None:
        validation.report("ILLEGAL_NUMERIC_ASSIGNMENT", node, name=name)
    if "::" in name:
        validation.report("CROSS_SCOPE_ASSIGNMENT", node, name=name)


def check_variable(validation: Validation, node: ast.VariableExpression) -> None:
    """Check that a variable is named by a name, or by a number: what a match has found."""
    name = node.expr
    if type(name) is not ast.QualifiedName:
        return
    value = name.value
    if isinstance(value, bool):  # In `${true}`, at which Puppet itself fails.
        value = str(value).lower()
    elif _NAME.fullmatch(value) is not None:
        return
    if not "0" <= value[:1] <= "9":
        validation.report("ILLEGAL_VAR_NAME", node, name=value)
    elif _NUMBER.fullmatch(value) is None:
        validation.report("ILLEGAL_NUMERIC_VAR_NAME", node, name=value)
