"""Writes blocks, `if`, `unless`, `case` and selectors."""

from __future__ import annotations

from typing import Any

from analyzer.frontends.puppet.evaluate.control import assigned_in
from analyzer.frontends.puppet.evaluate.generated.operators import same_text, truth
from analyzer.frontends.puppet.evaluate.generated.writer import Atom, Writer, emits
from analyzer.frontends.puppet.evaluate.thunks import without_parentheses
from analyzer.frontends.puppet.syntax import ast as a

# Literals that are compared here.
LITERAL = (
    a.LiteralString, a.QualifiedName, a.LiteralInteger, a.LiteralBoolean, a.LiteralUndef,
)  # fmt: skip

# What binds the variables of a match.
MATCHING = (a.MatchExpression, a.InExpression)

Ends = list[tuple[set[str], set[str]]]


@emits(a.BlockExpression)
def block(writer: Writer, node: a.BlockExpression) -> Atom:
    """Write statements; the value is the last one's."""
    found = writer.literal(None)
    for statement in node.statements:
        found = writer.write(statement)
    return found


@emits(a.IfExpression)
def if_(writer: Writer, node: a.IfExpression) -> Atom:
    """Write `if`."""
    return choice(writer, node, node.then_expr, node.else_expr)


@emits(a.UnlessExpression)
def unless(writer: Writer, node: a.UnlessExpression) -> Atom:
    """Write `unless`."""
    return choice(writer, node, node.else_expr, node.then_expr)


def choice(writer: Writer, node: Any, if_true: Any, if_false: Any) -> Atom:
    """Write one of two; an Unknown test chooses neither, and is reported."""
    if may_match(node.test):
        return writer.aside(node)
    decided = truth(writer, writer.write(node.test)).text
    made = writer.name("t")
    ends: Ends = []
    arm(writer, f"if {decided} is True:", made, if_true, ends)
    arm(writer, f"elif {decided} is False:", made, if_false, ends)
    with writer.branch("else:", ends):
        number = writer.constant(node)
        report = f'machine.undecided({decided}, "condition", unit, {number}.test, {number})'
        undecided(writer, node, made, report)
    writer.join(ends)
    return Atom(made)


def arm(writer: Writer, head: str, made: str, node: Any, ends: Ends) -> None:
    """Write the code that is evaluated under a condition."""
    with writer.branch(head, ends):
        writer.add(f"{made} = {writer.write(node).text}")


def undecided(writer: Writer, node: Any, made: str, report: str) -> None:
    """Write the report of an Unknown that decides; all variables of the branches become it."""
    writer.add(f"{made} = {report}")
    level = writer.levels[-1]
    for name in dict.fromkeys(assigned_in(node)):
        if name in level.definite:
            continue
        place = writer.place(name)
        unset = f"if {place} is MISSING: " if name in level.possible else ""
        writer.add(f"{unset}{place} = {made}")
        level.give(name)


def may_match(node: Any) -> bool:
    """Return whether a test may bind the variables of a match, which only closures do."""
    if isinstance(node, MATCHING):
        return True
    if isinstance(node, a.LambdaExpression) or not isinstance(node, tuple):
        return False
    return any(map(may_match, node))


def test_of(writer: Writer, value: Atom, node: Any) -> str | None:
    """Return the test that a value matches a literal, None for anything else."""
    if type(node) not in LITERAL:
        return None
    wanted = writer.literal(getattr(node, "value", None))
    it = value.text
    if wanted.kind == "str":
        return same_text(it, wanted, value.kind)
    if wanted.kind == "int":
        return f"(type({it}) is int or type({it}) is float) and {it} == {wanted.text}"
    return f"{it} is {wanted.text}"


@emits(a.SelectorExpression)
def selector(writer: Writer, node: a.SelectorExpression) -> Atom:
    """Write `left ? entries` whose entries are literals."""
    patterns = [without_parentheses(entry.matching_expr) for entry in node.selectors]
    arms = list(zip(patterns, node.selectors, strict=True))
    if may_match(node.left_expr) or not all(map(is_option, patterns)):
        return writer.aside(node)
    value = writer.named(writer.write(node.left_expr))
    made, number = writer.name("t"), writer.constant(node)
    ends: Ends = []
    with writer.branch(f"if type({value.text}) is Unknown:", ends):
        report = f'machine.undecided({value.text}, "selector", unit, {number}.left_expr, {number})'
        writer.add(f"{made} = {report}")
    for pattern, entry in arms:
        test = test_of(writer, value, pattern)
        if test is not None:
            arm(writer, f"elif {test}:", made, entry.value_expr, ends)
    others = [entry for pattern, entry in arms if type(pattern) is a.LiteralDefault]
    if others:
        arm(writer, "else:", made, others[-1].value_expr, ends)
    else:
        with writer.branch("else:", ends):
            writer.add(f"unmatched({number}, unit, {value.text})")
    writer.join(ends)
    return Atom(made)


@emits(a.CaseExpression)
def case(writer: Writer, node: a.CaseExpression) -> Atom:
    """Write a `case` whose options are literals; of several defaults the last one counts."""
    patterns = [[without_parentheses(one) for one in option.values] for option in node.options]
    known = all(is_option(one) for found in patterns for one in found)
    if may_match(node.test) or not known:
        return writer.aside(node)
    value = writer.named(writer.write(node.test))
    made, number = writer.name("t"), writer.constant(node)
    ends: Ends = []
    with writer.branch(f"if type({value.text}) is Unknown:", ends):
        report = f'machine.undecided({value.text}, "case", unit, {number}.test, {number})'
        undecided(writer, node, made, report)
    otherwise = None
    for found, option in zip(patterns, node.options, strict=True):
        tests = [test for one in found if (test := test_of(writer, value, one)) is not None]
        if tests:
            arm(
                writer,
                f"elif {' or '.join(f'({t})' for t in tests)}:",
                made,
                option.then_expr,
                ends,
            )
        if len(tests) < len(found):
            otherwise = option.then_expr
    arm(writer, "else:", made, otherwise, ends)
    writer.join(ends)
    return Atom(made)


def is_option(node: Any) -> bool:
    """Return whether a pattern is a literal or `default`."""
    return type(node) in LITERAL or type(node) is a.LiteralDefault
