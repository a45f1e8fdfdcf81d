"""Positions as editors count them: lines from 0, and units of an encoding in the line."""

from __future__ import annotations

from bisect import bisect_right
from typing import Literal

from analyzer.source import line_starts

Encoding = Literal["utf-8", "utf-16", "utf-32"]

# The bytes of a unit, and the codec whose bytes are counted.
UNITS: dict[str, tuple[int, str]] = {"utf-8": (1, "utf-8"), "utf-16": (2, "utf-16-le")}


def units(text: str, encoding: Encoding) -> int:
    """Return how many units of an encoding a text has."""
    if encoding == "utf-32" or text.isascii():
        return len(text)
    size, codec = UNITS[encoding]
    return len(text.encode(codec, "surrogatepass")) // size


def position_of(text: str, offset: int, encoding: Encoding) -> tuple[int, int]:
    """Return the line and unit of an offset; beyond the text, those of its end."""
    starts = line_starts(text)
    offset = max(0, min(offset, len(text)))
    line = max(0, bisect_right(starts, offset, 0, len(starts) - 1) - 1)
    return line, units(text[starts[line] : offset], encoding)


def offset_of(text: str, line: int, unit: int, encoding: Encoding) -> int:
    """Return the offset of a line and unit; beyond the line, its end, as the protocol requires.

    A unit inside a character is the offset before it.
    """
    starts = line_starts(text)
    if line >= len(starts) - 1:
        return len(text)
    begin = starts[max(line, 0)]
    end = starts[max(line, 0) + 1] - 1
    row = text[begin:end].removesuffix("\r" if end < len(text) else "")
    if encoding == "utf-32" or row.isascii():
        return begin + max(0, min(unit, len(row)))
    size, codec = UNITS[encoding]
    part = row.encode(codec, "surrogatepass")[: max(unit, 0) * size]
    return begin + len(part.decode(codec, "ignore"))
