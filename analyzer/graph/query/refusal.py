"""The error of a refused query, with the place in its text."""

from __future__ import annotations

from typing import NoReturn

from analyzer.diagnostics import InputError
from analyzer.source import Span, caret_snippet

# The codes of a query that is not well-formed, and of a resource that is not in the catalog.
BAD, ABSENT = "bad-query", "not-in-catalog"


def refuse(text: str, column: int, message: str, code: str = BAD) -> NoReturn:
    """Refuse a query at one of its columns.

    Raises:
        InputError: always.
    """
    line = text.count("\n", 0, column - 1) + 1
    start = text.rfind("\n", 0, column - 1) + 1
    place = column - start
    snippet = caret_snippet(text, line, place)
    raise InputError(message, Span("<query>", line, place), code, snippet)
