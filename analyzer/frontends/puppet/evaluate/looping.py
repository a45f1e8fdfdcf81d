"""Loops as choices: a loop over nothing takes another arm than one over something."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.evaluate.errors import Unit
from analyzer.frontends.puppet.evaluate.thunks import Thunk
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.model.values import Unknown

if TYPE_CHECKING:
    from analyzer.frontends.puppet.evaluate.machine import Machine
    from analyzer.frontends.puppet.evaluate.scope import Scope

# Functions that call a lambda for each element of their first argument.
LOOPS = frozenset({
    "all", "any", "each", "filter", "flat_map", "map", "partition", "reduce", "reverse_each",
    "slice",
})  # fmt: skip
# Functions that declare a resource for each entry of their second argument.
DECLARING = frozenset({"create_resources", "ensure_resources"})
# The arms of a loop.
NONE, SOME = 0, 1
# The arms of a list of titles, which are no branches of the code.
NO_TITLES, SOME_TITLES = -1, -2
# The key of an entry that is made up, and why its value is unknown.
KEY, ELEMENT = "example", "nothing is known of the elements of this loop"


def loop_of(node: Any) -> tuple[int, Any] | None:
    """Return the offset of a loop and the expression that it goes through, None if it is none."""
    functor, arguments = node.functor_expr, list(node.arguments)
    if type(node) is a.CallMethodExpression:
        arguments.insert(0, functor.left_expr)
        functor = functor.right_expr
    name = str(getattr(functor, "value", ""))
    if name in LOOPS and node.lambda_ is not None and arguments:
        return node.lambda_.offset, arguments[0]
    if name in DECLARING and len(arguments) > 1:
        return node.offset, arguments[1]
    return None


def stand_in_for(node: Any) -> Any:
    """Return a value with one unknown element for a loop, None if it has no lambda.

    Two parameters of a lambda may be those of an entry.
    """
    if node.lambda_ is None:
        return None
    is_pair = len(node.lambda_.parameters) > 1
    return {KEY: Unknown(ELEMENT)} if is_pair else [Unknown(ELEMENT)]


def reporting_loop(node: Any, unit: Unit, arguments: Thunk, first: int = 0) -> Thunk:
    """Return the arguments of a call, which report whether a loop goes through anything.

    `first` is the number of the first of the arguments: 1 behind a receiver. Where nobody listens
    they are those that are given.
    """
    watch, loop = unit.watch, loop_of(node)
    if watch is None or loop is None:
        return arguments
    offset, written = loop
    at = [argument is written for argument in node.arguments]
    if True not in at and first:
        return arguments
    place = at.index(True) if True in at else 0
    watch.has(unit, offset, 2)
    element = stand_in_for(node)

    def run(machine: Machine, scope: Scope) -> Any:
        values = arguments(machine, scope)
        if type(values) is Unknown:
            return values
        value = values[place] if type(values) is list and len(values) > place else None
        if type(value) is Unknown and element is not None:
            arm = watch.chosen(unit, offset)
            if arm is not None:
                value = element if arm == SOME else []
                values = [*values[:place], value, *values[place + 1 :]]
        if type(value) is not Unknown:
            watch.takes(unit, offset, NONE if value in (None, [], {}, "") else SOME)
        return values

    return run
