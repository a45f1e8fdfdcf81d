"""Text on the screens: pieces, each with the name of a style."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Generic, NamedTuple, TypeVar

from analyzer.escape import shown


class Piece(NamedTuple):
    """A text in one of the styles of `theme.PIECES`; an empty style is that of the widget."""

    text: str
    style: str = ""


# Separates the left end of a line from its right end.
FILL = Piece("", "fill")

# One line of a screen.
Line = tuple[Piece, ...]

BLANK: Line = ()

T = TypeVar("T")


class DialogChoice(NamedTuple, Generic[T]):
    """A line of a dialog, and the value that it represents."""

    line: Line
    value: T


def line(*parts: str | Piece | tuple[str, str]) -> Line:
    """Return a line of texts and `(text, style)` pairs."""
    return tuple(Piece(part) if isinstance(part, str) else Piece(*part) for part in parts)


def plain(pieces: Iterable[Piece]) -> str:
    """Return a line without its styles."""
    return "".join(piece.text for piece in pieces)


def has_words(text: str, wanted: str) -> bool:
    """Return whether a text has all words of a filter."""
    low = text.lower()
    return all(word in low for word in wanted.lower().split())


def ref_pieces(ref: str, style: str = "") -> Line:
    """Return a reference with a muted type, and its title in a style."""
    kind, bracket, title = ref.partition("[")
    if not bracket:
        return (Piece(ref, style),)
    return (Piece(f"{kind}[", "type"), Piece(title[:-1], style), Piece("]", "type"))


def printable(text: str) -> str:
    """Return a text on one line, with tabs as blanks."""
    return shown(text.replace("\t", "    "))


def wrapped(pieces: Line, width: int) -> list[Line]:
    """Return a line in several that are not wider than a width, broken between words.

    Continuation lines are indented to the last piece, if that begins near the left end.
    """
    start = sum(len(piece.text) for piece in pieces[:-1])
    indent = start if 0 < start <= width // 3 else 4
    found: list[Line] = []
    row: list[Piece] = []
    room = width
    for text, style in pieces:
        for word in WORDS.findall(text):
            if len(word.rstrip()) > room and row and room < width:
                found.append(tuple(row))
                row, room = [Piece(" " * indent)], width - indent
                if not word.strip():
                    continue
            row.append(Piece(word, style))
            room -= len(word)
    return [*found, tuple(row)]


# A word with the blanks after it, or blanks alone.
WORDS = re.compile(r"\S+\s*|\s+")


def widest(lines: Sequence[Line]) -> int:
    """Return how many characters the longest of lines has."""
    return max((sum(len(piece.text) for piece in one) for one in lines), default=0)
