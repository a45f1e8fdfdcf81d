"""Ruby's [:names:] and properties of characters as Python's character classes.

\\w, \\d and \\s know ASCII only, in Ruby as under re.ASCII; the names know all letters. Python has
no classes for these, so the ranges are counted once, from unicodedata.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import cache
from itertools import groupby

_ASCII = {
    "punct": r"!-/:-@\[-`{-~",
    "cntrl": r"\x00-\x1f\x7f-\x9f",
    "xdigit": "0-9a-fA-F",
    "ascii": r"\x00-\x7f",
    "blank": r" \t\xa0\u1680\u2000-\u200a\u202f\u205f\u3000",
    "space": r"\s\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000",
    "print": r"\x20-\x7e\xa0-\U0010ffff",
    "graph": r"\x21-\x7e\xa1-\U0010ffff",
}
_ABSTRACT = {
    "alpha": ("L", "M", "Nl"),
    "alnum": ("L", "M", "Nl", "Nd"),
    "word": ("L", "M", "N", "Pc"),
    "digit": ("Nd",),
    "upper": ("Lu",),
    "lower": ("Ll",),
}
_CATEGORY = re.compile(r"[LMNPSZC][a-z]?\Z")


def posix(name: str) -> str | None:
    """Return the characters of a POSIX class as they stand in brackets; None if there is none."""
    if name in _ABSTRACT:
        return _ranges(_ABSTRACT[name])
    return _ASCII.get(name)


def property_class(name: str) -> str | None:
    r"""Return the characters of `\p{name}`: a POSIX class or a general category."""
    found = posix(name.lower())
    if found is not None:
        return found
    short = name[:1].upper() + name[1:].lower()
    if name.lower() == "letter":
        short = "L"
    return _ranges((short,)) if _CATEGORY.match(short) else None


@cache
def _ranges(categories: tuple[str, ...]) -> str:
    found: list[tuple[int, int]] = []
    for category, start, end in _runs():
        if category.startswith(categories):
            adjacent = found and found[-1][1] == start
            found.append((found.pop()[0] if adjacent else start, end))
    return "".join(f"\\U{start:08x}-\\U{end - 1:08x}" for start, end in found)


@cache
def _runs() -> list[tuple[str, int, int]]:
    """Return the runs of characters of one category: its name, the first, and the end."""
    found, start = [], 0
    for category, run in groupby(map(unicodedata.category, map(chr, range(sys.maxunicode + 1)))):
        end = start + len(list(run))
        found.append((category, start, end))
        start = end
    return found
