"""`eval`: arithmetic and comparisons of numbers in a text.

Facts: math.pc of 3.21, measured: a sign binds tighter than `^`, equal operators go from left to
right, and what follows an expression is not looked at, not even half an operation.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable

from analyzer.frontends.cfengine.policy.unknown import NoResult, UnknownResult

LONGEST = 1000
NUMBER = re.compile(r"([0-9]+\.?[0-9]*|\.[0-9]+)[ \t]*([kKmMgGtTpP]?)")
THOUSANDS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5}
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
    if len(text) > LONGEST or mode not in ("math", "class"):
        raise UnknownResult(f"the expression {text[:80]!r} is not computed here")
    start = after_space(text, 0)
    try:
        found = level(text, start, 0)[0] if text[start:] else 0.0
    except ValueError:
        return False if mode == "class" else ""
    except (ArithmeticError, RecursionError):
        raise NoResult(text) from None
    return bool(found) if mode == "class" else printed(float(found))


def printed(number: float) -> str:
    """Return a number as C prints it on a machine of today."""
    return "-nan" if math.isnan(number) else f"{number:.6f}"


FUNCTIONS: dict[str, Callable[[float], float]] = {
    "abs": abs,
    "acos": math.acos,
    "asin": math.asin,
    "atan": math.atan,
    "ceil": math.ceil,
    "cos": math.cos,
    "floor": math.floor,
    "log": math.log,
    "log10": math.log10,
    "log2": math.log2,
    "sin": math.sin,
    "sqrt": math.sqrt,
    "step": lambda number: float(number >= 0),
    "tan": math.tan,
}
# The longer names come before those that they begin with.
CONSTANTS = {
    **{"log2e": math.log2(math.e), "log10e": math.log10(math.e)},
    **{"ln2": math.log(2), "ln10": math.log(10), "pi": math.pi, "e": math.e},
    **{"sqrt2": math.sqrt(2), "sqrt1_2": math.sqrt(0.5)},
}
# Arguments for which a function has no value.
OUTSIDE = {"log": -math.inf, "log2": -math.inf, "log10": -math.inf}


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
        try:
            other, position = level(text, after_space(text, position + len(sign)), number + 1)
        except ValueError:
            return value, len(text)
        value = LEVELS[number][sign](value, other)


def primary(text: str, position: int) -> tuple[float, int]:
    """Read a number, a sign before one, or parentheses.

    Raises:
        ValueError: there is none.
    """
    char = text[position : position + 1]
    if char == "-":
        value, end = primary(text, position + 1)
        return -value, end
    if char == "(":
        return inside(text, position)
    found = NUMBER.match(text, position)
    if found:
        power = THOUSANDS[found[2].lower()]
        return float(found[1]) * 1000.0**power, after_space(text, found.end())
    name = next((name for name in FUNCTIONS if text.startswith(f"{name}(", position)), "")
    if name:
        value, end = inside(text, position + len(name))
        return applied(name, value), end
    name = next((name for name in CONSTANTS if text.startswith(name, position)), "")
    if not name:
        raise ValueError(text)
    return CONSTANTS[name], after_space(text, position + len(name))


def inside(text: str, position: int) -> tuple[float, int]:
    """Read an expression in parentheses.

    Raises:
        ValueError: there is none.
    """
    value, end = level(text, after_space(text, position + 1), 0)
    if not text.startswith(")", end):
        raise ValueError(text)
    return value, after_space(text, end + 1)


def applied(name: str, value: float) -> float:
    """Return the value of a function."""
    try:
        return FUNCTIONS[name](value)
    except ValueError:
        return OUTSIDE[name] if name in OUTSIDE and not value else math.nan
