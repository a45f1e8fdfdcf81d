"""Arithmetic of Timespan and Timestamp, which count as numbers of seconds (Puppet's TimeData)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from analyzer.model.timespan import SECOND, Timespan
from analyzer.model.timestamp import Timestamp

TIMES = (Timespan, Timestamp)
# A time, or the number that a quotient or a remainder is.
Result = Timespan | Timestamp | int | float


class NotApplicable(Exception):
    """Ruby's class has no such operator."""


class Opposed(Exception):
    """An operator does not take a number on the left of a time."""


def nanoseconds(value: float | Timespan | Timestamp) -> int:
    """Return a number of seconds, or a time, in nanoseconds."""
    return value.nanoseconds if isinstance(value, TIMES) else int(value * SECOND)


def article_of(value: object) -> str:
    """Return the kind of an operand with its article, in capitals as Puppet writes it."""
    word = {int: "Integer", float: "Float"}.get(type(value)) or type(value).__name__
    return f"{'An' if word[0] in 'AEIOU' else 'A'} {word}"


def add(left: Timespan | Timestamp, right: Any) -> Result:
    """Add; a moment and a span make a moment.

    Raises:
        ValueError: both are moments.
    """
    kind = Timestamp if Timestamp in (type(left), type(right)) else Timespan
    if type(left) is type(right) is Timestamp:
        raise ValueError(f"{article_of(right)} cannot be added to a Timestamp")
    return kind(left.nanoseconds + nanoseconds(right))


def subtract(left: Timespan | Timestamp, right: Any) -> Result:
    """Subtract; the difference of two moments is a span.

    Raises:
        ValueError: a moment is subtracted from a span.
    """
    if type(left) is Timespan and type(right) is Timestamp:
        raise ValueError(f"{article_of(right)} cannot be subtracted from a Timespan")
    kind = type(left) if type(left) is not type(right) else Timespan
    return kind(left.nanoseconds - nanoseconds(right))


def multiply(left: Timespan, right: Any) -> Result:
    """Multiply a span by a number.

    Raises:
        ValueError: the other is a time.
    """
    if isinstance(right, TIMES):
        raise ValueError(
            f"A Timestamp cannot be multiplied by {article_of(right).replace('A', 'a', 1)}"
        )
    return Timespan(int(left.nanoseconds * right))


def divide(left: Timespan, right: Any) -> Result:
    """Divide a span by a number, or by another span.

    Raises:
        ValueError: the other is a moment.
        ZeroDivisionError: the other is 0.
    """
    if isinstance(right, Timespan):
        if right.nanoseconds:
            return left.nanoseconds / right.nanoseconds
        sign = (left.nanoseconds > 0) - (left.nanoseconds < 0)
        return sign * float("inf") if sign else float("nan")
    if isinstance(right, Timestamp):
        raise ValueError("A Timespan cannot be divided by a Timestamp")
    return Timespan(int(left.nanoseconds // right))


def modulo(left: Timespan, right: Any) -> Result:
    """Return the remainder of the whole seconds of a span.

    Raises:
        ValueError: the other is a time.
        ZeroDivisionError: the other is 0.
    """
    if isinstance(right, TIMES):
        other = article_of(right).replace("A", "a", 1)
        raise ValueError(f"Can not do modulus on a Timespan using a {other}")
    return left.nanoseconds // SECOND % int(right)


OPERATORS: dict[str, Callable[[Any, Any], Result]] = {
    "+": add,
    "-": subtract,
    "*": multiply,
    "/": divide,
    "%": modulo,
}
# Those that Ruby's class of moments has.
OF_MOMENTS = "+-"


def calculate(sign: str, left: Any, right: Any) -> Result:
    """Calculate with a time on either side (EvaluatorImpl#calculate).

    Raises:
        NotApplicable: the left side has no such operator.
        Opposed: the left side is a number, and the right side no span to calculate with.
        ValueError: the two do not go together.
        ZeroDivisionError: the right side is 0.
    """
    if not isinstance(left, TIMES):
        spans = isinstance(right, Timespan)
        if sign == "+" or (sign == "*" and spans):
            left, right = right, left
        elif sign == "-" and spans:
            left = Timespan(nanoseconds(left))
        else:
            raise Opposed
    if sign not in OPERATORS or (type(left) is Timestamp and sign not in OF_MOMENTS):
        raise NotApplicable
    return OPERATORS[sign](left, right)
