"""Class expressions, parsed as CFEngine does (logic_expressions.c, string_expressions.c).

`or := and (('|' | '||') or)?`, `and := not (('.' | '&') and)?`, `not := '!'? primary`,
`primary := '(' or ')' | name`. What follows a whole expression is not looked at.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

TOKEN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:[]")
# Levels of an expression; parentheses that only enclose others are none.
DEEPEST = 250


@dataclass(frozen=True, slots=True)
class Name:
    """A class name; it may contain variables."""

    text: str


@dataclass(frozen=True, slots=True)
class Not:
    """`!` before a name or parentheses."""

    operand: Expression


@dataclass(frozen=True, slots=True)
class And:
    """Both must hold."""

    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Or:
    """One must hold."""

    left: Expression
    right: Expression


Expression = Name | Not | And | Or


class NoExpression(Exception):
    """The text is no class expression; `position` is the offset of the error."""

    def __init__(self, position: int) -> None:
        super().__init__("Syntax error in context string")
        self.position = position


def parse(text: str) -> Expression:
    """Return the expression with which a text begins.

    Raises:
        NoExpression: it begins with none.
    """
    try:
        return parse_or(text)
    except RecursionError:
        raise NoExpression(0) from None


@lru_cache(maxsize=4096)
def parsed(text: str) -> Expression | None:
    """Return the expression at the start of a text without blanks; None if there is none."""
    try:
        return parse(text.replace(" ", "").replace("\t", ""))
    except NoExpression:
        return None


def names(expression: Expression) -> list[tuple[str, bool]]:
    """Return the names in an expression, in order, and whether it needs each to be set."""
    found: list[tuple[str, bool]] = []
    pending = [(expression, True)]
    while pending:
        one, wanted = pending.pop()
        match one:
            case Name(text):
                found.append((text, wanted))
            case Not(operand):
                pending.append((operand, not wanted))
            case And(left, right) | Or(left, right):
                pending += [(right, wanted), (left, wanted)]
    return found


def operands(expression: And | Or) -> Iterator[Expression]:
    """Yield the operands of a chain of one operator, without recursion."""
    kind = type(expression)
    rest: Expression = expression
    while isinstance(rest, kind):
        yield rest.left
        rest = rest.right
    yield rest


class Level:
    """The state of parsing within parentheses, or outside of all; `negated`: `!` precedes them.

    `depth` counts those around it that leave a level in the expression.
    """

    __slots__ = ("alternatives", "depth", "joined", "negated")

    def __init__(self, negated: bool, depth: int) -> None:
        self.negated, self.depth = negated, depth
        self.alternatives: list[Expression] = []
        self.joined: list[Expression] = []

    def inner(self, negated: bool) -> Level:
        """Return the level of parentheses within it."""
        return Level(negated, self.depth + (negated or bool(self.alternatives or self.joined)))


def parse_or(text: str) -> Expression:
    """Parse alternatives; parentheses are counted, as CFEngine sets them no limit."""
    levels, end = [Level(False, 0)], 0
    while True:
        negated = text.startswith("!", end)
        end += negated
        if text.startswith("(", end):
            levels.append(levels[-1].inner(negated))
            if levels[-1].depth > DEEPEST:
                raise NoExpression(end)
            end += 1
            continue
        after = parse_name(text, end, 0)
        operand: Expression = Name(text[end:after])
        found, end = closed(text, after, levels, Not(operand) if negated else operand)
        if found is not None:
            return found


def closed(
    text: str, end: int, levels: list[Level], operand: Expression
) -> tuple[Expression | None, int]:
    """Take an operand and what it ends; return the whole expression, or where the next begins."""
    while True:
        level = levels[-1]
        level.joined.append(operand)
        sign = text[end : end + 1]
        if sign and sign in ".&":
            return None, end + 1
        level.alternatives.append(folded(And, level.joined))
        level.joined = []
        if sign == "|":
            return None, end + (2 if text.startswith("||", end) else 1)
        operand = folded(Or, level.alternatives)
        levels.pop()
        if not levels:
            return operand, end
        if sign != ")":
            raise NoExpression(end)
        end += 1
        operand = Not(operand) if level.negated else operand


def folded(kind: type[And] | type[Or], parts: list[Expression]) -> Expression:
    """Return operands joined to the right, as CFEngine joins them."""
    result = parts[-1]
    for part in reversed(parts[:-1]):
        result = kind(part, result)
    return result


def parse_name(text: str, start: int, depth: int) -> int:
    """Return where a name ends; it is made of letters and variables, at least one."""
    end = start
    while True:
        after = parse_term(text, end, depth)
        if after == end:
            if end == start:
                raise NoExpression(end)
            return end
        end = after


def parse_term(text: str, start: int, depth: int) -> int:
    """Return the end of a name or variable; `start` if there is none."""
    end, index = start, False
    while end < len(text) and (text[end] in TOKEN or (text[end] == " " and index)):
        index = text[end] == "[" or (index and text[end] != "]")
        end += 1
    if end > start or text[end : end + 1] not in ("$", "@") or text[end + 1 : end + 2] not in "({":
        return end
    if end + 1 >= len(text) or depth > DEEPEST:
        return end
    closing = ")" if text[end + 1] == "(" else "}"
    try:
        inner = parse_name(text, end + 2, depth + 1)
        if text.startswith(".", inner):
            inner = parse_name(text, inner + 1, depth + 1)
    except NoExpression:
        return start
    return inner + 1 if text.startswith(closing, inner) else start
