"""The actions of the grammar for definitions, values with parts, and templates (Model::Factory)."""

from __future__ import annotations

from typing import Any

from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.parsing.build import (
    Builder,
    Values,
    block_or_expression,
    folded,
    quick,
    span,
)


def body_of(nodes: Values | None, offset: int) -> a.BlockExpression | None:
    """Build the body of a definition: nothing, or a block without a place."""
    return None if nodes is None else a.BlockExpression(offset, 0, tuple(nodes))


def define(b: Builder, c: Values) -> a.Node:
    """Build `define name(parameters) { body }`."""
    place = span(c[0], c[5])
    body = body_of(c[4], place[0])
    return b.define(a.ResourceTypeDefinition(*place, b.qualified(c[1][1]), tuple(c[2]), body))


def stacked_name(b: Builder, c: Values) -> object:
    """Build a class's name, within which others stand until its body ends."""
    b.names.append(c[0][1])
    return c[0]


def hostclass(b: Builder, c: Values) -> a.Node:
    """Build `class name(parameters) inherits parent { body }`."""
    b.names.pop()
    place = span(c[0], c[6])
    parent = c[3][1] if c[3] is not None else None
    body = body_of(c[5], place[0])
    return b.define(a.HostClassDefinition(*place, b.qualified(c[1][1]), tuple(c[2]), parent, body))


def plan(b: Builder, c: Values) -> a.Node:
    """Build `plan name(parameters) { body }`."""
    b.names.pop()
    place = span(c[0], c[5])
    body = body_of(c[4], place[0])
    return b.define(a.PlanDefinition(*place, b.qualified(c[1][1]), tuple(c[2]), body, None))


def apply(b: Builder, c: Values) -> a.ApplyExpression:
    """Build `apply(arguments) { body }`."""
    place = span(c[0], c[-1])
    block = a.ApplyBlockExpression(place[0], 0, tuple(c[-2] or ()))
    return a.ApplyExpression(*place, folded(c[2]), block)


def node(b: Builder, c: Values) -> a.Node:
    """Build `node matches inherits parent { body }`."""
    parent, _, body, last = c[-4:]
    place = span(c[0], last)
    return b.define(a.NodeDefinition(*place, tuple(c[1]), parent, body_of(body, place[0])))


def dotted_name(b: Builder, c: Values) -> a.LiteralString:
    """Build a node's name, or the first part of it."""
    return a.LiteralString(c[0][2], c[0][3], c[0][1])


def longer_dotted_name(b: Builder, c: Values) -> a.LiteralString:
    """Build a node's name with one part more."""
    return a.LiteralString(*span(c[0], c[2]), f"{c[0].value}.{c[2][1]}")


def function(b: Builder, c: Values) -> a.Node:
    """Build `function name(parameters) >> type { body }`."""
    place = span(c[0], c[6])
    body = body_of(c[5], place[0])
    return b.define(a.FunctionDefinition(*place, c[1][1], tuple(c[2]), body, c[3]))


def return_type_access(b: Builder, c: Values) -> a.AccessExpression:
    """Build `>> Type[keys]`."""
    return a.AccessExpression(*span(c[1], c[4]), c[1], folded(c[3]))


def keyword_as_name(b: Builder, c: Values) -> object:
    """Refuse `class` as a name."""
    b.error("KEYWORD_AS_NAME", c[0][2])


def string_as_name(b: Builder, c: Values) -> object:
    """Refuse a string as a name."""
    b.error("STRING_AS_NAME", c[0][2])


# ---- parameters


def parameter(b: Builder, c: Values) -> a.Parameter:
    """Build `$name`."""
    return a.Parameter(c[0][2], c[0][3], c[0][1], None, None, False)


def parameter_with_value(b: Builder, c: Values) -> a.Parameter:
    """Build `$name = value`, at the place of the name."""
    return a.Parameter(c[0][2], c[0][3], c[0][1], c[2], None, False)


def splat_parameter(b: Builder, c: Values) -> a.Parameter:
    """Build `*$name`."""
    made: a.Parameter = c[1]
    return made._replace(captures_rest=True)


def typed_parameter(b: Builder, c: Values) -> a.Parameter:
    """Build `Type $name`."""
    made: a.Parameter = c[1]
    return made._replace(type_expr=c[0])


# ---- types


def type_alias_lhs(b: Builder, c: Values) -> object:
    """Build the type that is named."""
    return c[1]


def alias(b: Builder, left: Any, right: a.Node, place: tuple[int, int]) -> a.Node:
    """Build a name for a type, or the mapping of a type of the runtime."""
    if type(left) is a.AccessExpression:
        return b.define(a.TypeMapping(*place, left, right))
    if type(right) is a.LiteralHash:
        right = a.AccessExpression(
            place[0], 0, a.QualifiedReference(place[0], 0, "Object"), (right,)
        )
    return b.define(a.TypeAlias(*place, left.cased_value, right))


def type_alias(b: Builder, c: Values) -> object:
    """Build `type Name = Type` or `type Name = { }`, an object."""
    return alias(b, c[0], c[2], span(c[0], c[2]))


def type_alias_array(b: Builder, c: Values) -> object:
    """Build `type Name = [ ]`, which is refused later."""
    return alias(b, c[0], c[2], span(c[0], c[2]))


def type_alias_access(b: Builder, c: Values) -> a.Node:
    """Build `type Name = Type[keys]`."""
    right = a.AccessExpression(c[0].offset, 0, c[2], folded(c[4]))
    return alias(b, c[0], right, span(c[0], c[-1]))


def type_alias_object(b: Builder, c: Values) -> object:
    """Build `type Name = Parent { }`, an object type with a parent."""
    place = span(c[0], c[3])
    parent, attributes = c[2], c[3]
    if parent.cased_value not in ("Object", "TypeSet"):
        entry = a.KeyedEntry(place[0], 0, a.QualifiedName(place[0], 0, "parent"), parent)
        attributes = attributes._replace(entries=(*attributes.entries, entry))
        parent = a.QualifiedReference(place[0], 0, "Object")
    if type(c[0]) is a.AccessExpression:
        return b.define(a.TypeMapping(*place, c[0], a.KeyedEntry(place[0], 0, c[2], c[3])))
    access = a.AccessExpression(place[0], 0, parent, (attributes,))
    return b.define(a.TypeAlias(*place, c[0].cased_value, access))


def type_definition(b: Builder, c: Values) -> a.Node:
    """Build `type Name { }`."""
    place = span(c[0], c[4])
    return b.define(a.TypeDefinition(*place, c[1][1], None, body_of(c[3], place[0])))


def type_definition_inherits(b: Builder, c: Values) -> a.Node:
    """Build `type Name inherits Parent { }`."""
    place = span(c[0], c[6])
    return b.define(a.TypeDefinition(*place, c[1][1], c[3][1], body_of(c[5], place[0])))


# ---- arrays, hashes and strings


def array(b: Builder, c: Values) -> a.LiteralList:
    """Build `[entries]`."""
    return a.LiteralList(*span(c[0], c[-1]), folded(c[1]))


def empty_array(b: Builder, c: Values) -> a.LiteralList:
    """Build `[]`."""
    return a.LiteralList(*span(c[0], c[1]), ())


def hash_(b: Builder, c: Values) -> a.LiteralHash:
    """Build `{entries}`."""
    return a.LiteralHash(*span(c[0], c[-1]), tuple(c[1]))


def empty_hash(b: Builder, c: Values) -> a.LiteralHash:
    """Build `{}`."""
    return a.LiteralHash(*span(c[0], c[1]), ())


def hashpair(b: Builder, c: Values) -> a.KeyedEntry:
    """Build `key => value`, at the place of its arrow."""
    return a.KeyedEntry(c[1][2], c[1][3], c[0], c[2])


def literal_text(b: Builder, c: Values) -> a.LiteralString:
    """Build a token's text as a string."""
    _, value, offset, length = c[0]
    return quick(a.LiteralString, (offset, length, value))


def interpolated(b: Builder, c: Values) -> a.ConcatenatedString:
    """Build a string with interpolations; empty parts are dropped."""
    rest, last = c[1]
    parts = [literal_text(b, [c[0]]), *reversed(rest)]
    segments = tuple(p for p in parts if type(p) is not a.LiteralString or p.value)
    return a.ConcatenatedString(*span(c[0], last), segments)


def last_interpolation(b: Builder, c: Values) -> tuple[Values, object]:
    """Build the last interpolation and the text behind it; parts are collected from the end."""
    return [literal_text(b, [c[1]]), c[0]], c[1]


def interpolation(b: Builder, c: Values) -> tuple[Values, object]:
    """Build one interpolation more and the text behind it."""
    rest, last = c[2]
    rest += (literal_text(b, [c[1]]), c[0])
    return rest, last


def text_expression(b: Builder, c: Values) -> a.TextExpression:
    """Build what stands in an interpolation; a name or number there is a variable (interpolate)."""
    inner = as_variable(c[0])
    return a.TextExpression(inner.offset, 0, inner)


def as_variable(node: a.Node) -> a.Node:
    """Read names and whole numbers at the head of accesses and calls as variables."""
    if isinstance(node, (a.QualifiedName, a.LiteralInteger)):
        return a.VariableExpression(node.offset, 0, node)
    if isinstance(node, (a.AccessExpression, a.NamedAccessExpression)):
        left = node.left_expr
        return node._replace(left_expr=as_variable(left)) if rewritable(left) else node
    if isinstance(node, a.CallMethodExpression) and rewritable(node.functor_expr):
        return node._replace(functor_expr=as_variable(node.functor_expr))
    return node


def rewritable(node: object) -> bool:
    """Return whether the head of an access may be read as a variable."""
    if type(node) is a.LiteralInteger:
        return node.radix == 10
    return isinstance(
        node, (a.AccessExpression, a.QualifiedName, a.NamedAccessExpression, a.CallMethodExpression)
    )


def heredoc(b: Builder, c: Values) -> a.HeredocExpression:
    """Build a heredoc."""
    return a.HeredocExpression(c[0][2], c[0][3], c[0][1], c[2])


# ---- templates


def epp(b: Builder, c: Values) -> a.LambdaExpression:
    """Build a template: a lambda whose body renders."""
    specified = c[1] is not None
    inner = a.EppExpression(c[0][2], 0, specified, body_of(c[2], c[0][2]))
    return a.LambdaExpression(c[0][2], c[0][3], tuple(c[1] or ()), inner, None)


def render_string(b: Builder, c: Values) -> a.RenderStringExpression:
    """Build text."""
    return a.RenderStringExpression(c[0][2], c[0][3], c[0][1])


def render(b: Builder, c: Values) -> a.RenderExpression:
    """Build `<%= expr %>`."""
    return a.RenderExpression(*span(c[0], c[2]), c[1])


def render_block(b: Builder, c: Values) -> a.RenderExpression:
    """Build `<%= { statements } %>`."""
    return a.RenderExpression(*span(c[0], c[4]), block_or_expression(c[2], c[1], c[3]))
