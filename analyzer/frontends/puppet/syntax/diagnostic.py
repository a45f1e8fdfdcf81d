"""Diagnostics of a manifest, and the error that ends parsing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from analyzer.frontends.puppet.syntax.parse_issues import PARSE_ISSUES
from analyzer.source import place_of

if TYPE_CHECKING:
    from analyzer.frontends.puppet.syntax.ast import Program

Severity = Literal["error", "warning", "deprecation"]


class Diagnostic(NamedTuple):
    """A problem: Puppet's issue code and wording, and where it is.

    `line` and `column` count characters from 1, 0 where Puppet gives no place (the end of input);
    `offset` and `length` are characters of the whole text. `hint` is ours: what was expected.
    """

    code: str
    message: str
    severity: Severity
    line: int
    column: int
    offset: int
    length: int
    file: str = ""
    hint: str = ""

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        return f"{place}: {self.severity}: {self.message} ({self.code})"


class ParseError(Exception):
    """A text that is no Puppet program; `others` are what else is wrong with it.

    `tree` is that of a text which Puppet refuses though its code is clear.
    """

    def __init__(
        self,
        diagnostic: Diagnostic,
        text: str = "",
        others: tuple[Diagnostic, ...] = (),
        tree: Program | None = None,
    ) -> None:
        super().__init__(str(diagnostic))
        self.diagnostic = diagnostic
        self.text = text
        self.others = others
        self.tree = tree
        # Further errors of the same compile.
        self.more: list[Exception] = []


def place_in(found: Diagnostic, text: str) -> tuple[int, int]:
    """Return the line and column to show for a problem: of the end of input the last character,
    as Puppet gives it no place.
    """
    if not found.line and found.code == "SYNTAX_ERROR":
        return place_of(text, len(text.rstrip()))
    return found.line, found.column


def parse_error(
    code: str, text: str, offset: int | None, file: str, *, hint: str = "", **arguments: str
) -> ParseError:
    """Return the error of an issue at an offset; None is the end of input, which has no place."""
    message = PARSE_ISSUES[code].format(**arguments)
    if offset is None:
        return ParseError(Diagnostic(code, message, "error", 0, 0, len(text), 0, file, hint))
    line, column = place_of(text, offset)
    return ParseError(Diagnostic(code, message, "error", line, column, offset, 1, file, hint))


def warning(code: str, text: str, offset: int, file: str, **arguments: str) -> Diagnostic:
    """Return a warning of an issue at an offset."""
    line, column = place_of(text, offset)
    message = PARSE_ISSUES[code].format(**arguments)
    return Diagnostic(code, message, "warning", line, column, offset, 1, file)
