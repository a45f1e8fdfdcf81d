"""Choices and comparisons that record their contributors, also those of the code after them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from analyzer.frontends.puppet.evaluate.arms import offset_of
from analyzer.frontends.puppet.evaluate.control import assigned_in
from analyzer.frontends.puppet.evaluate.errors import Unit
from analyzer.frontends.puppet.evaluate.thunks import without_parentheses
from analyzer.frontends.puppet.origins.combining import combines, together
from analyzer.frontends.puppet.origins.contributors import Contributor, Trail, flat
from analyzer.frontends.puppet.origins.parts import Evaluated, Part, of_truth
from analyzer.frontends.puppet.origins.recorder import Recorder
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.types.model.base import Type

CHOICES = frozenset({a.IfExpression, a.UnlessExpression, a.CaseExpression})
# Constructs that test whether a value is true.
OF_TRUTH = frozenset({a.IfExpression, a.UnlessExpression, a.AndExpression, a.OrExpression})
# Types of which an array or hash is, or is not, whatever its elements are.
PLAIN_TYPES = frozenset({
    "Array", "Boolean", "Collection", "Float", "Hash", "Integer", "NotUndef", "Numeric", "Scalar",
    "ScalarData", "String", "Undef",
})  # fmt: skip
# Calls that end a body, a lambda or a loop.
LEAVING = frozenset({"return", "next", "break"})


def leaving(trace: Recorder, node: Any, unit: Unit) -> Callable[[Evaluated], None] | None:
    """Return a function that records the effects of a choice on the code after it, if any.

    Variables that no arm assigned are undef because of the test. Code after an arm that leaves the
    body is evaluated because of the test.
    """
    names = list(dict.fromkeys(assigned_in(node)))
    leaves = has_leaving_call(node)
    if not names and not leaves:
        return None

    def record(it: Evaluated) -> None:
        why = trace.contributor("condition", "not taken", tested(it), node, unit)
        variables = it.scope.variables()
        for name in names:
            if name not in variables:
                trace.set_trail(variables, name, Trail((why,)))
        if leaves:
            trace.around = why

    return record


def is_test(node: Any, part: Any) -> bool:
    """Return whether a part of a choice belongs to its test, or to the options of a `case`."""
    if type(node) in (a.AndExpression, a.OrExpression):
        return part is without_parentheses(node.left_expr)
    arms = [getattr(node, "then_expr", None), getattr(node, "else_expr", None)]
    arms += [option.then_expr for option in getattr(node, "options", ())]
    arms += [entry.value_expr for entry in getattr(node, "selectors", ())]
    return not any(part is arm for arm in arms)


def has_leaving_call(node: Any) -> bool:
    """Return whether a call that leaves the code around it is part of a node."""
    pending = [node]
    while pending:
        one = pending.pop()
        if type(one) is a.CallNamedFunctionExpression:
            name = getattr(one.functor_expr, "value", "")
            if name in LEAVING:
                return True
        pending += [part for part in one if isinstance(part, tuple)] if one else ()
    return False


@combines(*CHOICES, a.SelectorExpression, a.AndExpression, a.OrExpression)
def choice(trace: Recorder, it: Evaluated) -> Trail:
    """Record what the test depends on, whether an arm was taken or not."""
    if type(it.node) in OF_TRUTH:
        it.parts = [part_of_choice(it.node, part) for part in it.parts]
    trace.decide(it.unit, offset_of(it.node), tested(it))
    return together(trace, it)


def part_of_choice(node: Any, part: Part) -> Part:
    """Return a part of a choice; of its test, and of `and` and `or`, only the truth counts."""
    one, value, trail = part
    if type(node) in (a.AndExpression, a.OrExpression) or is_test(node, one):
        return one, None, of_truth(value, trail)
    return part


def tested(it: Evaluated) -> tuple[Contributor, ...]:
    """Return the contributors of the test of a choice."""
    return flat(trail for node, _, trail in it.parts if is_test(it.node, node))


@combines(a.NotExpression)
def negated(trace: Recorder, it: Evaluated) -> Trail:
    """Return the trail of `!`: only the truth counts."""
    return Trail(flat(of_truth(value, trail) for _, value, trail in it.parts))


@combines(a.ComparisonExpression, a.MatchExpression)
def comparison(trace: Recorder, it: Evaluated) -> Trail:
    """Return the trail of a comparison.

    The elements of an array or hash take no part where the other side is of another kind.
    """
    if len(it.parts) != 2:
        return together(trace, it)
    (_, left, of_left), (_, right, of_right) = it.parts
    if type(left) in (list, dict) and is_plain(right):
        of_left = Trail(of_left.shape)
    if type(right) in (list, dict) and is_plain(left):
        of_right = Trail(of_right.shape)
    return Trail(flat((of_left, of_right)))


def is_plain(value: object) -> bool:
    """Return whether an array or hash differs from a value, or is of it, with any elements."""
    if isinstance(value, Type):
        return str(value) in PLAIN_TYPES
    return value is None or isinstance(value, (bool, float, int, str))
