"""Makes a program that shows a difference as small as it gets, and shows the difference still."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from analyzer.frontends.puppet.syntax.check import check
from analyzer.pattern import pattern

TOKEN = pattern(
    r"#[^\n]*|'(?:[^'\\]|\\[\s\S])*'|\"(?:[^\"\\]|\\[\s\S])*\"|\n|[^\S\n]+"
    r"|\$?[\w:]+|[-=~<+]+>|[\s\S]"
)
BLANK_LINES = pattern(r"\n\s*\n+")
CLOSING = {"(": ")", "[": "]", "{": "}"}
SIZES = (256, 128, 64, 32, 16, 12, 8, 7, 6, 5, 4, 3, 2, 1)
# How deep statements are nested in the blocks that are searched for them.
DEEPEST = 5

Item = TypeVar("Item")
Tokens = list[str]
Edits = Callable[[Tokens], Iterator[Tokens]]
Piece = tuple[int, int]


def shrink(text: str, differs: Callable[[str], bool]) -> str:
    """Return the smallest program found for which `differs` holds, as it does for `text`.

    A program that parses stays one that does, so that no other difference is met on the way.
    Comments are left out.
    """
    parses = check(text).ok

    def still(tokens: Tokens) -> bool:
        candidate = "".join(tokens)
        return check(candidate).ok is parses and differs(candidate)

    tokens: Tokens = TOKEN.findall(text)
    bare = [token for token in tokens if not token.startswith("#")]
    tokens = bare if bare != tokens and still(bare) else tokens
    for depth in range(DEEPEST):
        tokens = without_statements(tokens, depth, still)
    before = None
    while before != tokens:
        before = list(tokens)
        for edits in (blocks, windows, items):
            tokens = reduced(tokens, edits, still)
    return BLANK_LINES.sub("\n", "".join(tokens)).strip() + "\n"


def without_statements(tokens: Tokens, depth: int, still: Callable[[Tokens], bool]) -> Tokens:
    """Leave out as many lines as possible of the blocks at a depth, with all that is in them."""
    pieces = pieces_at(tokens, depth)

    def joined(kept: Sequence[Piece]) -> Tokens:
        gone = {number for piece in pieces if piece not in set(kept) for number in range(*piece)}
        return [token for number, token in enumerate(tokens) if number not in gone]

    return joined(fewest(pieces, lambda kept: still(joined(kept))))


def pieces_at(tokens: Tokens, depth: int) -> list[Piece]:
    """Return the lines at a depth of brackets, as ranges of tokens."""
    found: list[Piece] = []
    level, start = 0, 0
    for at, token in enumerate(tokens):
        if token in CLOSING:
            level += 1
            start = at + 1 if level == depth else start
        elif token in CLOSING.values():
            if level == depth and at > start:
                found.append((start, at))
            level -= 1
        elif token == "\n" and level == depth:
            found.append((start, at + 1))
            start = at + 1
    if depth == 0 and start < len(tokens):
        found.append((start, len(tokens)))
    return [one for one in found if not "".join(tokens[slice(*one)]).isspace()]


def fewest(items: Sequence[Item], holds: Callable[[Sequence[Item]], bool]) -> Sequence[Item]:
    """Return few of the items for which something still holds (Zeller's delta debugging)."""
    if not items or holds(()):
        return ()
    size = (len(items) + 1) // 2
    while True:
        start = 0
        while start < len(items):
            rest = [*items[:start], *items[start + size :]]
            if rest and holds(rest):
                items = rest
            else:
                start += size
        if size <= 1:
            return items
        size = (size + 1) // 2


def reduced(tokens: Tokens, edits: Edits, still: Callable[[Tokens], bool]) -> Tokens:
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


def pairs(tokens: Tokens) -> list[Piece]:
    """Return brackets with those that close them, the widest first."""
    opened: list[int] = []
    found: list[Piece] = []
    for at, token in enumerate(tokens):
        if token in CLOSING:
            opened.append(at)
        elif opened and token == CLOSING[tokens[opened[-1]]]:
            found.append((opened.pop(), at))
    return sorted(found, key=lambda pair: pair[0] - pair[1])


def blocks(tokens: Tokens) -> Iterator[Tokens]:
    """Yield programs without a statement that has a block, or with the block alone."""
    for start, end in pairs(tokens):
        head = start
        while head and tokens[head - 1] not in ("\n", ";", ","):
            head -= 1
        yield tokens[:head] + tokens[end + 1 :]
        yield tokens[:head] + tokens[start + 1 : end] + tokens[end + 1 :]
        yield tokens[:start] + tokens[start + 1 : end] + tokens[end + 1 :]
        yield tokens[: start + 1] + tokens[end:]


def windows(tokens: Tokens) -> Iterator[Tokens]:
    """Yield programs without a run of tokens, long runs first."""
    for size in SIZES:
        step = size // 2 if size > 8 else 1
        for start in range(0, max(len(tokens) - size, 0) + 1, step):
            # Without spaces alone a program is no smaller, only harder to read.
            if any(not token.isspace() for token in tokens[start : start + size]):
                yield tokens[:start] + tokens[start + size :]


def items(tokens: Tokens) -> Iterator[Tokens]:
    """Yield programs without one item of a list in brackets."""
    for start, end in pairs(tokens):
        at, depth = start + 1, 0
        for place in range(start + 1, end + 1):
            depth += (tokens[place] in CLOSING) - (tokens[place] in CLOSING.values())
            if (depth == 0 and tokens[place] in (",", ";")) or place == end:
                yield tokens[:at] + tokens[place + (place < end) :]
                at = place + 1
