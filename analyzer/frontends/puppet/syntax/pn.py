"""Trees in Puppet's PN notation, byte for byte as `puppet parser dump --format pn` prints them.

After Puppet::Pops::Model::PNTransformer. Puppet 7 cannot dump a parameter that captures the rest
(`PN::Literal(true)`) nor an apply of a plan; here they are printed as the rest suggests.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from analyzer.frontends.puppet.syntax import ast
from analyzer.frontends.puppet.syntax.pn_text import (
    braced,
    bracketed,
    call,
    deeper,
    plain,
    quoted,
    regexp_source,
)
from analyzer.frontends.recursion import at_least

# Writes a node that stands in a list with the given separator (see pn_text).
Write = Callable[[Any, str], str]

# The same for an entry of a node's map; "" is no entry.
Entry = Callable[[Any, str], str]

DEEPEST = 1_000_000
HEAD = re.compile(r"\([^\s)]*")


def to_pn(node: ast.Node, pretty: bool = False) -> str:
    """Return the notation of a tree: on one line, or `pretty`, indented as with `--pretty`."""
    with at_least(DEEPEST):  # Trees may be deep; the frames are on the heap.
        return write(node, "\n" if pretty else " ")


def write(node: object, sep: str) -> str:
    """Return the notation of any node; an absent one is nop."""
    return WRITERS[type(node)](node, sep)


def write_all(nodes: Sequence[object], sep: str) -> list[str]:
    """Return the notation of each node."""
    return [WRITERS[type(node)](node, sep) for node in nodes]


def write_list(nodes: Sequence[object], sep: str) -> str:
    """Return nodes as one list."""
    sep = deeper(sep)
    return bracketed(write_all(nodes, sep), sep)


def is_nop(node: object) -> bool:
    """Return whether there is nothing."""
    return node is None or type(node) is ast.Nop


# Writers of nodes that are a value or a call: `(name element ...)`.


def constant(text: str) -> Write:
    """Return nodes that always look the same."""
    return lambda node, sep: text


def value(node: Any, sep: str) -> str:
    """Return nodes that are a plain value."""
    return plain(node.value)


def words(name: str, *fields: str) -> Write:
    """Return `(name plain-value ...)`."""

    def writer(node: object, sep: str) -> str:
        return call(name, [plain(getattr(node, field)) for field in fields], deeper(sep))

    return writer


def fixed(name: str, *fields: str) -> Write:
    """Return `(name child ...)`; the child of a field that is a string is that string."""

    def writer(node: object, sep: str) -> str:
        sep = deeper(sep)
        return call(name, write_all([getattr(node, field) for field in fields], sep), sep)

    return writer


def spread(name: str, field: str) -> Write:
    """Return `(name child ...)` with the children of one field."""

    def writer(node: object, sep: str) -> str:
        sep = deeper(sep)
        return call(name, write_all(getattr(node, field), sep), sep)

    return writer


def choosing(name: str, test: str, field: str) -> Write:
    """Return `(name test [choice ...])`."""

    def writer(node: object, sep: str) -> str:
        sep = deeper(sep)
        return call(
            name, [write(getattr(node, test), sep), write_list(getattr(node, field), sep)], sep
        )

    return writer


def query(name: str) -> Write:
    """Return `(name expr)`, or `(name)` without a query."""

    def writer(node: Any, sep: str) -> str:
        sep = deeper(sep)
        return call(name, [] if is_nop(node.expr) else [write(node.expr, sep)], sep)

    return writer


def operation(node: Any, sep: str) -> str:
    """Return `(operator left right)`."""
    sep = deeper(sep)
    return call(node.operator, write_all((node.left_expr, node.right_expr), sep), sep)


def attribute(node: ast.AttributeOperation, sep: str) -> str:
    """Return `(=> name value)`."""
    sep = deeper(sep)
    return call(node.operator, [quoted(node.attribute_name), write(node.value_expr, sep)], sep)


def access(node: ast.AccessExpression, sep: str) -> str:
    """Return `(access left key ...)`."""
    sep = deeper(sep)
    return call("access", write_all((node.left_expr, *node.keys), sep), sep)


def minus(node: ast.UnaryMinusExpression, sep: str) -> str:
    """Return `(- expr)`; a number becomes its negative."""
    if isinstance(node.expr, ast.LiteralInteger | ast.LiteralFloat):
        return plain(-node.expr.value)
    return NEGATION(node, sep)


def variable(node: ast.VariableExpression, sep: str) -> str:
    """Return `(var name)`; the name may be a number."""
    sep = deeper(sep)
    name = node.expr
    text = plain(name.value) if type(name) is ast.QualifiedName else write(name, sep)
    return call("var", [text], sep)


def regexp(node: ast.LiteralRegularExpression, sep: str) -> str:
    """Return `(regexp source)`."""
    return call("regexp", [quoted(regexp_source(node.pattern))], deeper(sep))


def template(node: ast.EppExpression, sep: str) -> str:
    """Return the body of a template: whatever call that is becomes `(epp ...)`."""
    if node.body is None:
        return "(epp)"
    text = write(node.body, sep)
    return HEAD.sub("(epp", text, count=1) if text[0] == "(" else call("epp", [text], deeper(sep))


# Writers of nodes that are a map, and the entries of such maps: `:key value`.


def mapped(name: str, *entries: Entry) -> Write:
    """Return `(name {:key value ...})`."""

    def writer(node: object, sep: str) -> str:
        outer = deeper(sep)
        inner = deeper(outer)
        texts = [text for entry in entries if (text := entry(node, inner))]
        return call(name, [braced(texts, inner)], outer)

    return writer


def word(key: str, field: str, *omitted: object) -> Entry:
    """Return a plain value, unless it is one of the omitted."""

    def entry(node: object, sep: str) -> str:
        found = getattr(node, field)
        return "" if found in omitted else f":{key} {plain(found)}"

    return entry


def child(key: str, field: str) -> Entry:
    """Return a node."""
    return lambda node, sep: f":{key} {write(getattr(node, field), sep)}"


def maybe(key: str, field: str) -> Entry:
    """Return a node, unless there is none."""

    def entry(node: object, sep: str) -> str:
        found = getattr(node, field)
        return "" if found is None else f":{key} {write(found, sep)}"

    return entry


def children(key: str, field: str) -> Entry:
    """Return a list of nodes."""
    return lambda node, sep: f":{key} {write_list(getattr(node, field), sep)}"


def some(key: str, field: str) -> Entry:
    """Return a list of nodes, unless it is empty."""

    def entry(node: object, sep: str) -> str:
        found = getattr(node, field)
        return f":{key} {write_list(found, sep)}" if found else ""

    return entry


def block(key: str, node: object, sep: str) -> str:
    """Return the statements of a node as a list."""
    nodes = node.statements if type(node) is ast.BlockExpression else (node,)
    return f":{key} {write_list(nodes, sep)}"


def body(node: Any, sep: str) -> str:
    """Return the body of a definition, unless it has none."""
    return "" if node.body is None else block("body", node.body, sep)


def branch(key: str, field: str) -> Entry:
    """Return a branch of a condition, unless it is empty."""

    def entry(node: object, sep: str) -> str:
        found = getattr(node, field)
        return "" if is_nop(found) else block(key, found, sep)

    return entry


def parameters(node: Any, sep: str) -> str:
    """Return the parameters by name, unless there are none."""
    if not node.parameters:
        return ""
    inner = deeper(sep)
    entries = [f":{p.name} {parameter(p, inner)}" for p in node.parameters]
    return f":params {braced(entries, inner)}"


def parameter(node: ast.Parameter, sep: str) -> str:
    """Return a parameter's type, whether it captures the rest, and its default."""
    sep = deeper(sep)
    entries = (TYPE(node, sep), ":splat true" if node.captures_rest else "", DEFAULT(node, sep))
    return braced([text for text in entries if text], sep)


def bodies(node: ast.ResourceExpression, sep: str) -> str:
    """Return the bodies of a resource: maps, not the calls that they are elsewhere."""
    inner = deeper(sep)
    return f":bodies {bracketed([body_map(b, inner) for b in node.bodies], inner)}"


def body_map(node: ast.ResourceBody, sep: str) -> str:
    """Return a title and its operations."""
    sep = deeper(sep)
    return braced([entry(node, sep) for entry in BODY], sep)


def option(node: ast.CaseOption, sep: str) -> str:
    """Return an option of a case, which is a map without a name."""
    sep = deeper(sep)
    return braced([WHEN(node, sep), block("then", node.then_expr, sep)], sep)


def calling(name: str, statement: str) -> Write:
    """Return calls are named by whether their value is wanted."""
    entries = (
        child("functor", "functor_expr"),
        children("args", "arguments"),
        maybe("block", "lambda_"),
    )
    wanted, unwanted = mapped(name, *entries), mapped(statement, *entries)
    return lambda node, sep: (wanted if node.rval_required else unwanted)(node, sep)


def condition(name: str) -> Write:
    """Return `if` and `unless`."""
    return mapped(
        name, child("test", "test"), branch("then", "then_expr"), branch("else", "else_expr")
    )


INTEGER = mapped("int", word("radix", "radix"), word("value", "value"))
NEGATION = fixed("-", "expr")
NAME = word("name", "name")
TYPE = maybe("type", "type_expr")
DEFAULT = maybe("value", "value")
WHEN = children("when", "values")
OPERATIONS = children("ops", "operations")
FORM = word("form", "form", "regular")
RETURNS = maybe("returns", "return_type")
BODY = child("title", "title"), OPERATIONS

WRITERS: dict[type, Write] = {
    type(None): constant("(nop)"),
    str: lambda text, sep: quoted(text),
    ast.AccessExpression: access,
    ast.AndExpression: fixed("and", "left_expr", "right_expr"),
    ast.ArithmeticExpression: operation,
    ast.ApplyBlockExpression: spread("block", "statements"),
    ast.ApplyExpression: mapped("apply", children("args", "arguments"), child("body", "body")),
    ast.AssignmentExpression: operation,
    ast.AttributeOperation: attribute,
    ast.AttributesOperation: fixed("splat-hash", "expr"),
    ast.BlockExpression: spread("block", "statements"),
    ast.CallMethodExpression: calling("call-method", "invoke-method"),
    ast.CallNamedFunctionExpression: calling("call", "invoke"),
    ast.CaseExpression: choosing("case", "test", "options"),
    ast.CaseOption: option,
    ast.CollectExpression: mapped(
        "collect", TYPE, child("query", "query"), some("ops", "operations")
    ),
    ast.ComparisonExpression: operation,
    ast.ConcatenatedString: spread("concat", "segments"),
    ast.EppExpression: template,
    ast.ExportedQuery: query("exported-query"),
    ast.FunctionDefinition: mapped("function", NAME, parameters, body, RETURNS),
    ast.HeredocExpression: mapped(
        "heredoc", word("syntax", "syntax", ""), child("text", "text_expr")
    ),
    ast.HostClassDefinition: mapped(
        "class", NAME, word("parent", "parent_class", None), parameters, body
    ),
    ast.IfExpression: condition("if"),
    ast.InExpression: fixed("in", "left_expr", "right_expr"),
    ast.KeyedEntry: fixed("=>", "key", "value"),
    ast.LambdaExpression: mapped("lambda", parameters, RETURNS, body),
    ast.LiteralBoolean: value,
    ast.LiteralDefault: constant("(default)"),
    ast.LiteralFloat: value,
    ast.LiteralHash: spread("hash", "entries"),
    ast.LiteralInteger: lambda node, sep: (value if node.radix == 10 else INTEGER)(node, sep),
    ast.LiteralList: spread("array", "values"),
    ast.LiteralRegularExpression: regexp,
    ast.LiteralString: value,
    ast.LiteralUndef: constant("nil"),
    ast.MatchExpression: operation,
    ast.NamedAccessExpression: fixed(".", "left_expr", "right_expr"),
    ast.NodeDefinition: mapped(
        "node", children("matches", "host_matches"), maybe("parent", "parent"), body
    ),
    ast.Nop: constant("(nop)"),
    ast.NotExpression: fixed("!", "expr"),
    ast.OrExpression: fixed("or", "left_expr", "right_expr"),
    ast.ParenthesizedExpression: fixed("paren", "expr"),
    ast.PlanDefinition: mapped("plan", NAME, parameters, body, RETURNS),
    ast.Program: lambda node, sep: write(node.body, sep),
    ast.QualifiedName: words("qn", "value"),
    ast.QualifiedReference: words("qr", "cased_value"),
    ast.RelationshipExpression: operation,
    ast.RenderExpression: fixed("render", "expr"),
    ast.RenderStringExpression: words("render-s", "value"),
    ast.ReservedWord: words("reserved", "word"),
    ast.ResourceBody: mapped("resource_body", *BODY),
    ast.ResourceDefaultsExpression: mapped(
        "resource-defaults", child("type", "type_ref"), OPERATIONS, FORM
    ),
    ast.ResourceExpression: mapped("resource", child("type", "type_name"), bodies, FORM),
    ast.ResourceOverrideExpression: mapped(
        "resource-override", child("resources", "resources"), OPERATIONS, FORM
    ),
    ast.ResourceTypeDefinition: mapped("define", NAME, parameters, body),
    ast.SelectorEntry: fixed("=>", "matching_expr", "value_expr"),
    ast.SelectorExpression: choosing("?", "left_expr", "selectors"),
    ast.TextExpression: fixed("str", "expr"),
    ast.TypeAlias: fixed("type-alias", "name", "type_expr"),
    ast.TypeDefinition: lambda node, sep: call(
        "type-definition",
        [quoted(node.name), plain(node.parent), write(node.body, deeper(sep))],
        deeper(sep),
    ),
    ast.TypeMapping: fixed("type-mapping", "type_expr", "mapping_expr"),
    ast.UnaryMinusExpression: minus,
    ast.UnfoldExpression: fixed("unfold", "expr"),
    ast.UnlessExpression: condition("unless"),
    ast.VariableExpression: variable,
    ast.VirtualQuery: query("virtual-query"),
}
