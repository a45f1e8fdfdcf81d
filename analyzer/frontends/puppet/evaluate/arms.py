"""Arms of constructs that choose, which report that they are taken where somebody listens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.evaluate.errors import Unit
from analyzer.frontends.puppet.evaluate.thunks import Thunk
from analyzer.frontends.puppet.syntax import ast as a

if TYPE_CHECKING:
    from analyzer.frontends.puppet.evaluate.machine import Machine
    from analyzer.frontends.puppet.evaluate.scope import Scope


def offset_of(node: a.Node) -> int:
    """Return the place of a construct: of `and` and `or` before the right side.

    The parts of `a and b and c` begin at one place.
    """
    if isinstance(node, a.AndExpression | a.OrExpression):
        return node.right_expr.offset - 1
    return node.offset


def arms(node: a.Node, unit: Unit, thunks: Sequence[Thunk]) -> Sequence[Thunk]:
    """Return the arms of a construct, which report themselves by their number if watched."""
    watch = unit.watch
    if watch is None:
        return thunks
    offset = offset_of(node)
    watch.has(unit, offset, len(thunks))
    made = [reporting(offset, unit, number, thunk) for number, thunk in enumerate(thunks)]
    trace = unit.trace
    if trace is None:
        return made
    return [trace.arm(unit, offset, number, thunk) for number, thunk in enumerate(made)]


def chosen_arm(node: a.Node, unit: Unit) -> int | None:
    """Return the arm to take of a construct whose test is unknown, None for none of them."""
    return None if unit.watch is None else unit.watch.chosen(unit, offset_of(node))


def reporting(offset: int, unit: Unit, number: int, thunk: Thunk) -> Thunk:
    """Return an arm that reports that it is taken."""
    watch = unit.watch
    assert watch is not None

    def run(machine: Machine, scope: Scope) -> Any:
        watch.takes(unit, offset, number)
        return thunk(machine, scope)

    return run
