"""Measures, cuts and pads texts and lines by the columns of a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from analyzer.escape import shown
from tui.present.pieces import Line, Piece

ELLIPSIS = "…"


def columns_of(char: str) -> int:
    """Return how many columns a character takes."""
    if char.isascii():
        return 1
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def width(text: str) -> int:
    """Return the columns of a text; East Asian letters and emoji take two."""
    return len(text) if text.isascii() else sum(map(columns_of, text))


def clean(text: str) -> str:
    """Return a text on one line, without terminal escapes."""
    return shown(text)


def head(text: str, room: int) -> str:
    """Return the beginning of a text that fits into some columns."""
    if width(text) <= room:
        return text
    used = 0
    for place, char in enumerate(text):
        used += columns_of(char)
        if used > room:
            return text[:place]
    return text


def tail(text: str, room: int) -> str:
    """Return the end of a text that fits into some columns."""
    return head(text[::-1], room)[::-1]


def cut(text: str, room: int) -> str:
    """Return a text cut at its end, marked by an ellipsis."""
    text = clean(text)
    if width(text) <= room:
        return text
    return head(text, room - 1) + ELLIPSIS if room > 0 else ""


def cut_start(text: str, room: int) -> str:
    """Return a text cut at its start, marked by an ellipsis, as the end of a path matters most."""
    text = clean(text)
    if width(text) <= room:
        return text
    return ELLIPSIS + tail(text, room - 1) if room > 0 else ""


def cut_path(text: str, room: int) -> str:
    """Return a path without its first folders, as few as possible: `…/app/manifests/init.pp`."""
    text = clean(text)
    if width(text) <= room:
        return text
    parts = text.split("/")
    for first in range(1, len(parts)):
        shown = "/".join((ELLIPSIS, *parts[first:]))
        if width(shown) <= room:
            return shown
    return cut_start(parts[-1], room)


def cut_middle(text: str, room: int) -> str:
    """Return a text without its middle, as the last part of a path matters most."""
    text = clean(text)
    if width(text) <= room:
        return text
    if room < 8:
        return cut(text, room)
    front = (room - 1) // 3
    return head(text, front) + ELLIPSIS + tail(text, room - 1 - front)


def shorten(ref: str, room: int) -> str:
    """Return a reference that fits: `File[/etc/app/app.conf]` as `File[…app/app.conf]`.

    The type stays whole as long as a part of the title fits next to it.
    """
    ref = clean(ref)
    if width(ref) <= room:
        return ref
    kind, bracket, title = ref.partition("[")
    left = room - width(kind) - 2
    if not bracket or left < 6:
        return cut_middle(ref, room)
    return f"{kind}[{ELLIPSIS}{tail(title, left)}"


def padded(text: str, room: int) -> str:
    """Return a text with blanks up to a width; it is cut if it is longer."""
    text = cut(text, room)
    return text + " " * (room - width(text))


def length(line: Iterable[Piece]) -> int:
    """Return the columns of a line."""
    return sum(width(text) for text, _ in line)


def crop(line: Iterable[Piece], start: int, room: int) -> Line:
    """Return the columns from `start` on, at most `room`; half of a wide letter is a blank."""
    found: list[Piece] = []
    at = 0
    end = start + room
    for text, style in line:
        kept: list[str] = []
        for char in text:
            wide = columns_of(char)
            if at >= start and at + wide <= end:
                kept.append(char)
            elif at < end and at + wide > start:
                kept.append(" ")
            at += wide
        if kept:
            found.append(Piece("".join(kept), style))
        if at >= end:
            break
    return tuple(found)


def table(
    rows: Sequence[Sequence[str]], styles: Sequence[str], rooms: Sequence[int | None]
) -> list[Line]:
    """Return rows in columns with two blanks between; a room of None fits the longest text.

    The last column is not padded.
    """
    found: list[Line] = []
    wide = [
        room if room is not None else max((width(clean(row[n])) for row in rows), default=0)
        for n, room in enumerate(rooms)
    ]
    for row in rows:
        pieces: list[Piece] = []
        for n, text in enumerate(row):
            last = n == len(row) - 1
            shown = clean(text) if last else padded(text, wide[n]) + "  "
            pieces.append(Piece(shown, styles[n]))
        found.append(tuple(pieces))
    return found


def wrapped(text: str, room: int) -> list[str]:
    """Return a text in lines; a word that is longer than one is broken."""
    found: list[str] = []
    for word in text.split(" "):
        rest = word
        if found and width(found[-1]) + 1 + width(rest) <= room:
            found[-1] += f" {rest}"
            continue
        while width(rest) > room > 0:
            found.append(head(rest, room) or rest[0])
            rest = rest[len(found[-1]) :]
        found.append(rest)
    return found
