"""Checks of resources, collectors, relationships and nodes."""

from __future__ import annotations

import re
from typing import Any

from analyzer.frontends.puppet.syntax import ast
from analyzer.frontends.puppet.syntax.validate.definitions import check_top
from analyzer.frontends.puppet.syntax.validate.labels import a_label, a_label_capitalized
from analyzer.frontends.puppet.syntax.validate.values import (
    SUSPECT,
    check_no_idle_end,
    check_rvalue,
)
from analyzer.frontends.puppet.syntax.validate.walk import Validation

_NO_HOSTNAME = re.compile(r"[^-\w.]", re.ASCII)
_APPENDABLE: set[object] = {ast.CollectExpression, ast.ResourceOverrideExpression}
_CHAINED: set[object] = {ast.CollectExpression, ast.RelationshipExpression}
_QUERY_WORDS: set[object] = {
    ast.VariableExpression,
    ast.QualifiedName,
    ast.LiteralInteger,
    ast.LiteralFloat,
    ast.LiteralString,
    ast.LiteralBoolean,
}


def check_resource(validation: Validation, node: ast.ResourceExpression) -> None:
    """Check that classes are neither virtual nor exported."""
    name = node.type_name
    if node.form != "regular" and isinstance(name, ast.QualifiedName) and name.value == "class":
        validation.report("CLASS_NOT_VIRTUALIZABLE", node)


def check_regular(validation: Validation, node: Any) -> None:
    """Check that defaults and overrides are neither virtual nor exported."""
    if node.form != "regular":
        validation.report("NOT_VIRTUALIZEABLE", node)


def check_resource_body(validation: Validation, node: ast.ResourceBody) -> None:
    """Check that attributes come from one hash at most."""
    hashes = [part for part in node.operations if isinstance(part, ast.AttributesOperation)]
    for second in hashes[1:]:
        validation.report("MULTIPLE_ATTRIBUTES_UNFOLD", second)


def check_attribute(validation: Validation, node: ast.AttributeOperation) -> None:
    """Check that `+>` stands in overrides and collectors only."""
    if node.operator == "+>":
        around = validation.path[-1]
        if type(around) not in _APPENDABLE:
            validation.report(
                "ILLEGAL_ATTRIBUTE_APPEND",
                node,
                name=node.attribute_name,
                container=a_label(around),
            )
    if type(node.value_expr) in SUSPECT:
        check_rvalue(validation, node.value_expr)


def check_collector(validation: Validation, node: ast.CollectExpression) -> None:
    """Check that what is collected is named by a type."""
    if not isinstance(node.type_expr, ast.QualifiedReference):
        validation.report(
            "ILLEGAL_EXPRESSION",
            node.type_expr,
            an_expression=a_label_capitalized(node.type_expr),
            feature="type name",
            container=a_label(node),
        )


def check_query(validation: Validation, node: Any) -> None:
    """Check that queries are made of `==`, `!=`, `and`, `or`."""
    pending: list[Any] = [] if node.expr is None else [node.expr]
    while pending:
        part = pending.pop()
        kind = type(part)
        if kind is ast.AndExpression or kind is ast.OrExpression:
            pending += (part.right_expr, part.left_expr)
        elif kind is ast.ParenthesizedExpression:
            pending.append(part.expr)
        elif kind is ast.ComparisonExpression and part.operator in ("==", "!="):
            continue
        elif kind not in _QUERY_WORDS:
            validation.report(
                "ILLEGAL_QUERY_EXPRESSION", part, an_expression=a_label_capitalized(part)
            )


def check_relationship(validation: Validation, node: ast.RelationshipExpression) -> None:
    """Check that both sides of an arrow are collectors, arrows or values."""
    for side in (node.left_expr, node.right_expr):
        if type(side) not in _CHAINED and type(side) in SUSPECT:
            check_rvalue(validation, side)


def check_node(validation: Validation, node: ast.NodeDefinition) -> None:
    """Check a node: its names, where it stands, its end, and that it inherits nothing."""
    for host in node.host_matches:
        _check_host(validation, node, host)
    check_top(validation, node)
    check_no_idle_end(validation, node)
    if node.parent is not None:
        validation.report("ILLEGAL_NODE_INHERITANCE", node.parent)


def _check_host(validation: Validation, node: object, host: object) -> None:
    if isinstance(host, ast.LiteralString | ast.QualifiedName):
        if _NO_HOSTNAME.search(host.value) is not None:
            validation.report("ILLEGAL_HOSTNAME_CHARS", host, hostname=host.value)
    elif isinstance(host, ast.ConcatenatedString):
        inner = (part.expr for part in host.segments if isinstance(part, ast.TextExpression))
        validation.report("ILLEGAL_HOSTNAME_INTERPOLATION", next(inner, host))
    elif not isinstance(host, ast.LiteralDefault | ast.LiteralRegularExpression):
        validation.report(
            "ILLEGAL_EXPRESSION",
            host,
            an_expression=a_label_capitalized(host),
            feature="hostname",
            container=a_label(node),
        )
