"""The way through a tree: parts of nodes in Puppet's order, and the state of one validation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

from analyzer.frontends.puppet.syntax import ast
from analyzer.frontends.puppet.syntax.ast import Node, Program
from analyzer.frontends.puppet.syntax.autoload import Modules
from analyzer.frontends.puppet.syntax.diagnostic import Diagnostic
from analyzer.frontends.puppet.syntax.issues import ISSUES
from analyzer.source import place_of

Strictness = Literal["error", "warning", "off"]
Validate = Callable[[Program, str], list[Diagnostic]]

_BINARY = ("left_expr", "right_expr")
_CALL = ("functor_expr", "arguments", "lambda_")
_FUNCTION = ("parameters", "body", "return_type")
_IF = ("test", "then_expr", "else_expr")

_CHILDREN: dict[Any, tuple[str, ...]] = {
    ast.Program: ("body",),
    ast.LiteralList: ("values",),
    ast.LiteralHash: ("entries",),
    ast.KeyedEntry: ("key", "value"),
    ast.VariableExpression: ("expr",),
    ast.ConcatenatedString: ("segments",),
    ast.TextExpression: ("expr",),
    ast.HeredocExpression: ("text_expr",),
    ast.ArithmeticExpression: _BINARY,
    ast.ComparisonExpression: _BINARY,
    ast.MatchExpression: _BINARY,
    ast.InExpression: _BINARY,
    ast.AndExpression: _BINARY,
    ast.OrExpression: _BINARY,
    ast.AssignmentExpression: _BINARY,
    ast.RelationshipExpression: _BINARY,
    ast.NamedAccessExpression: _BINARY,
    ast.NotExpression: ("expr",),
    ast.UnaryMinusExpression: ("expr",),
    ast.UnfoldExpression: ("expr",),
    ast.ParenthesizedExpression: ("expr",),
    ast.AccessExpression: ("left_expr", "keys"),
    ast.CallNamedFunctionExpression: _CALL,
    ast.CallMethodExpression: _CALL,
    ast.LambdaExpression: _FUNCTION,
    ast.Parameter: ("value", "type_expr"),
    ast.BlockExpression: ("statements",),
    ast.IfExpression: _IF,
    ast.UnlessExpression: _IF,
    ast.CaseExpression: ("test", "options"),
    ast.CaseOption: ("values", "then_expr"),
    ast.SelectorExpression: ("left_expr", "selectors"),
    ast.SelectorEntry: ("matching_expr", "value_expr"),
    ast.ResourceExpression: ("type_name", "bodies"),
    ast.ResourceBody: ("title", "operations"),
    ast.ResourceDefaultsExpression: ("type_ref", "operations"),
    ast.ResourceOverrideExpression: ("resources", "operations"),
    ast.AttributeOperation: ("value_expr",),
    ast.AttributesOperation: ("expr",),
    ast.CollectExpression: ("type_expr", "query", "operations"),
    ast.VirtualQuery: ("expr",),
    ast.ExportedQuery: ("expr",),
    ast.HostClassDefinition: ("parameters", "body"),
    ast.ResourceTypeDefinition: ("parameters", "body"),
    ast.NodeDefinition: ("parent", "host_matches", "body"),
    ast.FunctionDefinition: _FUNCTION,
    ast.PlanDefinition: _FUNCTION,
    ast.ApplyExpression: ("arguments", "body"),
    ast.ApplyBlockExpression: ("statements",),
    ast.TypeAlias: ("type_expr",),
    ast.TypeMapping: ("type_expr", "mapping_expr"),
    ast.TypeDefinition: ("body",),
    ast.EppExpression: ("body",),
    ast.RenderExpression: ("expr",),
}

# Where a node has its parts, last part first: a stack gives them back in order. Leaves are absent.
PARTS: dict[type, tuple[int, ...]] = {
    kind: tuple(kind._fields.index(name) for name in reversed(names))
    for kind, names in _CHILDREN.items()
}


class Validation:
    """The state of one validation: where it is (`path`) and what it has found.

    `validate` returns the problems of a program within a text of this one. `inmost` has for a node
    with signs or parentheses around what is within, by its id.
    """

    def __init__(
        self, text: str, file: str, strict: Strictness, modules: Modules, validate: Validate
    ) -> None:
        self.text = text
        self.file = file
        self.strict: Strictness = strict
        self.modules = modules
        self.validate = validate
        self.path: list[object] = []
        self.found: list[Diagnostic] = []
        self.inmost: dict[int, object] = {}

    def report(self, code: str, node: Any, /, **arguments: object) -> None:
        """Add an issue of a node, unless the strictness says that it is none."""
        issue = ISSUES[code]
        severity = self.strict if issue.severity == "strict" else issue.severity
        if severity == "off":
            return
        line, column = place_of(self.text, node[0])
        message = issue.message.format(**arguments)
        self.found.append(
            Diagnostic(issue.code, message, severity, line, column, node[0], node[1], self.file)
        )


Check = Callable[[Validation, Any], None]


def walk(validation: Validation, program: Program, checks: Mapping[type, Check]) -> None:
    """Check every node, a node before its parts; a loop, for trees can be thousands deep."""
    path = validation.path
    pending: list[Any] = [program]
    while pending:
        node = pending.pop()
        if node is None:
            path.pop()
            continue
        kind = type(node)
        check = checks.get(kind)
        if check is not None:
            check(validation, node)
        parts = PARTS.get(kind)
        if parts is None:
            continue
        path.append(node)
        pending.append(None)
        for index in parts:
            part = node[index]
            if type(part) is tuple:
                pending += part[::-1]
            elif part is not None:
                pending.append(part)


def nodes(tree: Node | None) -> Iterator[Node]:
    """Yield the nodes of a tree, a node before its parts."""
    pending: list[Any] = [tree]
    while pending:
        node = pending.pop()
        if node is None:
            continue
        yield node
        for index in PARTS.get(type(node), ()):
            part = node[index]
            pending += part[::-1] if type(part) is tuple else (part,)
