"""The classes, resource types, functions and data types that a manifest uses, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.model.values import Value

# Functions that take names of classes.
OF_CLASSES = frozenset({"include", "contain", "require"})
# Functions that take the name of a resource type first.
OF_TYPES = frozenset({"create_resources", "ensure_resource", "ensure_resources"})


class Use(NamedTuple):
    """A name that is used: `kind` is class, resource type, function or data type."""

    kind: str
    name: str
    offset: int


def uses_in(program: a.Program) -> Iterator[Use]:
    """Yield what a program uses, in the order of its text; names in variables are not seen."""
    pending: list[Any] = [program.body]
    while pending:
        node = pending.pop()
        find = FINDERS.get(type(node))
        if find is not None:
            yield from find(node)
        parts = [part for part in node[2:] if isinstance(part, tuple)]
        for part in reversed(parts):
            if hasattr(part, "offset"):
                pending.append(part)
            else:
                pending += (one for one in reversed(part) if isinstance(one, tuple))


def literals(node: Value) -> Iterator[tuple[str, int]]:
    """Yield the names that an argument or a title is written as: a word, a text, or a list."""
    if isinstance(node, a.LiteralString | a.QualifiedName):
        yield bare(node.value), node.offset
    elif isinstance(node, a.LiteralList):
        for value in node.values:
            yield from literals(value)
    elif isinstance(node, a.AccessExpression) and is_reference(node.left_expr, "class"):
        for key in node.keys:
            yield from literals(key)


def bare(name: str) -> str:
    """Return a name as definitions have it."""
    return name.lower().removeprefix("::")


def is_reference(node: Node, name: str) -> bool:
    """Return whether a node is a reference to a type of this name."""
    return isinstance(node, a.QualifiedReference) and bare(node.cased_value) == name


def of_call(node: a.CallNamedFunctionExpression) -> Iterator[Use]:
    """Yield the function of a call, and the classes or types that its arguments name."""
    if not isinstance(node.functor_expr, a.QualifiedName):
        return
    name = bare(node.functor_expr.value)
    yield Use("function", name, node.functor_expr.offset)
    if name in OF_CLASSES:
        for argument in node.arguments:
            yield from (Use("class", *found) for found in literals(argument))
    elif name in OF_TYPES and node.arguments:
        yield from (Use("resource type", *found) for found in literals(node.arguments[0]))


def of_method(node: a.CallMethodExpression) -> Iterator[Use]:
    """Yield the function of a call behind a dot."""
    functor = node.functor_expr
    name = getattr(functor, "right_expr", None)
    if isinstance(name, a.QualifiedName):
        yield Use("function", bare(name.value), name.offset)
        if name.value in OF_CLASSES:
            yield from (Use("class", *one) for one in literals(getattr(functor, "left_expr", None)))


def of_resource(node: a.ResourceExpression) -> Iterator[Use]:
    """Yield the type of a resource expression, or the classes that it declares."""
    if not isinstance(node.type_name, a.QualifiedName):
        return
    name = bare(node.type_name.value)
    if name != "class":
        yield Use("resource type", name, node.type_name.offset)
        return
    for body in node.bodies:
        yield from (Use("class", *found) for found in literals(body.title))


def of_reference(node: a.QualifiedReference) -> Iterator[Use]:
    """Yield a data type, or the type of resources that is referred to; both look alike."""
    yield Use("data type", bare(node.cased_value), node.offset)


def of_class(node: a.HostClassDefinition) -> Iterator[Use]:
    """Yield the class that one inherits."""
    if node.parent_class:
        yield Use("class", bare(node.parent_class), node.offset)


FINDERS: dict[type, Callable[[Any], Iterator[Use]]] = {
    a.CallNamedFunctionExpression: of_call,
    a.CallMethodExpression: of_method,
    a.ResourceExpression: of_resource,
    a.QualifiedReference: of_reference,
    a.HostClassDefinition: of_class,
}
