"""Computed names of classes as choices: each class that is named is an arm of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any
from zlib import crc32

from analyzer.frontends.puppet.evaluate.errors import Unit
from analyzer.frontends.puppet.evaluate.thunks import Thunk
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.model.values import flat

if TYPE_CHECKING:
    from analyzer.frontends.puppet.evaluate.machine import Machine
    from analyzer.frontends.puppet.evaluate.scope import Scope

# Functions whose arguments are names of classes.
NAMING = frozenset({"contain", "include", "require"})
# The arm of no name, or of an unknown one. Arms of names have lower numbers; none is a branch.
NAMELESS = -3

LITERALS = frozenset({
    a.LiteralString, a.QualifiedName, a.QualifiedReference, a.LiteralUndef, a.LiteralDefault,
    a.LiteralInteger, a.LiteralFloat, a.LiteralBoolean,
})  # fmt: skip
WRAPPERS = frozenset({a.ParenthesizedExpression, a.TextExpression})


def arm_of(name: str) -> int:
    """Return the arm that a name is: the same in all processes."""
    return NAMELESS - 1 - crc32(name.lower().removeprefix("::").encode("utf-8", "replace"))


def computed_in(nodes: Iterable[Any]) -> Iterator[Any]:
    """Yield the expressions that names are computed with, of nodes and of lists of them."""
    for node in nodes:
        kind = type(node)
        if kind in WRAPPERS:
            yield from computed_in([node.expr])
        elif kind is a.LiteralList:
            yield from computed_in(node.values)
        elif kind is a.AccessExpression and type(node.left_expr) is a.QualifiedReference:
            yield from computed_in(node.keys)
        elif kind not in LITERALS:
            yield node


def names_of_call(node: Any) -> list[Any]:
    """Return the computed names that a call brings in, none if it is another function."""
    functor, arguments = node.functor_expr, node.arguments
    if type(node) is a.CallMethodExpression:
        arguments = (functor.left_expr, *arguments)
        functor = functor.right_expr
    is_naming = str(getattr(functor, "value", "")) in NAMING
    return [*computed_in(arguments)] if is_naming else []


def names_of_resource(node: Any) -> Iterator[tuple[int, list[Any]]]:
    """Yield the place and the computed names of each body that declares classes."""
    if is_class(node):
        for body in node.bodies:
            names = [*computed_in([body.title])]
            if names:
                yield body.title.offset, names


def is_class(node: Any) -> bool:
    """Return whether a resource expression is written to declare classes."""
    return str(getattr(node.type_name, "value", "")).lower().removeprefix("::") == "class"


def reporting_names(node: Any, unit: Unit, arguments: Thunk) -> Thunk:
    """Return the arguments of a call, which report the computed names of classes if watched."""
    if unit.watch is None or not names_of_call(node):
        return arguments

    def run(machine: Machine, scope: Scope) -> Any:
        values = arguments(machine, scope)
        report_names(values if type(values) is list else [], unit, node.offset)
        return values

    return run


def report_names(values: Iterable[Any], unit: Unit, offset: int) -> None:
    """Report the classes that are named at a place."""
    watch = unit.watch
    assert watch is not None
    titles = (getattr(value, "class_name", value) for value in flat(values))
    names = [title for title in titles if title and type(title) is str]
    for name in names:
        watch.takes(unit, offset, arm_of(name))
    if not names:
        watch.takes(unit, offset, NAMELESS)
