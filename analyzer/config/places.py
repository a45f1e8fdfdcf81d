"""Errors in `catgraph.toml`, and where the keys that they are about stand."""

from __future__ import annotations

import tomllib
from bisect import bisect_left
from typing import Any

from analyzer.diagnostics import InputError
from analyzer.source import Span, caret_snippet

# A key of a table, or the place of an element of a list.
Step = str | int


def toml_error(path: str, text: str, error: tomllib.TOMLDecodeError) -> InputError:
    """Return the error of a TOML text, with the place from its message."""
    message, _, place = str(error).partition(" (at ")
    words = place.rstrip(")").replace(",", "").split()
    numbers = [int(word) for word in words if word.isdigit()]
    line, column = [*numbers, 0, 0][:2]
    if not numbers:
        line = text.count("\n") + 1
    snippet = caret_snippet(text, line, column) if column else ""
    return InputError(f"not TOML: {message}", Span(path, line, column), "bad-config", snippet)


def wrong(path: str, text: str, message: str, *steps: Step) -> InputError:
    """Return an error about the value of a key, with its place."""
    line = line_of(text, steps)
    if not line:
        return InputError(message, Span(path), "bad-config")
    written = text.split("\n")[line - 1]
    column = len(written) - len(written.lstrip()) + 1
    snippet = caret_snippet(text, line, column)
    return InputError(message, Span(path, line, column), "bad-config", snippet)


def line_of(text: str, steps: tuple[Step, ...]) -> int:
    """Return the line where a key gets its value, 0 if it is not there.

    tomllib tells no places. But the text down to some line is TOML itself, unless the line is
    within a value, and the first such part that has the key ends with it.
    """
    lines = text.split("\n")

    def has(count: int) -> bool:
        for end in range(count, len(lines) + 1):
            try:
                return holds(tomllib.loads("\n".join(lines[:end])), steps)
            except tomllib.TOMLDecodeError:
                continue
        return False

    found = bisect_left(range(len(lines) + 1), True, key=has)
    return found if found <= len(lines) else 0


def holds(value: Any, steps: tuple[Step, ...]) -> bool:
    """Return whether a value has something at the end of the steps."""
    for step in steps:
        if isinstance(step, int):
            if not isinstance(value, list) or step >= len(value):
                return False
        elif not isinstance(value, dict) or step not in value:
            return False
        value = value[step]
    return True
