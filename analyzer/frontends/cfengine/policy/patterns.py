"""Regular expressions of policies: a hostile one takes little time, and has an unknown result."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from time import process_time
from typing import TypeVar

from analyzer.frontends.cfengine.policy.unknown import NoResult, UnknownResult
from analyzer.limits import TooMuch, limited

Result = TypeVar("Result")

# A repeated group that ends with a repetition: PCRE gives up after a while, Python does not.
ENDLESS = re.compile(r"(?<!\\)[+*}]\)[+*{]")
# Errors of Python for what is no expression of PCRE either.
BROKEN = ("missing )", "unbalanced parenthesis", "unterminated character", "nothing to repeat")
# Seconds of CPU time for all expressions of a policy.
MOST_SECONDS = 5.0


class Spent:
    """The seconds that the expressions of the current policy have taken; `Loader` begins anew."""

    seconds = 0.0


def regular(pattern: str, flags: int = re.DOTALL | re.MULTILINE) -> re.Pattern[str]:
    """Return a regular expression.

    Raises:
        NoResult: it is none.
        UnknownResult: Python does not read it as PCRE does, or could try for ever.
    """
    if ENDLESS.search(pattern):
        raise UnknownResult(f"the expression {pattern!r} may take for ever")
    try:
        return re.compile(as_python(pattern), flags)
    except re.error as error:
        if error.msg.startswith(BROKEN):
            raise NoResult(pattern) from None
        raise UnknownResult(f"the expression {pattern!r} is not read here") from None
    except (RecursionError, OverflowError):
        raise UnknownResult(f"the expression {pattern!r} is not read here") from None


# What PCRE writes in another way than Python.
SPELLINGS = {
    r"(?<": "(?P<",
    r"\z": r"\Z",
    r"\h": r"[ \t]",
    r"\R": r"(?:\r\n|\n|\r)",
    "[:alnum:]": "a-zA-Z0-9",
    "[:alpha:]": "a-zA-Z",
    "[:blank:]": r" \t",
    "[:digit:]": "0-9",
    "[:lower:]": "a-z",
    "[:punct:]": r"!-/:-@\[-`{-~",
    "[:space:]": r"\s",
    "[:upper:]": "A-Z",
    "[:word:]": r"\w",
    "[:xdigit:]": "0-9a-fA-F",
}
SPELLING = re.compile(r"\\[zhR]|\\.|\(\?<(?![=!])|\[:\w+:\]", re.DOTALL)


def as_python(pattern: str) -> str:
    """Return an expression of PCRE as Python spells it."""
    return SPELLING.sub(lambda found: SPELLINGS.get(found[0], found[0]), pattern)


def in_time(work: Callable[[], Result]) -> Result:
    """Return the result of work with regular expressions.

    Raises:
        UnknownResult: all such work for the policy takes too long.
    """
    left = MOST_SECONDS - Spent.seconds
    if left <= 0:
        raise UnknownResult("a regular expression takes too long")
    begin = process_time()
    try:
        with limited(left, 0):
            return work()
    except TooMuch:
        raise UnknownResult("a regular expression takes too long") from None
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
    except NoResult:
        return False


def gapped(pieces: Sequence[str]) -> re.Pattern[str]:
    """Return an expression for texts with these pieces in this order, and anything between.

    Each piece is searched for once, so that the time is linear in the text.
    """
    first, *rest = map(re.escape, pieces)
    middle = "".join(f"(?>.*?{piece})" for piece in rest[:-1] if piece)
    return re.compile(first + (f"{middle}.*{rest[-1]}" if rest else ""), re.DOTALL)
