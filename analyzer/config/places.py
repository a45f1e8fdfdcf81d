"""Errors in `catgraph.toml`, and where the keys and values that they are about stand."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache

from analyzer.diagnostics import InputError
from analyzer.pattern import pattern
from analyzer.source import Span, caret_snippet, place_of

# A key of a table, or the place of an element of a list.
Step = str | int
Steps = tuple[Step, ...]

# TOML's tokens; blanks and comments are between them.
TOKEN = pattern(
    r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\''
    r"|(?P<comment>#[^\n]*)|\n|[][{}=,.]|[^][{}=,.#\"'\s]+",
    re.DOTALL,
)
# Tokens that end a key.
SEPARATORS = frozenset("\n=,[]{}")
# Parts of a dotted key: tomllib takes the square of their number in time.
MOST_PARTS = 64

# One character of a string in double quotes, or a line end that TOML drops.
CHARACTER = pattern(r"\\u.{4}|\\U.{8}|(?P<nothing>\\[ \t]*\n\s*)|\\.|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class KeyPlace:
    """The offsets of a key and of its value; an element of a list has no key of its own."""

    key: int
    value: int


def toml_error(path: str, text: str, error: tomllib.TOMLDecodeError) -> InputError:
    """Return the error of a TOML text, with the place from its message."""
    message, _, place = str(error).partition(" (at ")
    words = place.rstrip(")").replace(",", "").split()
    numbers = [int(word) for word in words if word.isdigit()]
    line, column = [*numbers, 0, 0][:2]
    if not numbers:
        line = text.count("\n") + 1
    snippet = caret_snippet(text, line, column) if column else ""
    return InputError(f"not TOML: {message}", Span(path, line, column), "bad-config", snippet)


def wrong(path: str, text: str, message: str, *steps: Step) -> InputError:
    """Return an error about a key, with its place."""
    place = places(text).get(steps)
    return wrong_at(path, text, message, None if place is None else place.key)


def wrong_in(path: str, text: str, message: str, number: int, *steps: Step) -> InputError:
    """Return an error about a character of a string, which are numbered from 0."""
    place = places(text).get(steps)
    return wrong_at(path, text, message, None if place is None else inside(text, place, number))


def wrong_at(path: str, text: str, message: str, offset: int | None) -> InputError:
    """Return an error with the place of an offset, or of the file if that is not known."""
    if offset is None:
        return InputError(message, Span(path), "bad-config")
    line, column = place_of(text, offset)
    snippet = caret_snippet(text, line, column)
    return InputError(message, Span(path, line, column), "bad-config", snippet)


def span_of(path: str, text: str, *steps: Step) -> Span:
    """Return the place of a key or an element, that of the file if it is not there."""
    place = places(text).get(steps)
    return Span(path) if place is None else Span(path, *place_of(text, place.key))


def inside(text: str, place: KeyPlace, number: int) -> int:
    """Return the offset of a character of a string, by its number in the value."""
    start = place.value
    quote = text[start : start + 3] if text[start : start + 3] in ('"""', "'''") else text[start]
    start += len(quote)
    if len(quote) == 3 and text[start : start + 1] == "\n":
        start += 1
    if quote[0] != '"':
        return start + number
    for found in CHARACTER.finditer(text, start):
        if found["nothing"] is None:
            number -= 1
        if number < 0:
            return found.start()
    return start


@lru_cache(maxsize=2)
def places(text: str) -> dict[Steps, KeyPlace]:
    """Return the places of all keys and elements of a TOML text, as far as it can be read."""
    reader = PlaceReader(tokens(text))
    with suppress(IndexError, RecursionError):
        reader.document()
    return reader.found


def tokens(text: str) -> list[tuple[str, int]]:
    """Return the tokens of a TOML text and their offsets, without blanks and comments."""
    found = TOKEN.finditer(text)
    return [(one[0], one.start()) for one in found if one["comment"] is None]


def has_long_key(text: str) -> bool:
    """Return whether a text has something that looks like a key of very many parts."""
    dots = 0
    for token, _ in tokens(text) if text.count(".") >= MOST_PARTS else ():
        if token == ".":
            dots += 1
        elif token in SEPARATORS:
            dots = 0
        if dots >= MOST_PARTS:
            return True
    return False


@dataclass(slots=True)
class PlaceReader:
    """Reads a text that tomllib accepts, for its places alone."""

    tokens: list[tuple[str, int]]
    at: int = 0
    found: dict[Steps, KeyPlace] = field(default_factory=dict)
    counts: dict[Steps, int] = field(default_factory=dict)

    def document(self) -> None:
        """Read tables until the text ends, with an IndexError."""
        table: Steps = ()
        while True:
            token, _ = self.tokens[self.at]
            if token == "\n":
                self.at += 1
            elif token == "[":
                table = self.header()
            else:
                self.pair(table)

    def header(self) -> Steps:
        """Read `[a.b]` or `[[a.b]]`, and return the steps to the table."""
        start = self.tokens[self.at][1]
        many = self.tokens[self.at + 1] == ("[", start + 1)
        self.at += 2 if many else 1
        names = [*self.names("]")]
        self.at += many
        steps: Steps = ()
        for number, name in enumerate(names, 1):
            steps = (*steps, name)
            self.found.setdefault(steps, KeyPlace(start, start))
            if many and number == len(names):
                self.counts[steps] = self.counts.get(steps, 0) + 1
            if steps in self.counts:
                steps = (*steps, self.counts[steps] - 1)
                self.found.setdefault(steps, KeyPlace(start, start))
        return steps

    def names(self, end: str) -> Iterator[str]:
        """Yield the parts of a dotted key, up to and with the token after it."""
        while (token := self.tokens[self.at][0]) != end:
            self.at += 1
            if token != ".":
                yield next(iter(tomllib.loads(f"{token}=0")))
        self.at += 1

    def pair(self, table: Steps) -> None:
        """Read a key and its value."""
        start = self.tokens[self.at][1]
        steps = table
        for name in self.names("="):
            steps = (*steps, name)
            self.found.setdefault(steps, KeyPlace(start, start))
        self.found[steps] = KeyPlace(start, self.tokens[self.at][1])
        self.value(steps)

    def value(self, steps: Steps) -> None:
        """Read a value, with the elements and keys in it."""
        token = self.tokens[self.at][0]
        if token == "[":
            self.elements(steps)
        elif token == "{":
            self.at += 1
            while (token := self.tokens[self.at][0]) != "}":
                if token in (",", "\n"):
                    self.at += 1
                else:
                    self.pair(steps)
            self.at += 1
        else:
            while self.tokens[self.at][0] not in (",", "]", "}", "\n"):
                self.at += 1

    def elements(self, steps: Steps) -> None:
        """Read the elements of a list."""
        self.at += 1
        number = 0
        while (found := self.tokens[self.at])[0] != "]":
            if found[0] in (",", "\n"):
                self.at += 1
                continue
            self.found[*steps, number] = KeyPlace(found[1], found[1])
            self.value((*steps, number))
            number += 1
        self.at += 1
