"""Places in source text: where a statement was written, and how to show it to a person."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.escape import shown


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


def caret_snippet(text: str, line: int, column: int, width: int = 100) -> str:
    """Return the given line of `text` with a caret below `column`; long lines are cut around it."""
    lines = text.split("\n")
    if not 1 <= line <= len(lines):
        return ""
    row = lines[line - 1].removesuffix("\r").replace("\t", " ")
    at = max(0, column - 1)
    start = max(0, at - width // 2)
    lead = "..." if start else ""
    tail = "..." if start + width < len(row) else ""
    caret = " " * (len(lead) + len(shown(row[start:at].ljust(at - start)))) + "^"
    return f"  {lead}{shown(row[start : start + width])}{tail}\n  {caret}"
