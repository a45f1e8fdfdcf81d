"""Some lines of a manifest around a place, with a mark at the place."""

from __future__ import annotations

from analyzer.frontends.source_texts import NoSource, Texts
from analyzer.source import Span
from tui.present.pieces import Line, Piece, line, printable
from tui.present.syntax import Coloured

POINTER = "▸"


class Snippets:
    """Makes snippets; each text is coloured only once."""

    def __init__(self, texts: Texts) -> None:
        self.texts = texts
        self.coloured: dict[str, Coloured] = {}

    def of(self, named: str) -> Coloured | NoSource:
        """Return the coloured text of a file, or the reason why there is none."""
        if named in self.coloured:
            return self.coloured[named]
        found = self.texts.get(named)
        if isinstance(found, NoSource):
            return found
        self.coloured[named] = Coloured(found.text, found.path)
        return self.coloured[named]

    def around(self, span: Span | None, room: int) -> tuple[list[Line], int]:
        """Return up to `room` lines around a place, and the index of the place's line."""
        if span is None:
            return [line(("no source position is known", "dim"))], 0
        found = self.of(span.file)
        if isinstance(found, NoSource):
            return [line((printable(f"{found.named}: {found.why}"), "dim"))], 0
        count = len(found.lines)
        first = max(1, min(span.line - room // 2, count - room + 1))
        last = min(count, first + room - 1)
        rows = [
            numbered(found, n, len(str(last)), here=n == span.line) for n in range(first, last + 1)
        ]
        return rows, max(0, min(span.line, last) - first)


def numbered(text: Coloured, number: int, digits: int, *, here: bool) -> Line:
    """Return a line of a text with its number."""
    mark = Piece(f"{POINTER} ", "accent") if here else Piece("  ")
    return (mark, Piece(f"{number:>{digits}} ", "accent" if here else "faint"), *text.line(number))
