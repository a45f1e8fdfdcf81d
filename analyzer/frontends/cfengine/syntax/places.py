"""Where the characters of a file stand, by line and column."""

from __future__ import annotations

from bisect import bisect_right

from analyzer.source import Span


class Places:
    """The lines of one text."""

    def __init__(self, text: str, path: str) -> None:
        self.path = path
        self.starts = [0]
        position = text.find("\n")
        while position >= 0:
            self.starts.append(position + 1)
            position = text.find("\n", position + 1)

    def span(self, offset: int) -> Span:
        """Return the place of a character."""
        line = bisect_right(self.starts, offset)
        return Span(self.path, line, offset - self.starts[line - 1] + 1)
