"""Checks of parameters and of what takes them."""

from __future__ import annotations

import re
from typing import Any

from analyzer.frontends.puppet.syntax import ast
from analyzer.frontends.puppet.syntax.validate.labels import a_label, label
from analyzer.frontends.puppet.syntax.validate.walk import PARTS, Validation

_NAME = re.compile(r"[a-z_]\w*", re.ASCII)
_NUMERIC = re.compile(r"(?:0x)?[0-9]+", re.ASCII)
RESERVED_PARAMETERS = frozenset({"name", "title"})


def check_parameter(validation: Validation, node: ast.Parameter) -> None:
    """Check a parameter's name, and that its default assigns nothing."""
    if _NAME.fullmatch(node.name) is None:
        if _NUMERIC.fullmatch(node.name) is not None:
            validation.report("ILLEGAL_NUMERIC_PARAMETER", node, name=node.name)
        validation.report("ILLEGAL_PARAM_NAME", node, name=node.name)
    if node.value is not None:
        _check_no_assignment(validation, node.value)


def _check_no_assignment(validation: Validation, value: object) -> None:
    pending: list[Any] = [value]
    while pending:
        node = pending.pop()
        kind = type(node)
        if kind is ast.AssignmentExpression:
            validation.report("ILLEGAL_ASSIGNMENT_CONTEXT", node)
            continue
        # A lambda has variables of its own.
        if kind is ast.LambdaExpression:
            continue
        for index in PARTS.get(kind, ()):
            part = node[index]
            if type(part) is tuple:
                pending += part[::-1]
            elif part is not None:
                pending.append(part)


def check_unique_parameters(validation: Validation, node: Any) -> None:
    """Check that no two parameters have the same name."""
    seen: set[str] = set()
    for parameter in node.parameters:
        if parameter.name in seen:
            validation.report("DUPLICATE_PARAMETER", parameter, param=parameter.name)
        seen.add(parameter.name)


def check_reserved_parameters(validation: Validation, node: Any) -> None:
    """Check that `$name` and `$title` are there already."""
    for parameter in node.parameters:
        if parameter.name in RESERVED_PARAMETERS:
            validation.report(
                "RESERVED_PARAMETER", parameter, param=parameter.name, container=label(node)
            )


def check_no_captures_rest(validation: Validation, node: Any) -> None:
    """Check that only functions and lambdas take `*$rest`."""
    for parameter in node.parameters:
        if parameter.captures_rest:
            validation.report(
                "CAPTURES_REST_NOT_SUPPORTED",
                parameter,
                param=parameter.name,
                container=a_label(node),
            )


def check_captures_rest_last(validation: Validation, node: ast.LambdaExpression) -> None:
    """Check that in a lambda `*$rest` is the last parameter."""
    for parameter in node.parameters[:-1]:
        if parameter.captures_rest:
            validation.report("CAPTURES_REST_NOT_LAST", parameter, param=parameter.name)


def check_template_parameters(validation: Validation, node: ast.EppExpression) -> None:
    """Check that the parameters of a template are those of a lambda around it."""
    around = validation.path[-1] if validation.path else None
    if isinstance(around, ast.LambdaExpression):
        for parameter in around.parameters:
            if parameter.captures_rest:
                validation.report(
                    "CAPTURES_REST_NOT_SUPPORTED",
                    parameter,
                    param=parameter.name,
                    container=a_label(node),
                )
        check_unique_parameters(validation, around)
