"""Makes a program that shows a difference as small as it gets, and shows the difference still."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from analyzer.frontends.puppet.syntax.check import check
from analyzer.pattern import pattern

TOKEN = pattern(
    r"#[^\n]*|'(?:[^'\\]|\\[\s\S])*'|\"(?:[^\"\\]|\\[\s\S])*\"|\n|[^\S\n]+"
    r"|\$?[\w:]+|[-=~<+]+>|[\s\S]"
)
BLANK_LINES = pattern(r"\n\s*\n+")
BEFORE_BRACE = pattern(r"\s*\n\s*\{")
STRING = r"'(?:[^'\\]|\\[\s\S])*'|\"(?:[^\"\\]|\\[\s\S])*\""
SHORT_BLOCK = pattern(rf"{STRING}|([{{(])((?:{STRING}|[^{{}}()'\"])*)([}})])")
# Characters of a block that goes on one line.
SHORT = 70
PART = pattern(r"(\$\{[^{}]*\})")
CLOSING = {"(": ")", "[": "]", "{": "}"}
BRINGS_IN = ("include", "contain", "require")
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
        for edits in (inlined, blocks, items, texts):
            tokens = reduced(tokens, edits, still)
        tokens = without_runs(tokens, still)
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
            if key not in seen and size_of(candidate) < size_of(tokens):
                seen.add(key)
                if still(candidate):
                    tokens, found = candidate, True
                    break
    return tokens


def size_of(tokens: Tokens) -> tuple[int, int]:
    """Return the size of a program: its tokens, then its characters."""
    return len(tokens), sum(map(len, tokens))


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


def inlined(tokens: Tokens) -> Iterator[Tokens]:
    """Yield programs with the body of a class in place of its definition and its declarations."""
    for start, end in pairs(tokens):
        head = start - 1
        while head > 0 and tokens[head] not in ("class", ";", "{", "}"):
            head -= 1
        words = [token for token in tokens[head:start] if not token.isspace()]
        if tokens[start] == "{" and words[:1] == ["class"] and len(words) > 1:
            name = words[1].removeprefix("::")
            rest = without_declarations(tokens[:head], name)
            after = without_declarations(tokens[end + 1 :], name)
            yield [*rest, *tokens[start + 1 : end], *after]


def texts(tokens: Tokens) -> Iterator[Tokens]:
    """Yield programs with one part of a text that has several, or without one."""
    for at, token in enumerate(tokens):
        parts = [part for part in PART.split(token[1:-1]) if part] if token[0] == '"' else []
        for number, part in enumerate(parts if len(parts) > 1 else ()):
            rest = "".join(parts[:number] + parts[number + 1 :])
            for text in (part, rest):
                yield [*tokens[:at], f'"{text}"', *tokens[at + 1 :]]


def without_declarations(tokens: Tokens, name: str) -> Tokens:
    """Return tokens without the functions that bring in a class."""
    kept: Tokens = []
    for token in tokens:
        words = [one for one in kept[-2:] if not one.isspace()]
        if token.removeprefix("::") == name and words[-1:] and words[-1] in BRINGS_IN:
            while kept.pop() not in BRINGS_IN:
                pass
        else:
            kept.append(token)
    return kept


def without_runs(tokens: Tokens, still: Callable[[Tokens], bool]) -> Tokens:
    """Leave out runs of tokens, long ones first."""
    for size in SIZES:
        start = 0
        while start + size <= len(tokens):
            # Without spaces alone a program is no smaller, only harder to read.
            blank = all(token.isspace() for token in tokens[start : start + size])
            rest = tokens[:start] + tokens[start + size :]
            if not blank and still(rest):
                tokens = rest
            else:
                start += size // 2 if size > 8 else 1
    return tokens


def items(tokens: Tokens) -> Iterator[Tokens]:
    """Yield programs without one item of a list in brackets."""
    for start, end in pairs(tokens):
        at, depth = start + 1, 0
        for place in range(start + 1, end + 1):
            depth += (tokens[place] in CLOSING) - (tokens[place] in CLOSING.values())
            if (depth == 0 and tokens[place] in (",", ";")) or place == end:
                yield tokens[:at] + tokens[place + (place < end) :]
                at = place + 1


def tidy(text: str) -> str:
    """Return a program with the usual indentation, and short blocks on one line."""
    text = SHORT_BLOCK.sub(on_one_line, BEFORE_BRACE.sub(" {", text))
    depth, lines = 0, []
    for line in filter(None, map(str.strip, text.splitlines())):
        tokens = TOKEN.findall(line)
        closes = line[0] in CLOSING.values()
        lines.append("  " * max(depth - closes, 0) + line)
        depth += sum(token in CLOSING for token in tokens)
        depth -= sum(token in CLOSING.values() for token in tokens)
    return "".join(f"{line}\n" for line in lines)


def on_one_line(match: re.Match[str]) -> str:
    """Return a block on one line if it is short and has one statement."""
    if match[1] is None:
        return match[0]
    inner = " ".join(match[2].split())
    lines = [line for line in match[2].splitlines() if line.strip()]
    if len(inner) > SHORT or any(not line.rstrip().endswith((":", ",")) for line in lines[:-1]):
        return match[0]
    space = " " if match[1] == "{" else ""
    return f"{match[1]}{space}{inner}{space * bool(inner)}{match[3]}"
