"""Validation without evaluation (Puppet::Pops::Validation::Checker4_0).

Read `walk.py` first: it carries the state of a validation. The other modules check a group of nodes
each; `registry.py` looks for definitions that exclude each other, `labels.py` names nodes in
messages. Checks that no parsed program can fail are left out: the grammar sees to names of types
and methods, to operators, and that an index is not empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from analyzer.frontends.puppet.syntax import ast
from analyzer.frontends.puppet.syntax.autoload import modules_of
from analyzer.frontends.puppet.syntax.diagnostic import Diagnostic
from analyzer.frontends.puppet.syntax.issues import ISSUES
from analyzer.frontends.puppet.syntax.validate import (
    assignments,
    control,
    definitions,
    heredocs,
    parameters,
    resources,
    values,
)
from analyzer.frontends.puppet.syntax.validate.registry import check_registry
from analyzer.frontends.puppet.syntax.validate.walk import Check, Strictness, Validation, walk

_CHECKS: dict[Any, Check] = {
    ast.Program: definitions.check_program,
    ast.HostClassDefinition: definitions.check_class_or_define,
    ast.ResourceTypeDefinition: definitions.check_class_or_define,
    ast.FunctionDefinition: definitions.check_function,
    ast.PlanDefinition: definitions.check_function,
    ast.TypeAlias: definitions.check_type_alias,
    ast.TypeDefinition: definitions.check_type_definition,
    ast.TypeMapping: definitions.check_type_mapping,
    ast.NodeDefinition: resources.check_node,
    ast.Parameter: parameters.check_parameter,
    ast.EppExpression: parameters.check_template_parameters,
    ast.LambdaExpression: control.check_lambda,
    ast.AssignmentExpression: assignments.check_assignment,
    ast.VariableExpression: assignments.check_variable,
    ast.ResourceExpression: resources.check_resource,
    ast.ResourceDefaultsExpression: resources.check_regular,
    ast.ResourceOverrideExpression: resources.check_regular,
    ast.ResourceBody: resources.check_resource_body,
    ast.AttributeOperation: resources.check_attribute,
    ast.AttributesOperation: values.check_unary,
    ast.CollectExpression: resources.check_collector,
    ast.VirtualQuery: resources.check_query,
    ast.ExportedQuery: resources.check_query,
    ast.RelationshipExpression: resources.check_relationship,
    ast.IfExpression: control.check_condition,
    ast.UnlessExpression: control.check_condition,
    ast.CaseExpression: control.check_case,
    ast.CaseOption: control.check_case_option,
    ast.SelectorExpression: control.check_selector,
    ast.SelectorEntry: control.check_selector_entry,
    ast.CallNamedFunctionExpression: control.check_call,
    ast.LiteralList: control.check_list,
    ast.LiteralHash: control.check_hash,
    ast.KeyedEntry: control.check_hash_entry,
    ast.LiteralInteger: control.check_integer,
    ast.ReservedWord: control.check_reserved_word,
    ast.HeredocExpression: heredocs.check_heredoc,
    ast.BlockExpression: values.check_block,
    ast.ApplyBlockExpression: values.check_block,
    ast.ArithmeticExpression: values.check_binary,
    ast.ComparisonExpression: values.check_binary,
    ast.MatchExpression: values.check_binary,
    ast.InExpression: values.check_binary,
    ast.AndExpression: values.check_binary,
    ast.OrExpression: values.check_binary,
    ast.NotExpression: values.check_unary,
    ast.UnaryMinusExpression: values.check_unary,
    ast.UnfoldExpression: values.check_unary,
    ast.ParenthesizedExpression: values.check_unary,
    ast.TextExpression: values.check_unary,
    ast.RenderExpression: values.check_unary,
}


def validate(
    program: ast.Program,
    text: str,
    file: str = "",
    strict: Strictness = "error",
    modulepath: Sequence[str] | None = None,
) -> list[Diagnostic]:
    """Return the problems of a program, in Puppet's order.

    `strict` is Puppet's setting of that name. A file of a module may only define what the
    autoloader looks for in it; without a `modulepath` its own path decides.
    """
    validation = Validation(text, file, strict, modules_of(modulepath), validate)
    walk(validation, program, _CHECKS)
    if not any(found.severity == "error" for found in validation.found):
        check_registry(validation, program)
    return validation.found


def syntax_error(syntax: str, text: str) -> str | None:
    """Return Puppet's error for a text that is not in a syntax, None if it is."""
    found = heredocs.problem_of(syntax, text, validate)
    if found is None:
        return None
    return ISSUES[found[0]].message.format(syntax=syntax, message=found[1])
