"""The table of compilers of nodes, and thunks that all of them use."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.evaluate.errors import Unit
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.ast import Node
from analyzer.model.values import Unknown

if TYPE_CHECKING:
    from analyzer.frontends.puppet.evaluate.machine import Machine
    from analyzer.frontends.puppet.evaluate.scope import Scope

# An expression made ready: given the machine and a scope, it yields the value.
Thunk = Callable[["Machine", "Scope"], Any]
Maker = Callable[[Any, Unit], Thunk]

MAKERS: dict[type, Maker] = {}


def compiles(*kinds: type) -> Callable[[Maker], Maker]:
    """Register what makes the thunk of these kinds of nodes."""

    def register(maker: Maker) -> Maker:
        for kind in kinds:
            MAKERS[kind] = maker
        return maker

    return register


def thunk_of(node: Node | None, unit: Unit) -> Thunk:
    """Return the thunk of a node; of nothing, one that yields undef."""
    if node is None:
        return nothing
    thunk = MAKERS[type(node)](node, unit)
    return thunk if unit.trace is None else unit.trace.traced(node, unit, thunk)


# Nodes whose thunks are made as fast as one that waits for them.
LEAVES = (a.LiteralString, a.LiteralInteger, a.LiteralBoolean, a.LiteralUndef, a.QualifiedName)


def later(node: Node | None, unit: Unit) -> Thunk:
    """Return the thunk of what may never be evaluated: it is made when it is, unless watched."""
    if node is None or unit.watch is not None or type(node) in LEAVES:
        return thunk_of(node, unit)
    thunk: Thunk | None = None

    def run(machine: Machine, scope: Scope) -> Any:
        nonlocal thunk
        if thunk is None:
            thunk = thunk_of(node, unit)
        return thunk(machine, scope)

    return run


def name_of(node: object) -> str:
    """Return the name of an unqualified variable, the empty text for any other expression.

    Operands are mostly variables of the innermost block: what has their name can look there
    before it calls the thunk.
    """
    name = getattr(node.expr, "value", None) if type(node) is a.VariableExpression else None
    # Variables of a match are in a frame that the operand before may have pushed.
    return name if type(name) is str and "::" not in name and not name.isdigit() else ""


def nothing(machine: Machine, scope: Scope) -> Any:
    """Yield undef."""
    return None


def constant(value: object) -> Thunk:
    """Return a thunk that yields the same value each time."""
    return lambda machine, scope: value


def without_parentheses(node: object) -> Any:
    """Return the expression inside any number of parentheses."""
    while type(node) is a.ParenthesizedExpression:
        node = node.expr
    return node


def unfolding(nodes: Iterable[Node], unit: Unit) -> Thunk:
    """Return a thunk of the values of expressions as a list; splats give several.

    The length of an Unknown splat is not known: the list is the Unknown.
    """
    parts = []
    splat = False
    for node in nodes:
        inner = without_parentheses(node)
        is_splat = type(inner) is a.UnfoldExpression
        splat = splat or is_splat
        parts.append((thunk_of(inner, unit), is_splat))
    if not splat:
        thunks = [thunk for thunk, _ in parts]
        return lambda machine, scope: [thunk(machine, scope) for thunk in thunks]

    def unfold(machine: Machine, scope: Scope) -> Any:
        values: list[Any] = []
        unknown = None
        for thunk, is_splat in parts:
            value = thunk(machine, scope)
            if not is_splat:
                values.append(value)
            elif type(value) is Unknown:
                unknown = unknown or value.as_any()
            else:
                values += value
        return unknown or values

    return unfold


def truth(value: object) -> bool:
    """Return whether a value counts as true: all but undef and false do."""
    return value is not None and value is not False
