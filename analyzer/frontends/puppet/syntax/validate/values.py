"""Finds nodes that yield a value (rvalue), and nodes without an effect but their value (idem)."""

from __future__ import annotations

from typing import Any

from analyzer.frontends.puppet.syntax import ast
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.frontends.puppet.syntax.validate.labels import a_label_capitalized, label
from analyzer.frontends.puppet.syntax.validate.walk import Validation

_UNARY: set[object] = {
    ast.NotExpression,
    ast.UnaryMinusExpression,
    ast.UnfoldExpression,
    ast.ParenthesizedExpression,
    ast.TextExpression,
    ast.RenderExpression,
}
_WITHOUT_VALUE: set[object] = {
    ast.CollectExpression,
    ast.HostClassDefinition,
    ast.ResourceTypeDefinition,
    ast.NodeDefinition,
    ast.FunctionDefinition,
    ast.PlanDefinition,
    ast.TypeAlias,
    ast.TypeMapping,
    ast.TypeDefinition,
}

# Nodes that need a look where a value is wanted; all others are values.
SUSPECT: set[object] = _UNARY | _WITHOUT_VALUE


def check_rvalue(validation: Validation, node: Node) -> None:
    """Report a node that has no value where one is wanted."""
    inner: Any = node
    passed = []
    # Each of a long row of signs or parentheses asks for what is within.
    while type(inner) in _UNARY:
        if id(inner) in validation.inmost:
            inner = validation.inmost[id(inner)]
            break
        passed.append(id(inner))
        inner = inner.expr
    validation.inmost.update(dict.fromkeys(passed, inner))
    if type(inner) in _WITHOUT_VALUE:
        validation.report("NOT_RVALUE", inner, an_expression=a_label_capitalized(inner))


def check_binary(validation: Validation, node: Any) -> None:
    """Check that both sides of an operation are values."""
    for side in (node.left_expr, node.right_expr):
        if type(side) in SUSPECT:
            check_rvalue(validation, side)


def check_unary(validation: Validation, node: Any) -> None:
    """Check that what an operation is applied to is a value."""
    if type(node.expr) in SUSPECT:
        check_rvalue(validation, node.expr)


# Without effect whatever is in them.
_IDLE: set[object] = {
    type(None),
    ast.Nop,
    ast.LiteralString,
    ast.LiteralInteger,
    ast.LiteralFloat,
    ast.LiteralBoolean,
    ast.LiteralDefault,
    ast.LiteralUndef,
    ast.LiteralRegularExpression,
    ast.LiteralList,
    ast.LiteralHash,
    ast.QualifiedName,
    ast.QualifiedReference,
    ast.ReservedWord,
    ast.VariableExpression,
    ast.ConcatenatedString,
    ast.HeredocExpression,
    ast.AccessExpression,
    ast.NamedAccessExpression,
    ast.ArithmeticExpression,
    ast.ComparisonExpression,
    ast.InExpression,
    ast.AndExpression,
    ast.OrExpression,
    ast.NotExpression,
    ast.UnaryMinusExpression,
    ast.UnfoldExpression,
    ast.SelectorExpression,
}

# Without effect when all these parts are.
_CONDITIONAL: dict[object, tuple[str, ...]] = {
    ast.ParenthesizedExpression: ("expr",),
    ast.BlockExpression: ("statements",),
    ast.IfExpression: ("test", "then_expr", "else_expr"),
    ast.UnlessExpression: ("test", "then_expr", "else_expr"),
    ast.CaseExpression: ("test", "options"),
    ast.CaseOption: ("values", "then_expr"),
}


def is_idle(node: object) -> bool:
    """Return whether nothing but a value comes from a node (functions are not looked into)."""
    pending: list[object] = [node]
    while pending:
        part = pending.pop()
        kind = type(part)
        if kind in _IDLE:
            continue
        names = _CONDITIONAL.get(kind)
        if names is None:
            return False
        for name in names:
            inner = getattr(part, name)
            if type(inner) is tuple:
                pending.extend(inner)
            else:
                pending.append(inner)
    return True


def idle_end(body: object) -> object:
    """Return the last expression of a body if it is idle."""
    last = body.statements[-1] if isinstance(body, ast.BlockExpression) else body
    return last if is_idle(last) else None


def untitled_type(node: object) -> ast.QualifiedName | None:
    """Return the name before a hash: a resource whose title was forgotten."""
    if type(node) is ast.BlockExpression and len(node.statements) == 2:
        name, hash_ = node.statements
        if isinstance(name, ast.QualifiedName) and isinstance(hash_, ast.LiteralHash):
            return name
    return None


def check_block(validation: Validation, node: Any) -> None:
    """Check that only the last statement may be there for its value; the first that is idle is
    reported.
    """
    name = untitled_type(node)
    if name is not None:
        validation.report("RESOURCE_WITHOUT_TITLE", node, name=name.value)
        return
    for statement in node.statements[:-1]:
        if is_idle(statement):
            validation.report("IDEM_EXPRESSION_NOT_LAST", statement, expression=label(statement))
            break


def check_no_idle_end(validation: Validation, definition: Any) -> None:
    """Check that a class, define or node does not end in a value."""
    last = idle_end(definition.body)
    if last is not None and untitled_type(last) is None:
        validation.report(
            "IDEM_NOT_ALLOWED_LAST",
            last,
            expression=label(last),
            container=a_label_capitalized(definition),
        )
