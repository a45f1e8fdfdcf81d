"""Blocks and choices. What a test matched is known until the construct ends, and no longer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.evaluate.arms import arms, chosen_arm
from analyzer.frontends.puppet.evaluate.compare import matches
from analyzer.frontends.puppet.evaluate.errors import PROBLEMS, Unit, fail
from analyzer.frontends.puppet.evaluate.text import text_of
from analyzer.frontends.puppet.evaluate.thunks import (
    Thunk,
    compiles,
    later,
    nothing,
    thunk_of,
    without_parentheses,
)
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.types.unknowns import either
from analyzer.model.values import Unknown

if TYPE_CHECKING:
    from analyzer.frontends.puppet.evaluate.machine import Machine
    from analyzer.frontends.puppet.evaluate.scope import Scope

# The value of an option, and whether it is a splat.
Option = tuple[Thunk, bool]


@compiles(a.BlockExpression, a.ApplyBlockExpression)
def block(node: a.BlockExpression, unit: Unit) -> Thunk:
    """Compile statements; the value is the last one's."""
    pairs = [(statement, thunk_of(statement, unit)) for statement in node.statements]
    if len(pairs) == 1:
        return pairs[0][1]

    def run(machine: Machine, scope: Scope) -> Any:
        value = None
        for statement, thunk in pairs:
            try:
                value = thunk(machine, scope)
            except PROBLEMS as error:
                value = machine.skip(error, unit, statement, scope)
        return value

    return run


@compiles(a.IfExpression)
def if_(node: a.IfExpression, unit: Unit) -> Thunk:
    """Compile `if`."""
    return choice(node, later(node.then_expr, unit), later(node.else_expr, unit), unit)


@compiles(a.UnlessExpression)
def unless(node: a.UnlessExpression, unit: Unit) -> Thunk:
    """Compile `unless`."""
    return choice(node, later(node.else_expr, unit), later(node.then_expr, unit), unit)


def choice(node: Any, if_true: Thunk, if_false: Thunk, unit: Unit) -> Thunk:
    """Evaluate one of two; an Unknown test chooses neither, and is reported."""
    test = thunk_of(node.test, unit)
    if_true, if_false = arms(node, unit, (if_true, if_false))

    def choose(machine: Machine, scope: Scope) -> Any:
        level = scope.level
        try:
            decided = machine.truth(test(machine, scope))
            if type(decided) is Unknown:
                both = (if_true, if_false)
                return undecided(decided, "condition", node, both, machine, scope, unit)
            return (if_true if decided else if_false)(machine, scope)
        finally:
            scope.leave(level)

    return choose


@compiles(a.CaseExpression)
def case(node: a.CaseExpression, unit: Unit) -> Thunk:
    """Compile `case`: the first option that matches, else `default`, wherever that stands."""
    test = thunk_of(node.test, unit)
    found = [option_values(option.values, unit) for option in node.options]
    # Of several defaults the last one counts.
    defaults = [number for number, (_, is_default) in enumerate(found) if is_default]
    thunks = [later(option.then_expr, unit) for option in node.options]
    taken = arms(node, unit, thunks if defaults else [*thunks, nothing])
    options = [(values, then) for (values, _), then in zip(found, taken, strict=False)]
    otherwise = taken[defaults[-1] if defaults else -1]

    def leave(value: Unknown, machine: Machine, scope: Scope) -> Any:
        return undecided(value, "case", node, taken, machine, scope, unit)

    def choose(machine: Machine, scope: Scope) -> Any:
        level = scope.level
        try:
            value = test(machine, scope)
            if type(value) is Unknown:
                return leave(value, machine, scope)
            for values, then in options:
                for option in values:
                    chosen = option_matches(option, value, machine, scope)
                    if type(chosen) is Unknown:
                        return leave(chosen, machine, scope)
                    if chosen:
                        return then(machine, scope)
            return otherwise(machine, scope)
        finally:
            scope.leave(level)

    return choose


def option_values(nodes: Sequence[object], unit: Unit) -> tuple[list[Option], bool]:
    """Return the values of an option, and whether `default` is among them."""
    inner = [without_parentheses(node) for node in nodes]
    values = [
        (thunk_of(node, unit), type(node) is a.UnfoldExpression)
        for node in inner
        if type(node) is not a.LiteralDefault
    ]
    return values, len(values) < len(inner)


def option_matches(option: Option, value: object, machine: Machine, scope: Scope) -> bool | Unknown:
    """Return whether a value is what an option stands for, or what decides it."""
    thunk, splat = option
    pattern = thunk(machine, scope)
    if not splat or type(pattern) is Unknown:
        return matches(value, pattern, scope.set_match)
    return either(matches(value, one, scope.set_match) for one in pattern)


@compiles(a.SelectorExpression)
def selector(node: a.SelectorExpression, unit: Unit) -> Thunk:
    """Compile `left ? entries`: it is an error if none matches and there is no `default`."""
    test = thunk_of(node.left_expr, unit)
    otherwise: Thunk | None = None
    entries: list[tuple[Option, Thunk]] = []
    for entry in node.selectors:
        then = later(entry.value_expr, unit)
        values, is_default = option_values([entry.matching_expr], unit)
        entries += [(value, then) for value in values]
        if is_default:
            otherwise = then
    thunks = [then for _, then in entries]
    taken = arms(node, unit, thunks if otherwise is None else [*thunks, otherwise])
    entries = [(value, then) for (value, _), then in zip(entries, taken, strict=False)]
    otherwise = otherwise and taken[-1]

    def choose(machine: Machine, scope: Scope) -> Any:
        level = scope.level
        try:
            value = test(machine, scope)
            if type(value) is Unknown:
                return machine.undecided(value, "selector", unit, node.left_expr, node)
            for option, then in entries:
                chosen = option_matches(option, value, machine, scope)
                if type(chosen) is Unknown:
                    machine.undecided(chosen, "selector", unit, node.left_expr, node)
                    return chosen.as_any()
                if chosen:
                    return then(machine, scope)
            if otherwise is None:
                fail(unit, node.left_expr, "UNMATCHED_SELECTOR", value=text_of(value))
            return otherwise(machine, scope)
        finally:
            scope.leave(level)

    return choose


def undecided(
    value: Unknown,
    what: str,
    node: Any,
    taken: Sequence[Thunk],
    machine: Machine,
    scope: Scope,
    unit: Unit,
) -> Any:
    """Evaluate the arm of `if`, `unless` or `case` that a listener chose, or else none.

    Variables of the others are Unknown.
    """
    unknown = machine.undecided(value, what, unit, node.test, node)
    arm = chosen_arm(node, unit)
    result = unknown if arm is None else taken[arm](machine, scope)
    variables = scope.variables()
    for name in assigned_in(node):
        variables.setdefault(name, value)
    return result


def assigned_in(node: Any) -> Iterator[str]:
    """Yield the variables that a node may give a value, those of its lambdas left out."""
    if isinstance(node, a.AssignmentExpression):
        yield from names_in(node.left_expr)
    for part in () if isinstance(node, a.LambdaExpression) else node:
        if isinstance(part, tuple):
            yield from assigned_in(part)


def names_in(node: object) -> Iterator[str]:
    """Yield the variables on the left of an assignment."""
    if isinstance(node, a.VariableExpression):
        yield node.expr.value  # type: ignore[attr-defined]
    elif isinstance(node, a.LiteralList):
        for value in node.values:
            yield from names_in(value)
