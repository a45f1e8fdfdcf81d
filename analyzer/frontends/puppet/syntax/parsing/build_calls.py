"""The actions of the grammar for calls, lambdas, choices and collectors (Model::Factory)."""

from __future__ import annotations

from typing import Any

from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.parsing.build import (
    Builder,
    Values,
    block_or_expression,
    folded,
    span,
    start_of,
)


def call(b: Builder, c: Values) -> a.CallNamedFunctionExpression:
    """Build `name(arguments)`."""
    return a.CallNamedFunctionExpression(*span(c[0], c[-1]), c[0], True, folded(c[2]), None)


def call_without(b: Builder, c: Values) -> a.CallNamedFunctionExpression:
    """Build `name()`."""
    return a.CallNamedFunctionExpression(*span(c[0], c[-1]), c[0], True, (), None)


def call_lambda(b: Builder, c: Values) -> a.CallNamedFunctionExpression:
    """Build `name(arguments) |parameters| { body }`."""
    return a.CallNamedFunctionExpression(*span(c[0], c[-1]), c[0], True, folded(c[2]), c[-1])


def call_without_lambda(b: Builder, c: Values) -> a.CallNamedFunctionExpression:
    """Build `name() |parameters| { body }`."""
    return a.CallNamedFunctionExpression(*span(c[0], c[-1]), c[0], True, (), c[-1])


def type_name(token: Any) -> a.QualifiedName:
    """Build the keyword `type` as the name of a function."""
    return a.QualifiedName(token[2], token[3], token[1])


def call_type(b: Builder, c: Values) -> a.CallNamedFunctionExpression:
    """Build `type(arguments)`."""
    return call(b, [type_name(c[0]), *c[1:]])


def call_type_without(b: Builder, c: Values) -> a.CallNamedFunctionExpression:
    """Build `type()`."""
    return call_without(b, [type_name(c[0]), *c[1:]])


def call_type_lambda(b: Builder, c: Values) -> a.CallNamedFunctionExpression:
    """Build `type(arguments) |parameters| { body }`."""
    return call_lambda(b, [type_name(c[0]), *c[1:]])


def call_type_without_lambda(b: Builder, c: Values) -> a.CallNamedFunctionExpression:
    """Build `type() |parameters| { body }`."""
    return call_without_lambda(b, [type_name(c[0]), *c[1:]])


def named_access(b: Builder, c: Values) -> a.NamedAccessExpression:
    """Build `receiver.name`; the name has no place of its own."""
    place = span(c[1], c[2])
    return a.NamedAccessExpression(*place, c[0], a.QualifiedName(place[0], 0, c[2][1]))


def method(b: Builder, c: Values) -> a.CallMethodExpression:
    """Build `receiver.name(arguments)`, at the place of its parentheses."""
    return a.CallMethodExpression(*span(c[1], c[3]), c[0], True, folded(c[2]), None)


def method_without(b: Builder, c: Values) -> a.CallMethodExpression:
    """Build `receiver.name()`; the grammar marks it by the parenthesis that opens."""
    return a.CallMethodExpression(c[1][2], c[2][2] + c[2][3] - c[1][2], c[0], True, (), None)


def method_bare(b: Builder, c: Values) -> a.CallMethodExpression:
    """Build `receiver.name`."""
    return a.CallMethodExpression(c[0].offset, c[0].length, c[0], True, (), None)


def method_lambda(b: Builder, c: Values) -> a.CallMethodExpression:
    """Build `receiver.name |parameters| { body }`."""
    made: a.CallMethodExpression = c[0]._replace(lambda_=c[1])
    return made


def lambda_(b: Builder, c: Values) -> a.LambdaExpression:
    """Build `|parameters| >> type { body }`."""
    first, parameters = c[0]
    body = a.BlockExpression(start_of(first), 0, tuple(c[3]))
    return a.LambdaExpression(*span(first, c[4]), tuple(parameters), body, c[1])


def lambda_empty(b: Builder, c: Values) -> a.LambdaExpression:
    """Build `|parameters| { }`."""
    first, parameters = c[0]
    return a.LambdaExpression(*span(first, c[3]), tuple(parameters), None, c[1])


def lambda_parameters(b: Builder, c: Values) -> tuple[object, object]:
    """Build the bar that opens and the parameters."""
    return c[0], c[1]


def lambda_no_parameters(b: Builder, c: Values) -> tuple[object, object]:
    """Build the bar that opens and no parameters."""
    return c[0], []


# ---- choices


def if_expression(b: Builder, c: Values) -> a.IfExpression:
    """Build `if test { } else { }`."""
    made: a.IfExpression = c[1]
    return made._replace(offset=c[0][2], length=made.offset + made.length - c[0][2])


def if_part(b: Builder, c: Values) -> a.IfExpression:
    """Build what follows `if` or `elsif`."""
    then = block_or_expression(c[2], c[1], c[3])
    return a.IfExpression(*span(c[0], c[4] or c[3]), c[0], then, c[4])


def if_part_empty(b: Builder, c: Values) -> a.IfExpression:
    """Build what follows `if` or `elsif`, nothing between its braces."""
    return a.IfExpression(*span(c[0], c[3] or c[2]), c[0], None, c[3])


def elsif(b: Builder, c: Values) -> a.IfExpression:
    """Build `elsif test { }`."""
    return if_expression(b, c)


def else_block(b: Builder, c: Values) -> object:
    """Build `else { }`."""
    return block_or_expression(c[2], c[1], c[3])


def unless(b: Builder, c: Values) -> a.UnlessExpression:
    """Build `unless test { } else { }`, up to its first closing brace."""
    then = block_or_expression(c[3], c[2], c[4])
    return a.UnlessExpression(*span(c[0], c[4]), c[1], then, c[5])


def unless_empty(b: Builder, c: Values) -> a.UnlessExpression:
    """Build `unless test { }`, nothing between its braces."""
    last = c[4] if c[4] is not None else c[3]
    return a.UnlessExpression(*span(c[0], last), c[1], None, c[4])


def case(b: Builder, c: Values) -> a.CaseExpression:
    """Build `case test { options }`."""
    return a.CaseExpression(*span(c[0], c[4]), c[1], tuple(c[3]))


def case_option(b: Builder, c: Values) -> a.CaseOption:
    """Build `values: { }`."""
    place = span(c[1], c[4])
    then = a.BlockExpression(place[0], 0, tuple(c[3]))
    return a.CaseOption(*place, tuple(c[0]), then)


def case_option_empty(b: Builder, c: Values) -> a.CaseOption:
    """Build `values: { }`, nothing between the braces."""
    return a.CaseOption(*span(c[1], c[3]), tuple(c[0]), None)


def selector_entry(b: Builder, c: Values) -> a.SelectorEntry:
    """Build `matching => value`."""
    return a.SelectorEntry(c[1][2], c[1][3], c[0], c[2])


# ---- collectors


def collection(b: Builder, c: Values) -> a.CollectExpression:
    """Build `Type <| query |>`."""
    return a.CollectExpression(*span(c[0], c[1]), c[0], c[1], ())


def collection_override(b: Builder, c: Values) -> a.CollectExpression:
    """Build `Type <| query |> { operations }`."""
    return a.CollectExpression(*span(c[0], c[-1]), c[0], c[1], tuple(c[3]))


def virtual_query(b: Builder, c: Values) -> a.VirtualQuery:
    """Build `<| expr |>`."""
    return a.VirtualQuery(*span(c[0], c[2]), c[1])


def virtual_query_empty(b: Builder, c: Values) -> a.VirtualQuery:
    """Build `<| |>`."""
    return a.VirtualQuery(*span(c[0], c[1]), None)


def exported_query(b: Builder, c: Values) -> a.ExportedQuery:
    """Build `<<| expr |>>`."""
    return a.ExportedQuery(*span(c[0], c[2]), c[1])


def exported_query_empty(b: Builder, c: Values) -> a.ExportedQuery:
    """Build `<<| |>>`."""
    return a.ExportedQuery(*span(c[0], c[1]), None)
