"""Text as it is shown: pieces, each with the name of a style."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from analyzer.escape import shown

# The names of styles; `catgraph.tcss` says how `.piece--NAME` looks.
STYLES = (
    "dim",
    "faint",
    "strong",
    "accent",
    "title",
    "key",
    "good",
    "changed",
    "refreshed",
    "failed",
    "skipped",
    "noop",
    "next",
    "ready",
    "waiting",
    "breakpoint",
    "type",
    "string",
    "number",
    "place",
    "before",
    "notify",
    "auto",
    "contains",
    "added",
    "removed",
    "warning",
    "banner",
    "mark",
    "here",
    "press",
)


class Piece(NamedTuple):
    """A text in one style of STYLES; empty: that of what is around it."""

    text: str
    style: str = ""


# Between what stands at the left end of a line and what stands at its right end.
FILL = Piece("", "fill")

# One line of a screen.
Line = tuple[Piece, ...]

BLANK: Line = ()


def line(*parts: str | Piece | tuple[str, str]) -> Line:
    """Return a line of texts and `(text, style)` pairs."""
    return tuple(Piece(part) if isinstance(part, str) else Piece(*part) for part in parts)


def plain(pieces: Iterable[Piece]) -> str:
    """Return a line without its styles."""
    return "".join(piece.text for piece in pieces)


def ref_pieces(ref: str, style: str = "") -> Line:
    """Return a reference with its type held back and its title in a style."""
    kind, bracket, title = ref.partition("[")
    if not bracket:
        return (Piece(ref, style),)
    return (Piece(f"{kind}[", "type"), Piece(title[:-1], style), Piece("]", "type"))


def printable(text: str) -> str:
    """Return a text on one line, with tabs as blanks."""
    return shown(text.replace("\t", "    "))


def wrapped(pieces: Line, width: int) -> list[Line]:
    """Return a line in several that are not wider than a width, broken between words.

    What goes on stands below the last piece, where that begins near the left end.
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


# A word with the blanks behind it, or blanks alone.
WORDS = re.compile(r"\S+\s*|\s+")


def widest(lines: Sequence[Line]) -> int:
    """Return how many characters the longest of lines has."""
    return max((sum(len(piece.text) for piece in one) for one in lines), default=0)
