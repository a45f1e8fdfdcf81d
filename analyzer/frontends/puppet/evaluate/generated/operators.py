"""Writes arithmetic, comparison, logic and assignment."""

from __future__ import annotations

from typing import Any

from analyzer.frontends.puppet.evaluate.arithmetic import LEAST, MOST
from analyzer.frontends.puppet.evaluate.compare import fold
from analyzer.frontends.puppet.evaluate.generated.values import is_literal
from analyzer.frontends.puppet.evaluate.generated.writer import Atom, Writer, emits
from analyzer.frontends.puppet.evaluate.scope import RESERVED
from analyzer.frontends.puppet.evaluate.thunks import without_parentheses
from analyzer.frontends.puppet.syntax import ast as a

SIGNS = {"+": "+", "-": "-", "*": "*", "/": "//", "%": "%"}


@emits(a.ArithmeticExpression)
def arithmetic(writer: Writer, node: a.ArithmeticExpression) -> Atom:
    """Write an operation on two values; of integers, all that are in each other at once."""
    if is_plain(writer, node):
        return fused(writer, node)
    left, right = writer.write(node.left_expr), writer.write(node.right_expr)
    made = writer.name("t")
    general = f"{made} = general({writer.constant(node)}, unit, machine, {left.text}, {right.text})"
    tests = whole_numbers(left, right)
    sign = SIGNS.get(node.operator)
    if right.kind == "dict" and node.operator == "+":
        with writer.inside(f"if type({left.text}) is dict:"):
            writer.add(f"{made} = {{**{left.text}, **{right.text}}}")
        with writer.inside("else:"):
            writer.add(general)
        return Atom(made)
    if sign is None or "False" in tests:
        writer.add(general)
        return Atom(made)
    if node.operator in "/%" and not (is_literal(right) and right.value):
        tests.append(right.text)
    result = f"{LEAST} <= ({made} := {left.text} {sign} {right.text}) <= {MOST}"
    with writer.inside(f"if not ({' and '.join([*tests, result])}):"):
        writer.add(general)
    return Atom(made)


def whole_numbers(*values: Atom) -> list[str]:
    """Return tests that values are integers, the text `False` for one that cannot be."""
    tests = {value.text: value.kind for value in values if value.kind != "int"}
    return ["False" if kind else f"type({text}) is int" for text, kind in tests.items()]


def is_plain(writer: Writer, node: Any) -> bool:
    """Return whether an operation is of others, and of variables and integers without effects."""
    parts = [without_parentheses(part) for part in (node.left_expr, node.right_expr)]
    if (
        type(parts[0]) is not a.ArithmeticExpression
        and type(parts[1]) is not a.ArithmeticExpression
    ):
        return False
    return all(is_leaf(writer, part, node.operator, n) for n, part in enumerate(parts))


def is_leaf(writer: Writer, node: Any, sign: str, number: int) -> bool:
    """Return whether an operand is a plain operation, a number, or a variable with a value."""
    if sign not in SIGNS or (sign in "/%" and number):
        return sign in SIGNS and type(node) is a.LiteralInteger and node.value > 0
    if type(node) is a.LiteralInteger:
        return True
    if type(node) is a.ArithmeticExpression:
        sides = (without_parentheses(node.left_expr), without_parentheses(node.right_expr))
        return all(is_leaf(writer, side, node.operator, n) for n, side in enumerate(sides))
    name = getattr(getattr(node, "expr", None), "value", None)
    return type(node) is a.VariableExpression and any(
        name in level.definite for level in writer.levels
    )


def fused(writer: Writer, node: a.ArithmeticExpression) -> Atom:
    """Write operations on integers as one test; where it fails they are done one by one."""
    leaves: dict[str, None] = {}
    fast: list[str] = []
    slow: list[tuple[Any, str]] = []
    made = operation(writer, node, leaves, fast, slow)
    with writer.inside(f"if not ({' and '.join([*leaves, *fast])}):"):
        for one, line in slow:
            writer.node = one
            writer.add(line)
        writer.node = node
    return Atom(made)


def operation(
    writer: Writer,
    node: Any,
    leaves: dict[str, None],
    fast: list[str],
    slow: list[tuple[Any, str]],
) -> str:
    """Return the place of an operand's value; add what computes it."""
    node = without_parentheses(node)
    if type(node) is not a.ArithmeticExpression:
        found = writer.write(node)
        if found.kind != "int":
            leaves[f"type({found.text}) is int"] = None
        return found.text
    left = operation(writer, node.left_expr, leaves, fast, slow)
    right = operation(writer, node.right_expr, leaves, fast, slow)
    made = writer.name("t")
    fast.append(f"{LEAST} <= ({made} := {left} {SIGNS[node.operator]} {right}) <= {MOST}")
    number = writer.constant(node)
    slow.append((node, f"{made} = general({number}, unit, machine, {left}, {right})"))
    return made


@emits(a.ComparisonExpression)
def comparison(writer: Writer, node: a.ComparisonExpression) -> Atom:
    """Write `== != < <= > >=`."""
    left, right = writer.named(writer.write(node.left_expr)), writer.write(node.right_expr)
    made = writer.name("t")
    one, other, sign = left.text, right.text, node.operator
    both = [f"type({value.text}) is int" for value in (left, right) if value.kind != "int"]
    if sign in ("==", "!="):
        if right.kind == "str" and is_literal(right):
            test = same_text(one, right, left.kind)
            yes, no = ("True", "False") if sign == "==" else ("False", "True")
            with writer.inside(f"if {test}:"):
                writer.add(f"{made} = {yes}")
            with writer.inside(f"elif type({one}) is str or type({one}) is int or {one} is None:"):
                writer.add(f"{made} = {no}")
            with writer.inside("else:"):
                writer.add(f"{made} = equality({one}, {other}, {sign == '=='})")
            return Atom(made, "truth")
        fast, slow = f"{one} {sign} {other}", f"equality({one}, {other}, {sign == '=='})"
    else:
        fast, slow = (
            f"{one} {sign} {other}",
            f"ordered({writer.constant(node)}, unit, {one}, {other})",
        )
    if both:
        writer.add(f"{made} = {fast} if {' and '.join(both)} else {slow}")
    else:
        writer.add(f"{made} = {fast}")
    return Atom(made, "truth")


def same_text(place: str, text: Atom, kind: str = "") -> str:
    """Return the test that a value equals a text, ignoring case."""
    folded = repr(fold(text.value))
    test = f"({place} == {text.text} or fold({place}) == {folded})"
    return test if kind == "str" else f"type({place}) is str and {test}"


def truth(writer: Writer, value: Atom) -> Atom:
    """Write whether a value counts as true: a boolean, or an Unknown."""
    if value.kind in ("bool", "truth"):
        return value
    if value.kind in ("int", "str", "list", "dict"):
        return writer.literal(True)
    it = value.text
    return writer.temporary(
        f"{it} if {it} is True or {it} is False else machine.truth({it})", "truth"
    )


@emits(a.AndExpression, a.OrExpression)
def logic(writer: Writer, node: Any) -> Atom:
    """Write `and` and `or`; the right is evaluated only if it may decide."""
    decides = "False" if type(node) is a.AndExpression else "True"
    goes_on = "True" if decides == "False" else "False"
    first = truth(writer, writer.write(node.left_expr)).text
    made = writer.name("t")
    ends: list[tuple[set[str], set[str]]] = []
    with writer.branch(f"if {first} is {decides}:", ends):
        writer.add(f"{made} = {decides}")
    with writer.branch("else:", ends):
        writer.add(f"machine.trials += {first} is not {goes_on}")
        with writer.inside("try:"):
            second = truth(writer, writer.write(node.right_expr)).text
            writer.add(f"{made} = {second}")
        # What is not known may keep the right side from being evaluated, and so from failing.
        with writer.inside("except EvaluationError:"):
            writer.add(f"if {first} is {goes_on}: raise")
            writer.add(f"{made} = None")
        with writer.inside("finally:"):
            writer.add(f"machine.trials -= {first} is not {goes_on}")
        writer.add(f"if {first} is not {goes_on} and {made} is not {decides}: {made} = {first}")
    writer.join(ends)
    return Atom(made, "truth")


@emits(a.NotExpression)
def negation(writer: Writer, node: a.NotExpression) -> Atom:
    """Write `!expr`."""
    it = truth(writer, writer.write(node.expr)).text
    return writer.temporary(f"not {it} if {it} is True or {it} is False else {it}", "truth")


@emits(a.UnaryMinusExpression)
def minus(writer: Writer, node: a.UnaryMinusExpression) -> Atom:
    """Write `-expr`."""
    it = writer.write(node.expr).text
    general = f"minus({it}, {writer.constant(node)}, unit, machine)"
    return writer.temporary(f"-{it} if type({it}) is int else {general}")


@emits(a.AssignmentExpression)
def assignment(writer: Writer, node: a.AssignmentExpression) -> Atom:
    """Write `$name = value`; of several names at once the closure does it."""
    name = getattr(getattr(node.left_expr, "expr", None), "value", None)
    level = writer.levels[-1]
    if type(name) is not str or name in RESERVED or name in level.definite:
        return writer.aside(node)
    value = writer.write(node.right_expr)
    place = writer.place(name)
    if name in level.possible:
        again = f"reassigned({writer.constant(node)}, unit, {name!r})"
        writer.add(f"if {place} is not MISSING: {again}")
    writer.add(f"{place} = {value.text}")
    level.give(name)
    return Atom(place, value.kind)
