"""Recovers the definitions of a manifest that are right by themselves, beside an error.

Puppet loads nothing of such a file. The error is reported; what else the file defines is checked
all the same, with offsets as in the whole text. So is a definition with an error, without the lines
that the error is in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from analyzer.frontends.puppet.syntax.check import check, parse_tree
from analyzer.frontends.puppet.syntax.diagnostic import ParseError
from analyzer.frontends.puppet.syntax.issues import UNLOADED
from analyzer.frontends.puppet.syntax.lexing.lexer import Lexer
from analyzer.pattern import pattern

if TYPE_CHECKING:
    from analyzer.frontends.puppet.syntax import ast
    from analyzer.frontends.puppet.syntax.lexing.tokens import Token
    from analyzer.frontends.puppet.syntax.validate.walk import Strictness

# What begins a definition: tokens, and a line in a text that is not lexed to its end.
BEGINNINGS = frozenset({"CLASS", "DEFINE", "NODE", "FUNCTION"})
LINE = pattern(r"^(?:class|define|node|function)\b", re.MULTILINE)
# Braces at which one definition may end, and how often the text may be read in all.
ENDS, READINGS = 8, 8
# The most lines that a definition is read without.
LINES = 3


@lru_cache(maxsize=256)
def recovered(text: str, file: str, strict: Strictness = "error") -> ast.Program | None:
    """Return the tree of those definitions that are right by themselves, None without any."""
    parts: list[str] = []
    at, left = 0, READINGS * len(text)
    for start, ends in candidates(text, file):
        for end, most in [*((end, 0) for end in ends), *((end, LINES) for end in ends[:1])]:
            left -= (end - start) * (most + 1) if start >= at else 0
            if start < at or left < 0:
                break
            found = without_errors(text[start:end], file, strict, most)
            if found is not None:
                parts += [blank(text[at:start]), found]
                at = end
                break
    parts.append(blank(text[at:]))
    return parse_tree("".join(parts), file, False, False, []) if parts[1:] else None


def candidates(text: str, file: str) -> list[tuple[int, list[int]]]:
    """Return where definitions begin, in order, each with places where it may end.

    A quote that is not closed makes texts of what follows: then lines are tried, too.
    """
    tokens, is_whole = tokens_from(0, text, file)
    found = ends_in(tokens)
    starts = () if is_whole else (match.start() for match in LINE.finditer(text))
    for start in islice((one for one in starts if one not in found), READINGS):
        found[start] = ends_in(tokens_from(start, text, file)[0]).get(start, [])
    return sorted(found.items())


def tokens_from(start: int, text: str, file: str) -> tuple[list[Token], bool]:
    """Return the tokens from an offset to the end or an error, and whether there is none."""
    lexer = Lexer(blank(text[:start]) + text[start:], file)
    try:
        return lexer.run(), True
    except ParseError:
        return lexer.tokens_before_error(), False


def ends_in(tokens: Iterable[Token]) -> dict[int, list[int]]:
    """Return where definitions begin, each with the ends of braces that may close it."""
    found: dict[int, list[int]] = {}
    # The ends of those that may end yet, by the depth of braces around them.
    pending: dict[int, list[list[int]]] = {}
    depth = 0
    for kind, _, offset, length in tokens:
        if kind in BEGINNINGS:
            pending.setdefault(depth, []).append(found.setdefault(offset, []))
        elif kind == "LBRACE":
            depth += 1
        elif kind == "RBRACE":
            pending.pop(depth, None)
            depth -= 1
            for ends in pending.get(depth, ()):
                ends.append(offset + length)
            pending[depth] = [one for one in pending.get(depth, ()) if len(one) < ENDS]
    return found


def without_errors(text: str, file: str, strict: Strictness, most: int) -> str | None:
    """Return a definition without the lines of at most so many errors, None if more are wrong.

    It may be refused for its place, its name or names of its parameters.
    """
    while True:
        found = check(text, file, strict=strict)
        errors = (one for one in found.found if one.severity == "error")
        wrong = next((one for one in errors if one.code not in UNLOADED), None)
        if wrong is None:
            return text if found.tree is not None else None
        most -= 1
        shorter = without_line(text, wrong.offset) if most >= 0 else None
        if shorter is None:
            return None
        text = shorter


def without_line(text: str, offset: int) -> str | None:
    """Return a definition without the line of an error, None if that is its first one.

    Braces stay. Where there is nothing else, what is wrong is before them.
    """
    lines = text.split("\n")
    number = text.count("\n", 0, offset)
    while number and not lines[number].strip(" \t\r{}"):
        number -= 1
    lines[number] = re.sub(r"[^{}]", " ", lines[number])
    return "\n".join(lines) if number else None


def blank(text: str) -> str:
    """Return spaces in place of a text, with its ends of lines."""
    return re.sub(r"[^\n]", " ", text)
