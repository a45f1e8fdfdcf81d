"""Sets of characters as Ruby writes them for `count` and `squeeze`: `a-z`, `^0-9`, `\\\\-`."""

from __future__ import annotations

from collections.abc import Callable

from analyzer.frontends.puppet.functions.stdlib.ruby import Fault


def character_set(text: str) -> Callable[[str], bool]:
    """Return a predicate for the characters in the set."""
    negated = len(text) > 1 and text[0] == "^"
    ranges = list(parsed(text[1:] if negated else text))

    def contains(char: str) -> bool:
        return any(first <= char <= last for first, last in ranges) != negated

    return contains


def parsed(text: str) -> list[tuple[str, str]]:
    """Return the ranges of a set."""
    ranges = []
    pos = 0
    while pos < len(text):
        first, pos = character(text, pos)
        if text[pos : pos + 1] == "-" and pos + 1 < len(text):
            last, pos = character(text, pos + 1)
            if last < first:
                raise Fault(f'invalid range "{first}-{last}" in string transliteration')
            ranges.append((first, last))
        else:
            ranges.append((first, first))
    return ranges


def character(text: str, pos: int) -> tuple[str, int]:
    """Return the character at a place, which a backslash may stand before, and what follows."""
    if text[pos] == "\\" and pos + 1 < len(text):
        pos += 1
    return text[pos], pos + 1


def squeezed(text: str, contains: Callable[[str], bool]) -> str:
    """Return a text with runs of the same character of the set as one."""
    kept = [
        char
        for index, char in enumerate(text)
        if index == 0 or char != text[index - 1] or not contains(char)
    ]
    return "".join(kept)
