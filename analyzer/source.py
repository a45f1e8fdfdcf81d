"""Places in source text: where a statement was written, and how to show it to a person."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A place in a file; `line` and `column` count from 1, 0 means not known."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        parts = [self.file]
        if self.line:
            parts.append(str(self.line))
            if self.column:
                parts.append(str(self.column))
        return ":".join(parts)


@lru_cache(maxsize=16)
def line_starts(text: str) -> tuple[int, ...]:
    """Return where each line begins; the last number is where one more would."""
    return (0, *accumulate(len(line) + 1 for line in text.split("\n")))


def place_of(text: str, offset: int) -> tuple[int, int]:
    """Return line and column of a character, from 1."""
    starts = line_starts(text)
    line = max(1, bisect_left(starts, offset + 1, 0, len(starts) - 1))
    return line, offset - starts[line - 1] + 1


def caret_snippet(text: str, line: int, column: int, width: int = 100) -> str:
    """Return the given line of `text` with a caret below `column`; long lines are cut around it."""
    starts = line_starts(text)
    if not 1 <= line < len(starts):
        return ""
    shown = text[starts[line - 1] : starts[line] - 1]
    start = max(0, column - 1 - width // 2)
    piece = "".join(c if c.isprintable() else " " for c in shown[start : start + width])
    lead = "..." if start else ""
    tail = "..." if start + width < len(shown) else ""
    caret = " " * (len(lead) + max(0, column - 1 - start)) + "^"
    return f"  {lead}{piece}{tail}\n  {caret}"
