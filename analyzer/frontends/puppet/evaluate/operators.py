"""Comparison, matching, logic and assignment."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.evaluate.arithmetic import numeric
from analyzer.frontends.puppet.evaluate.arms import arms
from analyzer.frontends.puppet.evaluate.compare import (
    HOLDING,
    NotComparable,
    compare,
    contains,
    equal,
    equal_if_known,
    includes,
    search,
)
from analyzer.frontends.puppet.evaluate.errors import EvaluationError, Unit, fail
from analyzer.frontends.puppet.evaluate.ruby import to_s
from analyzer.frontends.puppet.evaluate.scope import MISSING, RESERVED, reserved
from analyzer.frontends.puppet.evaluate.text import text_of, unknown_in
from analyzer.frontends.puppet.evaluate.thunks import Thunk, compiles, thunk_of
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.types.assignable import assignable
from analyzer.frontends.puppet.types.mismatches.labels import a_kind_of, kind_of
from analyzer.frontends.puppet.types.model.base import Type, ruby_class
from analyzer.frontends.puppet.types.model.catalog import ClassType
from analyzer.frontends.puppet.types.model.wrappers import Iteration
from analyzer.frontends.puppet.types.unknowns import matches_type
from analyzer.model.keys import as_key, pairs_of
from analyzer.model.timespan import Timespan
from analyzer.model.timestamp import Timestamp
from analyzer.model.values import Regexp, Unknown
from analyzer.model.versions import SemVerRange

if TYPE_CHECKING:
    from analyzer.frontends.puppet.evaluate.machine import Machine
    from analyzer.frontends.puppet.evaluate.scope import Scope

ORDERS: dict[str, Callable[[int], bool]] = {
    "<": lambda order: order < 0,
    "<=": lambda order: order <= 0,
    ">": lambda order: order > 0,
    ">=": lambda order: order >= 0,
}

TYPE_ORDERS: dict[str, Callable[[Type, Type], bool]] = {
    "<": lambda one, other: assignable(other, one) and one != other,
    "<=": lambda one, other: assignable(other, one),
    ">": lambda one, other: assignable(one, other) and one != other,
    ">=": assignable,
}


@compiles(a.ComparisonExpression)
def comparison(node: a.ComparisonExpression, unit: Unit) -> Thunk:
    """Compile `== != < <= > >=`."""
    left, right = thunk_of(node.left_expr, unit), thunk_of(node.right_expr, unit)
    sign = node.operator
    if sign in ("==", "!="):
        wanted = sign == "=="

        def equality(machine: Machine, scope: Scope) -> Any:
            first, second = left(machine, scope), right(machine, scope)
            if type(first) is Unknown or type(second) is Unknown:
                return unknown_in(first, second)
            if type(first) in HOLDING:
                same = equal_if_known(first, second)
                return same.as_any() if type(same) is Unknown else same is wanted
            return equal(first, second) is wanted

        return equality

    def order(machine: Machine, scope: Scope) -> Any:
        return ordered(node, unit, left(machine, scope), right(machine, scope))

    return order


def ordered(node: a.ComparisonExpression, unit: Unit, first: object, second: object) -> Any:
    """Compare two values by order, or two types by what they admit."""
    unknown = unknown_in(first, second)
    if unknown is not None:
        return unknown
    if isinstance(first, Type):
        return isinstance(second, Type) and TYPE_ORDERS[node.operator](first, second)
    try:
        return ORDERS[node.operator](compare(first, second))
    except NotComparable as error:
        fail(
            unit,
            node,
            "COMPARISON_NOT_POSSIBLE",
            left=kind_of(first),
            operator=node.operator,
            right=kind_of(second),
            detail=error,
        )


@compiles(a.MatchExpression)
def match(node: a.MatchExpression, unit: Unit) -> Thunk:
    """Compile `=~` and `!~`, with a type or a regular expression."""
    left, right = thunk_of(node.left_expr, unit), thunk_of(node.right_expr, unit)
    wanted = node.operator == "=~"

    def matching(machine: Machine, scope: Scope) -> Any:
        value, pattern = left(machine, scope), right(machine, scope)
        if isinstance(pattern, Type):
            verdict = matches_type(pattern, value)
            return verdict.as_any() if isinstance(verdict, Unknown) else verdict is wanted
        unknown = unknown_in(value, pattern)
        if unknown is not None:
            return unknown
        if type(pattern) is SemVerRange:
            return includes(pattern, value) is wanted
        if type(pattern) is str:
            pattern = Regexp(pattern)
        if type(pattern) is not Regexp:
            word = "nil" if pattern is None else ruby_class(pattern)
            word = text_of(pattern) if type(pattern) is bool else word
            detail = f"no implicit conversion of {word} into String"
            fail(unit, node.right_expr, "MATCH_NOT_REGEXP", detail=detail)
        if type(value) is not str:
            fail(unit, node.left_expr, "MATCH_NOT_STRING", actual=a_kind_of(value))
        return search(pattern, value, scope.set_match) is wanted

    return matching


@compiles(a.InExpression)
def inclusion(node: a.InExpression, unit: Unit) -> Thunk:
    """Compile `part in whole`."""
    left, right = thunk_of(node.left_expr, unit), thunk_of(node.right_expr, unit)

    def included(machine: Machine, scope: Scope) -> Any:
        part, whole = left(machine, scope), right(machine, scope)
        unknown = unknown_in(part, whole)
        return contains(whole, part, scope.set_match) if unknown is None else unknown

    return included


@compiles(a.AndExpression)
def conjunction(node: a.AndExpression, unit: Unit) -> Thunk:
    """Return `left and right`; the right is evaluated only if it decides."""
    left = thunk_of(node.left_expr, unit)
    (right,) = arms(node, unit, (thunk_of(node.right_expr, unit),))

    def both(machine: Machine, scope: Scope) -> Any:
        first = machine.truth(left(machine, scope))
        if type(first) is Unknown:
            return False if perhaps(right, machine, scope) is False else first
        return first and machine.truth(right(machine, scope))

    return both


def perhaps(right: Thunk, machine: Machine, scope: Scope) -> bool | Unknown | None:
    """Return whether a right side is true that may never be evaluated: its errors are none."""
    machine.trials += 1
    try:
        return machine.truth(right(machine, scope))
    except EvaluationError:
        return None
    finally:
        machine.trials -= 1


@compiles(a.OrExpression)
def disjunction(node: a.OrExpression, unit: Unit) -> Thunk:
    """Return `left or right`; the right is evaluated only if it decides."""
    left = thunk_of(node.left_expr, unit)
    (right,) = arms(node, unit, (thunk_of(node.right_expr, unit),))

    def either(machine: Machine, scope: Scope) -> Any:
        first = machine.truth(left(machine, scope))
        if type(first) is Unknown:
            return True if perhaps(right, machine, scope) is True else first
        return first or machine.truth(right(machine, scope))

    return either


@compiles(a.NotExpression)
def negation(node: a.NotExpression, unit: Unit) -> Thunk:
    """Compile `!expr`."""
    inner = thunk_of(node.expr, unit)

    def negate(machine: Machine, scope: Scope) -> Any:
        value = machine.truth(inner(machine, scope))
        return not value if type(value) is bool else value

    return negate


@compiles(a.UnaryMinusExpression)
def minus(node: a.UnaryMinusExpression, unit: Unit) -> Thunk:
    """Compile `-expr`."""
    inner = thunk_of(node.expr, unit)

    def negative(machine: Machine, scope: Scope) -> Any:
        value = inner(machine, scope)
        return value if type(value) is Unknown else negated(value, node, unit, machine)

    return negative


def negated(value: object, node: a.UnaryMinusExpression, unit: Unit, machine: Machine) -> object:
    """Return the negative of a number or a span of time."""
    number = numeric(value, node, unit, machine)
    if isinstance(number, Timespan):
        return Timespan(-number.nanoseconds)
    if isinstance(number, Timestamp):
        fail(unit, node, "RUNTIME_ERROR", detail="undefined method `-@' for a Timestamp")
    return -number


@compiles(a.UnfoldExpression)
def splat(node: a.UnfoldExpression, unit: Unit) -> Thunk:
    """Compile `*expr`: always an array, if its value is known."""
    inner = thunk_of(node.expr, unit)

    def unfold(machine: Machine, scope: Scope) -> Any:
        value = inner(machine, scope)
        if value is None:
            return []
        if type(value) is dict:
            return pairs_of(value)
        if isinstance(value, Iteration):
            return list(value)
        return value if type(value) is list or type(value) is Unknown else [value]

    return unfold


@compiles(a.AssignmentExpression)
def assignment(node: a.AssignmentExpression, unit: Unit) -> Thunk:
    """Compile `left = right`."""
    names = lvalue(node.left_expr)
    right = thunk_of(node.right_expr, unit)

    def assign(machine: Machine, scope: Scope) -> Any:
        value = right(machine, scope)
        if type(names) is list and isinstance(value, ClassType):
            value = variables_of(value, names, node, unit, machine)
        bind(names, value, node, unit, scope)
        return value

    return assign


def lvalue(node: Any) -> Any:
    """Return the name, or the nested lists of names, that are assigned to."""
    if type(node) is a.LiteralList:
        return [lvalue(value) for value in node.values]
    return node.expr.value


def variables_of(
    ref: ClassType, names: list[str], node: Any, unit: Unit, machine: Machine
) -> list[object]:
    """Return the values of a class's variables (EvaluatorImpl#assign_Array).

    Raises:
        EvaluationError: the class is not declared, or has no such variable.
    """
    title = (ref.class_name or "").lower()
    if machine.class_variable(f"{title}::title") is MISSING:
        fail(unit, node.right_expr, "UNKNOWN_RESOURCE", type="Class", title=title)
    found = []
    for name, place in zip(names, node.left_expr.values, strict=True):
        value = machine.class_variable(f"{title}::{name}")
        if value is MISSING:
            code = "MISSING_MULTI_ASSIGNMENT_VARIABLE"
            fail(unit, place, code, name=f"{title}::{name}")
        found.append(value)
    return found


def bind(name: Any, value: Any, node: a.AssignmentExpression, unit: Unit, scope: Scope) -> None:
    """Give a variable its value, or several the parts of an array or a hash."""
    if type(name) is str:
        bind_one(name, value, node, unit, scope)
    elif type(value) is dict:
        for part in name:
            key = as_key(part)
            if key not in value:
                fail(unit, node, "MISSING_MULTI_ASSIGNMENT_KEY", key=to_s(part))
            bind(part, value[key], node, unit, scope)
    elif type(value) is Unknown:
        for part in name:
            bind(part, value, node, unit, scope)
    else:
        values = value if type(value) is list else [value]
        if len(values) != len(name):
            fail(
                unit,
                node,
                "ILLEGAL_MULTI_ASSIGNMENT_SIZE",
                expected=len(name),
                actual=len(values),
            )
        for part, one in zip(name, values, strict=True):
            bind(part, one, node, unit, scope)


def bind_one(
    name: str, value: object, node: a.AssignmentExpression, unit: Unit, scope: Scope
) -> None:
    """Give one variable its value, once."""
    if name == "server_facts":
        fail(unit, node, "ILLEGAL_RESERVED_ASSIGNMENT", name=name)
    variables = scope.variables()
    if name in variables:
        code = "ILLEGAL_RESERVED_ASSIGNMENT" if name in RESERVED else "ILLEGAL_REASSIGNMENT"
        fail(unit, node, code, name=name)
    if name in RESERVED:
        raise EvaluationError(reserved(name), unit, node)
    variables[name] = value
