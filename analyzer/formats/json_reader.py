"""Reads JSON as Ruby's json 2.6 does, and refuses it in its words."""

from __future__ import annotations

import re
from typing import Any, NoReturn

from analyzer.frontends.puppet.functions.stdlib.ruby import Fault

SPACE = re.compile(r"(?:[ \t\r\n]|/\*.*?\*/|//[^\n]*\n)*", re.S)
STRING = re.compile(r'"((?:[^"\\\x00-\x1f]|\\[^\x00-\x1f])*)"')
INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)(?![0-9])")
FLOAT = re.compile(
    r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+(?:[Ee][+-]?[0-9]+)?|[Ee][+-]?[0-9]+)(?![0-9Ee.\-])"
)
ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})(?:\\u([dD][c-fC-F][0-9a-fA-F]{2}))?|(.))", re.S)
NAMED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
WORDS = {"true": True, "false": False, "null": None}
DEEPEST = 100
# Lines of Ruby's parser, which its messages begin with.
AT_TOP, IN_ARRAY, NAN, INFINITY, MINUS_INFINITY = 859, 451, 225, 232, 249


class Nothing(Exception):
    """Here is no value; what holds it says so."""


class Reader:
    """Goes through a text once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pos = 0

    def document(self) -> Any:
        """Return the value of the whole text."""
        self.space()
        self.refuse_comment()
        start = self.pos
        try:
            value = self.value(0)
        except Nothing:
            self.unexpected(AT_TOP, start)
        self.space()
        if self.pos < len(self.text):
            self.refuse_comment()
            self.unexpected(AT_TOP, self.pos)
        return value

    def refuse_comment(self) -> None:
        """Refuse a comment without an end, or a slash that begins none."""
        if self.text.startswith(("/*", "//"), self.pos):
            self.unexpected(AT_TOP, len(self.text))
        if self.text.startswith("/", self.pos):
            self.unexpected(AT_TOP, self.pos + 1)

    def unexpected(self, line: int, pos: int) -> NoReturn:
        """Refuse what begins at a place."""
        raise Fault(f"{line}: unexpected token at '{self.text[pos:]}'")

    def space(self) -> None:
        """Go over space and comments."""
        match = SPACE.match(self.text, self.pos)
        assert match is not None
        self.pos = match.end()

    def value(self, depth: int) -> Any:
        """Return the value at this place."""
        char = self.text[self.pos : self.pos + 1]
        if char == "{":
            return self.object(depth + 1)
        if char == "[":
            return self.array(depth + 1)
        if char == '"':
            return self.string()
        for word, value in WORDS.items():
            if self.text.startswith(word, self.pos):
                self.pos += len(word)
                return value
        return self.number()

    def number(self) -> Any:
        """Return the number at this place."""
        for word, line, end in (("NaN", NAN, 0), ("Infinity", INFINITY, 8)):
            if self.text.startswith(word, self.pos):
                self.unexpected(line, self.pos + end)
        if self.text.startswith("-Infinity", self.pos):
            self.unexpected(MINUS_INFINITY, self.pos)
        if match := FLOAT.match(self.text, self.pos):
            self.pos = match.end()
            return float(match[0])
        match = INTEGER.match(self.text, self.pos)
        if match is None:
            raise Nothing
        self.pos = match.end()
        return int(match[0])

    def string(self) -> str:
        """Return the text at this place."""
        match = STRING.match(self.text, self.pos)
        if match is None:
            raise Nothing
        self.pos = match.end()
        return ESCAPE.sub(unescaped, match[1])

    def array(self, depth: int) -> list[Any]:
        """Return the array at this place."""
        check_depth(depth)
        values: list[Any] = []
        self.pos += 1
        self.space()
        if self.text.startswith("]", self.pos):
            self.pos += 1
            return values
        while True:
            start = self.pos
            try:
                values.append(self.value(depth))
            except Nothing:
                self.unexpected(IN_ARRAY, start)
            self.space()
            char = self.text[self.pos : self.pos + 1]
            if char not in (",", "]"):
                self.unexpected(IN_ARRAY, self.pos)
            self.pos += 1
            if char == "]":
                return values
            self.space()

    def object(self, depth: int) -> dict[str, Any]:
        """Return the object at this place."""
        check_depth(depth)
        values: dict[str, Any] = {}
        self.pos += 1
        self.space()
        if self.text.startswith("}", self.pos):
            self.pos += 1
            return values
        while True:
            name = self.string()
            self.space()
            self.take(":")
            self.space()
            values[name] = self.value(depth)
            self.space()
            if self.text.startswith("}", self.pos):
                self.pos += 1
                return values
            self.take(",")
            self.space()

    def take(self, char: str) -> None:
        """Go over a character."""
        if not self.text.startswith(char, self.pos):
            raise Nothing
        self.pos += 1


def check_depth(depth: int) -> None:
    """Refuse what is nested too deeply."""
    if depth > DEEPEST:
        raise Fault(f"nesting of {depth} is too deep")


def unescaped(match: re.Match[str]) -> str:
    """Return what an escape stands for."""
    high, low, char = match.groups()
    if high is None:
        return NAMED.get(char, char)
    code = int(high, 16)
    if 0xD800 <= code < 0xDC00 and low is not None:
        return chr(0x10000 + ((code - 0xD800) << 10) + int(low, 16) - 0xDC00)
    if 0xD800 <= code < 0xE000:
        return "?"
    return chr(code) + (chr(int(low, 16)) if low else "")
