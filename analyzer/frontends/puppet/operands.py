"""What an operand of an arrow, a title or a reference stands for, as far as the text tells."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from analyzer.frontends.puppet.syntax import ast

if TYPE_CHECKING:
    from analyzer.frontends.puppet.syntax.ast import Node
    from analyzer.model.resource import Resource


class TypeOperand(NamedTuple):
    """A type in small letters, with a title (None: any, not known) or the query of a collector.

    An empty type is any.
    """

    kind: str
    title: str | None = None
    collects: bool = False
    query: Node | None = None

    def fits(self, resource: Resource) -> bool | None:
        """Return whether it stands for a resource, None if the text does not tell."""
        if self.kind and self.kind != resource.type.lower():
            return False
        if not self.kind:
            return None
        if self.collects:
            return True if self.query is None else holds(self.query, resource)
        if self.title is None:
            return None
        if self.kind == "class":
            return self.title.lower().removeprefix("::") == resource.title.lower()
        return self.title == resource.title


ANYTHING = (TypeOperand(""),)


def operands_of(node: object, kind: str = "", *, right: bool = False) -> tuple[TypeOperand, ...]:
    """Return the resources that a node stands for.

    `kind` is the type of a title; `right` takes the right end of a chain, not its left one.
    """
    match node:
        case ast.LiteralList():
            return tuple(one for value in node.values for one in operands_of(value, kind))
        case ast.RelationshipExpression():
            # The value of an arrow is its right operand, whichever way it points.
            return operands_of(node.right_expr if right else node.left_expr, right=right)
        case ast.ParenthesizedExpression():
            return operands_of(node.expr, kind, right=right)
        case ast.AccessExpression():
            name = getattr(node.left_expr, "cased_value", "").lower().removeprefix("::")
            return (
                tuple(TypeOperand(name, title_of(key)) for key in node.keys) if name else ANYTHING
            )
        case ast.ResourceExpression():
            name = str(getattr(node.type_name, "value", "")).lower().removeprefix("::")
            return tuple(o for body in node.bodies for o in operands_of(body.title, name))
        case ast.CollectExpression():
            name = getattr(node.type_expr, "cased_value", "").lower().removeprefix("::")
            return (TypeOperand(name, collects=True, query=getattr(node.query, "expr", None)),)
    return (TypeOperand(kind, title_of(node)),) if kind else ANYTHING


def title_of(node: object) -> str | None:
    """Return a title that is written out, None for one that is computed."""
    match node:
        case ast.LiteralString() | ast.QualifiedName():
            return str(node.value)
        case ast.QualifiedReference():
            return str(node.cased_value)
    return None


def holds(query: object, resource: Resource) -> bool | None:
    """Return whether a resource passes the query of a collector, None if that is not known."""
    match query:
        case ast.ParenthesizedExpression():
            return holds(query.expr, resource)
        case ast.AndExpression() | ast.OrExpression():
            sides = holds(query.left_expr, resource), holds(query.right_expr, resource)
            decides = isinstance(query, ast.OrExpression)
            return decides if decides in sides else None if None in sides else not decides
        case ast.ComparisonExpression(operator="==" | "!="):
            is_equal = equals(query, resource)
            return None if is_equal is None else is_equal == (query.operator == "==")
    return None


def equals(query: ast.ComparisonExpression, resource: Resource) -> bool | None:
    """Return whether an attribute has a value, None if that is not known."""
    name, wanted = title_of(query.left_expr), title_of(query.right_expr)
    if name is None or wanted is None:
        return None
    if name == "title":
        return resource.title == wanted
    if name == "tag":
        return wanted.lower() in resource.tags if resource.tags is not None else None
    value = resource.parameters.get(name)
    return str(value) == wanted if isinstance(value, str) else None
