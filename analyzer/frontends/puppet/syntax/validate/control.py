"""Checks of conditions, calls, lists, hashes and single values."""

from __future__ import annotations

from typing import Any

from analyzer.frontends.puppet.syntax import ast
from analyzer.frontends.puppet.syntax.validate.definitions import check_return_type
from analyzer.frontends.puppet.syntax.validate.labels import a_label, a_label_capitalized, label
from analyzer.frontends.puppet.syntax.validate.literals import NOT_LITERAL, key_of, ruby_text
from analyzer.frontends.puppet.syntax.validate.parameters import check_captures_rest_last
from analyzer.frontends.puppet.syntax.validate.values import SUSPECT, check_rvalue
from analyzer.frontends.puppet.syntax.validate.walk import Validation

MAX_INTEGER = 2**63 - 1


def check_condition(validation: Validation, node: Any) -> None:
    """Check that what is tested is a value."""
    if type(node.test) in SUSPECT:
        check_rvalue(validation, node.test)


def check_case(validation: Validation, node: ast.CaseExpression) -> None:
    """Check that a case has one default."""
    check_condition(validation, node)
    defaults = [
        value
        for option in node.options
        for value in option.values
        if isinstance(value, ast.LiteralDefault)
    ]
    for second in defaults[1:]:
        validation.report("DUPLICATE_DEFAULT", second, container=label(node))


def check_case_option(validation: Validation, node: ast.CaseOption) -> None:
    """Check that what a case compares with are values."""
    for value in node.values:
        if type(value) in SUSPECT:
            check_rvalue(validation, value)


def check_selector(validation: Validation, node: ast.SelectorExpression) -> None:
    """Check that a selector has one default."""
    if type(node.left_expr) in SUSPECT:
        check_rvalue(validation, node.left_expr)
    matches = [entry.matching_expr for entry in node.selectors]
    defaults = [match for match in matches if isinstance(match, ast.LiteralDefault)]
    if len(defaults) > 1:
        validation.report("DUPLICATE_DEFAULT", defaults[1], container=label(node))


def check_selector_entry(validation: Validation, node: ast.SelectorEntry) -> None:
    """Check that what a selector compares with is a value."""
    if type(node.matching_expr) in SUSPECT:
        check_rvalue(validation, node.matching_expr)


def check_lambda(validation: Validation, node: ast.LambdaExpression) -> None:
    """Check a lambda: its parameters and the type it returns."""
    check_captures_rest_last(validation, node)
    check_return_type(validation, node)


def check_call(validation: Validation, node: ast.CallNamedFunctionExpression) -> None:
    """Check that a function is called by a name, or it is a type."""
    name = node.functor_expr
    kind = type(name)
    if kind is ast.QualifiedName or kind is ast.QualifiedReference:
        return
    if isinstance(name, ast.AccessExpression) and isinstance(
        name.left_expr, ast.QualifiedReference
    ):
        return
    if kind is ast.RenderStringExpression:
        # Space before the parameters of a template becomes text that is called.
        validation.report("ILLEGAL_EPP_PARAMETERS", node)
        return
    validation.report(
        "ILLEGAL_EXPRESSION",
        name,
        an_expression=a_label_capitalized(name),
        feature="function name",
        container=a_label(node),
    )


def check_list(validation: Validation, node: ast.LiteralList) -> None:
    """Check that the entries of a list are values."""
    for value in node.values:
        if type(value) in SUSPECT:
            check_rvalue(validation, value)


def check_hash(validation: Validation, node: ast.LiteralHash) -> None:
    """Check that a hash has no key twice, as far as keys are literals."""
    seen: set[object] = set()
    for entry in node.entries:
        key = key_of(entry.key)
        if key is NOT_LITERAL:
            continue
        if key in seen:
            validation.report("DUPLICATE_KEY", entry, key=ruby_text(entry.key))
        seen.add(key)


def check_hash_entry(validation: Validation, node: ast.KeyedEntry) -> None:
    """Check that keys and values are values."""
    for part in (node.key, node.value):
        if type(part) in SUSPECT:
            check_rvalue(validation, part)


def check_integer(validation: Validation, node: ast.LiteralInteger) -> None:
    """Check that integers have 64 bits."""
    if node.value > MAX_INTEGER:
        validation.report(
            "NUMERIC_OVERFLOW",
            node,
            an_expression=a_label_capitalized(node),
            value=f"{node.value:+#x}",
        )


def check_reserved_word(validation: Validation, node: ast.ReservedWord) -> None:
    """Check that words that are kept for later may not be used."""
    validation.report("RESERVED_WORD", node, word=node.word)
