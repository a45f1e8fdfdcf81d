"""Places in source text: where a statement was written, and how to show it to a person."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any

from analyzer.escape import shown


def by_fields(value: Any) -> tuple[type, tuple[object, ...]]:
    """Reduce a value for pickle to its class and its fields.

    Left to itself, a frozen dataclass with slots is restored field by field, which takes five times
    as long; a cache or another process gives us thousands.
    """
    return type(value), tuple([getattr(value, name) for name in value.__match_args__])


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A place in a file; `line` and `column` count from 1, 0 means not known."""

    file: str
    line: int = 0
    column: int = 0

    __reduce__ = by_fields

    def __str__(self) -> str:
        parts = [self.file]
        if self.line:
            parts.append(str(self.line))
            if self.column:
                parts.append(str(self.column))
        return ":".join(parts)


@lru_cache(maxsize=256)
def starts_of(text: str) -> tuple[int, ...]:
    """Return where each line begins; the last number is where one more would."""
    return (0, *accumulate(len(line) + 1 for line in text.split("\n")))


# The text that was asked for last. A cache compares all characters of a text that is equal to one
# it knows and another object, and this is asked for every statement.
LATEST: list[tuple[str, tuple[int, ...]]] = [("", starts_of(""))]


def line_starts(text: str) -> tuple[int, ...]:
    """Return where each line begins; the last number is where one more would."""
    known, starts = LATEST[0]
    if known is not text:
        starts = starts_of(text)
        LATEST[0] = text, starts
    return starts


def place_of(text: str, offset: int) -> tuple[int, int]:
    """Return line and column of a character, from 1."""
    starts = line_starts(text)
    line = max(1, bisect_left(starts, offset + 1, 0, len(starts) - 1))
    return line, offset - starts[line - 1] + 1


def caret_snippet(text: str, line: int, column: int, width: int = 100) -> str:
    """Return the given line of `text` with a caret below `column`; long lines are cut around it.

    What is written as Sensitive is not shown.
    """
    text = masked(text)
    starts = line_starts(text)
    if not 1 <= line < len(starts):
        return ""
    row = text[starts[line - 1] : starts[line] - 1].removesuffix("\r").replace("\t", " ")
    at = max(0, column - 1)
    start = max(0, at - width // 2)
    lead = "..." if start else ""
    tail = "..." if start + width < len(row) else ""
    caret = " " * (len(lead) + len(shown(row[start:at].ljust(at - start)))) + "^"
    return f"  {lead}{shown(row[start : start + width])}{tail}\n  {caret}"


# How a Sensitive value is made of what stands behind, up to the closing parenthesis.
SENSITIVE = r"\bSensitive(?:\s*\[[^\]]*\])?(?:\s*\.\s*new)?\s*\(|\bnew\s*\(\s*Sensitive\b"

# A literal, a comment, or a parenthesis; text that does not end goes on to the end of the file.
PIECE = (
    r"(?P<text>'(?:[^'\\]|\\.)*(?:'|\Z)|\"(?:[^\"\\]|\\.)*(?:\"|\Z))|(?P<number>(?<![\w$:])\d[\w.]*)"
    r"|@\(\s*\"?(?P<heredoc>[^\s:/\")]+)[^)\n]*\)|#[^\n]*|[()]"
)

# A shorter text is part of too many words to be taken out of a message.
SHORTEST = 4


@lru_cache(maxsize=16)
def secrets_in(text: str) -> tuple[tuple[int, int], ...]:
    """Return where literals are written as Sensitive, from where and up to where, in order."""
    if "Sensitive" not in text:
        return ()
    import re

    found: list[tuple[int, int]] = []
    piece, end = re.compile(PIECE, re.DOTALL), 0
    for start in re.finditer(SENSITIVE, text):
        if start.start() < end:
            continue
        depth = 1
        for match in piece.finditer(text, start.end()):
            end = match.end()
            depth += (match[0] == "(") - (match[0] == ")")
            if not depth:
                break
            if match["text"]:
                whole = len(match[0]) > 1 and match[0][-1] == match[0][0]
                found.append((match.start() + 1, match.end() - whole))
            elif match["number"]:
                found.append(match.span())
            elif match["heredoc"]:
                found.append(body_of(text, match.end(), match["heredoc"]))
    return tuple(found)


def body_of(text: str, start: int, tag: str) -> tuple[int, int]:
    """Return where the text of a heredoc is that begins behind a place, up to its tag."""
    import re

    line = text.find("\n", start) + 1 or len(text)
    last = re.compile(rf"^[ \t|-]*{re.escape(tag)}[ \t]*$", re.MULTILINE).search(text, line)
    return line, last.start() if last else len(text)


@lru_cache(maxsize=16)
def masked(text: str) -> str:
    """Return a text with stars for what is written as Sensitive; lines and columns stay."""
    parts, done = [], 0
    for start, end in secrets_in(text):
        parts += [text[done:start], "".join(c if c.isspace() else "*" for c in text[start:end])]
        done = end
    return "".join([*parts, text[done:]])


def without_secrets(message: str, text: str) -> str:
    """Return a message without the literals that a text has as Sensitive."""
    for start, end in secrets_in(text):
        for secret in (text[start:end], text[start:end].strip()):
            if len(secret) >= SHORTEST:
                message = message.replace(secret, "[redacted]")
    return message
