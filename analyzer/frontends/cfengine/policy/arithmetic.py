"""`eval`: arithmetic and comparisons of numbers in a text.

Facts: math.pc of 3.21, measured: a sign binds tighter than `^`, equal operators go from left to
right, and what follows an expression is not looked at.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable

from analyzer.frontends.cfengine.policy.unknown import NoResult, UnknownResult

LONGEST = 1000
NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
# What is not read here: names of functions and constants, units.
NAMES = re.compile(r"[A-Za-z]")
Operation = Callable[[float, float], float]


def divided(left: float, right: float) -> float:
    """Return a quotient as C has it."""
    if right:
        return left / right
    return math.nan if not left else math.copysign(math.inf, left)


# From those that bind least.
LEVELS: tuple[dict[str, Operation], ...] = (
    {
        "==": operator.eq,
        "<=": operator.le,
        ">=": operator.ge,
        "<": operator.lt,
        ">": operator.gt,
    },
    {"+": operator.add, "-": operator.sub},
    {"*": operator.mul, "/": divided, "%": math.fmod},
    {"**": math.pow, "^": math.pow},
)


def evaluated(text: str, mode: str = "math", notation: str = "infix") -> str | bool:
    """Return a number as CFEngine prints it, or the truth value of a class.

    Raises:
        NoResult: it is no such expression.
        UnknownResult: it is not read here.
    """
    if len(text) > LONGEST or NAMES.search(text) or mode not in ("math", "class"):
        raise UnknownResult(f"the expression {text[:80]!r} is not computed here")
    try:
        found, _ = level(text, after_space(text, 0), 0)
    except (ArithmeticError, ValueError, RecursionError):
        raise NoResult(text) from None
    return bool(found) if mode == "class" else f"{float(found):.6f}"


def after_space(text: str, position: int) -> int:
    """Return the next place that is no blank."""
    while position < len(text) and text[position] in " \t":
        position += 1
    return position


def level(text: str, position: int, number: int) -> tuple[float, int]:
    """Read operators of one level and those that bind tighter.

    Raises:
        ValueError: there is no number.
    """
    if number == len(LEVELS):
        return primary(text, position)
    value, position = level(text, position, number + 1)
    while True:
        sign = next((s for s in LEVELS[number] if text.startswith(s, position)), None)
        if sign is None:
            return value, position
        other, position = level(text, after_space(text, position + len(sign)), number + 1)
        value = LEVELS[number][sign](value, other)


def primary(text: str, position: int) -> tuple[float, int]:
    """Read a number, a sign before one, or parentheses.

    Raises:
        ValueError: there is none.
    """
    char = text[position : position + 1]
    if char == "-":
        value, end = primary(text, after_space(text, position + 1))
        return -value, end
    if char == "(":
        value, end = level(text, after_space(text, position + 1), 0)
        if not text.startswith(")", end):
            raise ValueError(text)
        return value, after_space(text, end + 1)
    found = NUMBER.match(text, position)
    if not found:
        raise ValueError(text)
    return float(found[0]), after_space(text, found.end())
