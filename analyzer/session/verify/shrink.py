"""Makes a program that shows a difference as small as it gets, and shows the difference still."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from analyzer.frontends.puppet.syntax.check import check

_TOKEN = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|\n|[^\S\n]+|\$?[\w:]+|[-=~<+]+>|.")
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_SIZES = (256, 128, 64, 32, 16, 12, 8, 7, 6, 5, 4, 3, 2, 1)

Tokens = list[str]


def shrink(text: str, differs: Callable[[str], bool]) -> str:
    """Return the smallest program found for which `differs` holds, as it does for `text`.

    A program that parses stays one that does, so that no other difference is met on the way.
    """
    parses = check(text).ok

    def still(tokens: Tokens) -> bool:
        candidate = "".join(tokens)
        return check(candidate).ok is parses and differs(candidate)

    tokens: Tokens = _TOKEN.findall(text)
    before = None
    while before != tokens:
        before = list(tokens)
        for edits in (_blocks, _windows, _items):
            tokens = _reduced(tokens, edits, still)
    return re.sub(r"\n\s*\n+", "\n", "".join(tokens)).strip() + "\n"


Edits = Callable[[Tokens], Iterator[Tokens]]


def _reduced(tokens: Tokens, edits: Edits, still: Callable[[Tokens], bool]) -> Tokens:
    """Take the first edit that keeps the difference, again and again until none does."""
    seen: set[str] = set()
    found = True
    while found:
        found = False
        for candidate in edits(tokens):
            key = "".join(candidate)
            if key not in seen and len(candidate) < len(tokens):
                seen.add(key)
                if still(candidate):
                    tokens, found = candidate, True
                    break
    return tokens


def _pairs(tokens: Tokens) -> list[tuple[int, int]]:
    """Brackets with those that close them, the widest first."""
    opened: list[int] = []
    found: list[tuple[int, int]] = []
    for at, token in enumerate(tokens):
        if token in _CLOSING:
            opened.append(at)
        elif opened and token == _CLOSING[tokens[opened[-1]]]:
            found.append((opened.pop(), at))
    return sorted(found, key=lambda pair: pair[0] - pair[1])


def _blocks(tokens: Tokens) -> Iterator[Tokens]:
    """Yield programs without a statement that has a block, or with the block alone."""
    for start, end in _pairs(tokens):
        head = start
        while head and tokens[head - 1] not in ("\n", ";", ","):
            head -= 1
        yield tokens[:head] + tokens[end + 1 :]
        yield tokens[:head] + tokens[start + 1 : end] + tokens[end + 1 :]
        yield tokens[:start] + tokens[start + 1 : end] + tokens[end + 1 :]
        yield tokens[: start + 1] + tokens[end:]


def _windows(tokens: Tokens) -> Iterator[Tokens]:
    """Yield programs without a run of tokens, long runs first."""
    for size in _SIZES:
        step = size // 2 if size > 8 else 1
        for start in range(0, max(len(tokens) - size, 0) + 1, step):
            # Without spaces alone a program is no smaller, only harder to read.
            if any(not token.isspace() for token in tokens[start : start + size]):
                yield tokens[:start] + tokens[start + size :]


def _items(tokens: Tokens) -> Iterator[Tokens]:
    """Yield programs without one item of a list in brackets."""
    for start, end in _pairs(tokens):
        at, depth = start + 1, 0
        for place in range(start + 1, end + 1):
            depth += (tokens[place] in _CLOSING) - (tokens[place] in _CLOSING.values())
            if (depth == 0 and tokens[place] in (",", ";")) or place == end:
                yield tokens[:at] + tokens[place + (place < end) :]
                at = place + 1
