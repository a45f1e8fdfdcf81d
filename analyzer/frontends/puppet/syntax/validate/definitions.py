"""Checks of classes, defines, functions and types: where they may stand and their names."""

from __future__ import annotations

import re
from typing import Any

from analyzer.frontends.puppet.syntax import ast
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.frontends.puppet.syntax.autoload import namespace_of
from analyzer.frontends.puppet.syntax.validate.labels import a_label, a_label_capitalized, label
from analyzer.frontends.puppet.syntax.validate.parameters import (
    check_no_captures_rest,
    check_reserved_parameters,
    check_unique_parameters,
)
from analyzer.frontends.puppet.syntax.validate.values import check_no_idle_end
from analyzer.frontends.puppet.syntax.validate.walk import Validation

_NAME = re.compile(r"[a-z]\w*(?:::[a-z]\w*)*", re.ASCII)
_TYPE_NAME = re.compile(r"[A-Z]\w*(?:::[A-Z]\w*)*", re.ASCII)

_RESERVED = """
type any unit scalar boolean numeric integer float collection array hash tuple struct variant
optional enum regexp pattern runtime init object sensitive semver semverrange string timestamp
timespan typeset
"""
RESERVED_TYPE_NAMES = frozenset(_RESERVED.split())
FUTURE_RESERVED_WORDS = frozenset({"plan"})

_TOP_LEVEL: set[object] = {ast.Program, ast.HostClassDefinition, ast.ApplyExpression}
_BLOCKS: set[object] = {ast.BlockExpression, ast.ApplyBlockExpression}
_NEVER_NESTED: set[object] = {
    ast.FunctionDefinition,
    ast.PlanDefinition,
    ast.TypeAlias,
    ast.TypeDefinition,
}
_DEFINITIONS: set[object] = _NEVER_NESTED | {
    ast.HostClassDefinition,
    ast.ResourceTypeDefinition,
    ast.TypeMapping,
}


def check_program(validation: Validation, node: ast.Program) -> None:
    """Check that a file of a module defines and does nothing else."""
    if isinstance(node.body, ast.Nop):
        return
    if namespace_of(validation.file, validation.modules) is None:
        return
    body = node.body
    for statement in body.statements if isinstance(body, ast.BlockExpression) else (body,):
        if type(statement) in _DEFINITIONS:
            continue
        validation.report(
            "ILLEGAL_TOP_CONSTRUCT_LOCATION", statement, subject=f"This {label(statement)}"
        )


def check_top(validation: Validation, node: Node) -> None:
    """Check that definitions stand at top level, or inside classes."""
    path = validation.path
    for index in range(len(path) - 1, -1, -1):
        kind = type(path[index])
        if kind in _TOP_LEVEL:
            return
        if kind not in _BLOCKS:
            validation.report("NOT_TOP_LEVEL", node)
            return
        around = type(path[index - 1]) if index else None
        if around is not ast.Program and type(node) in _NEVER_NESTED:
            validation.report(
                "NOT_ABSOLUTE_TOP_LEVEL", node, an_expression=a_label_capitalized(node)
            )
            return


def check_named(validation: Validation, node: Any) -> None:
    """Check that the name of a class, define or function, and the file it is in."""
    check_top(validation, node)
    name = node.name
    if _NAME.fullmatch(name) is None:
        validation.report("ILLEGAL_DEFINITION_NAME", node, name=name, an_expression=a_label(node))
    _check_location(validation, node)
    _check_reserved_type_name(validation, node)
    if name in FUTURE_RESERVED_WORDS:
        validation.report("FUTURE_RESERVED_WORD", node, word=name)


def _check_location(validation: Validation, node: Any) -> None:
    if not validation.file:
        return
    namespace = namespace_of(validation.file, validation.modules)
    if namespace is None:
        return
    if namespace.prefix is None or not node.name.lower().startswith(namespace.prefix):
        validation.report("ILLEGAL_DEFINITION_LOCATION", node, name=node.name, file=validation.file)


def _check_reserved_type_name(validation: Validation, node: Any) -> None:
    if node.name in RESERVED_TYPE_NAMES:
        validation.report("RESERVED_TYPE_NAME", node, name=node.name, an_expression=a_label(node))


def check_class_or_define(validation: Validation, node: Node) -> None:
    """Check a class or define: its name, parameters and end."""
    check_named(validation, node)
    check_no_captures_rest(validation, node)
    check_unique_parameters(validation, node)
    check_reserved_parameters(validation, node)
    check_no_idle_end(validation, node)


def check_function(validation: Validation, node: Node) -> None:
    """Check a function or plan: its name, the type it returns and its parameters."""
    check_named(validation, node)
    check_return_type(validation, node)
    check_unique_parameters(validation, node)


def check_return_type(validation: Validation, node: Any) -> None:
    """Check that what a function or lambda returns is said by a type."""
    if node.return_type is not None:
        _check_type_reference(validation, node, node.return_type)


def _check_type_reference(validation: Validation, node: object, type_: object) -> None:
    name = type_.left_expr if isinstance(type_, ast.AccessExpression) else type_
    if not isinstance(name, ast.QualifiedReference):
        validation.report(
            "ILLEGAL_EXPRESSION",
            type_,
            an_expression=a_label_capitalized(type_),
            feature="a type reference",
            container=a_label(node),
        )
    elif name.cased_value.lower() in FUTURE_RESERVED_WORDS:
        validation.report("FUTURE_RESERVED_WORD", type_, word=name.cased_value.lower())


def check_type_alias(validation: Validation, node: ast.TypeAlias) -> None:
    """Check a type alias: its name, and that it stands for a type."""
    check_top(validation, node)
    if _TYPE_NAME.fullmatch(node.name) is None:
        validation.report(
            "ILLEGAL_DEFINITION_NAME", node, name=node.name, an_expression=a_label(node)
        )
    _check_reserved_type_name(validation, node)
    _check_type_reference(validation, node, node.type_expr)


def check_type_definition(validation: Validation, node: ast.TypeDefinition) -> None:
    """Check that types with bodies are reserved for the future."""
    check_top(validation, node)
    _check_reserved_type_name(validation, node)
    validation.report("UNSUPPORTED_EXPRESSION", node, an_expression=a_label(node))


def check_type_mapping(validation: Validation, node: ast.TypeMapping) -> None:
    """Check that a type of Ruby is mapped to a type, a pattern of such types to a pattern."""
    check_top(validation, node)
    runtime: Any = node.type_expr
    if not _is_runtime(runtime):
        validation.report("UNSUPPORTED_EXPRESSION", node, an_expression=a_label(node))
        return
    keys = runtime.keys
    wants_pattern = len(keys) == 2 and _is_replacement(keys[1])
    good = _is_replacement if wants_pattern else _is_type
    if not good(node.mapping_expr):
        validation.report(
            "ILLEGAL_REGEXP_TYPE_MAPPING" if wants_pattern else "ILLEGAL_SINGLE_TYPE_MAPPING",
            node,
            an_expression=a_label_capitalized(node),
        )


def _is_runtime(node: Node) -> bool:
    if not isinstance(node, ast.AccessExpression):
        return False
    left = node.left_expr
    return isinstance(left, ast.QualifiedReference) and left.cased_value == "Runtime"


def _is_replacement(node: Node) -> bool:
    if not isinstance(node, ast.LiteralList) or len(node.values) != 2:
        return False
    pattern, replacement = node.values
    return isinstance(pattern, ast.LiteralRegularExpression) and isinstance(
        replacement, ast.LiteralString
    )


def _is_type(node: Node) -> bool:
    name = node.left_expr if isinstance(node, ast.AccessExpression) else node
    return isinstance(name, ast.QualifiedReference)
