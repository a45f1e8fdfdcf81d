"""Regular expressions of policies: a hostile one takes little time, and has an unknown result."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from time import process_time
from typing import TypeVar

from analyzer.limits import TooMuch, limited

Result = TypeVar("Result")

# A repeated group that ends with a repetition: PCRE gives up after a while, Python does not.
ENDLESS = re.compile(r"(?<!\\)[+*}]\)[+*{]")
# Seconds of CPU time for all expressions of a policy.
MOST_SECONDS = 5.0


class UnknownResult(Exception):
    """The result of a function is known only on the machine, or once its arguments are known."""


class Spent:
    """The seconds that the expressions of the current policy have taken; `Loader` begins anew."""

    seconds = 0.0


def regular(pattern: str, flags: int = re.DOTALL | re.MULTILINE) -> re.Pattern[str]:
    """Return a regular expression.

    Raises:
        UnknownResult: Python does not read it as PCRE does, or could try for ever.
    """
    if ENDLESS.search(pattern):
        raise UnknownResult(pattern)
    try:
        return re.compile(pattern, flags)
    except (re.error, RecursionError, OverflowError):
        raise UnknownResult(pattern) from None


def in_time(work: Callable[[], Result]) -> Result:
    """Return the result of work with regular expressions.

    Raises:
        UnknownResult: all such work for the policy takes too long.
    """
    left = MOST_SECONDS - Spent.seconds
    if left <= 0:
        raise UnknownResult("a regular expression that takes too long")
    begin = process_time()
    try:
        with limited(left, 0):
            return work()
    except TooMuch:
        raise UnknownResult("a regular expression that takes too long") from None
    finally:
        Spent.seconds += process_time() - begin


def is_match(pattern: str, text: str, flags: int = re.DOTALL | re.MULTILINE) -> bool:
    """Return whether a regular expression matches a whole text.

    Raises:
        UnknownResult: that is not known here.
    """
    expression = regular(pattern, flags)
    return in_time(lambda: expression.fullmatch(text) is not None)


def surely_matches(pattern: str, text: str, flags: int = 0) -> bool:
    """Return whether a regular expression is known to match a whole text."""
    try:
        return is_match(pattern, text, flags)
    except UnknownResult:
        return False


def gapped(pieces: Sequence[str]) -> re.Pattern[str]:
    """Return an expression for texts with these pieces in this order, and anything between.

    Each piece is searched for once, so that the time is linear in the text.
    """
    first, *rest = map(re.escape, pieces)
    middle = "".join(f"(?>.*?{piece})" for piece in rest[:-1] if piece)
    return re.compile(first + (f"{middle}.*{rest[-1]}" if rest else ""), re.DOTALL)
