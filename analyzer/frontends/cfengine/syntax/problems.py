"""Problems in a policy, with their places, in the words of cf-promises."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from analyzer.diagnostics import CompileError
from analyzer.source import Span, caret_snippet


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem: `line` is CFEngine's, `span` the place, column 0 if only the line is known."""

    message: str
    span: Span
    line: int
    code: str = "policy"


class Stop(Exception):
    """Parsing cannot continue at an offset."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset


class PolicyError(CompileError):
    """A policy that CFEngine refuses; `problems` are all problems, in order."""

    def __init__(self, problems: list[Problem], text: str) -> None:
        first = problems[0]
        snippet = caret_snippet(text, first.span.line, first.span.column or 1)
        super().__init__(first.message, first.span, f"cf-{first.code}", snippet)
        self.problems = problems


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
