"""PSON, which is JSON with Puppet's own reader: parsepson."""

from __future__ import annotations

import re
from typing import Any, NoReturn

from analyzer.formats.json_reader import NAMED, WORDS
from analyzer.frontends.puppet.functions.registry import Call, Undecided
from analyzer.frontends.puppet.functions.stdlib.api import modern
from analyzer.frontends.puppet.functions.stdlib.ruby import Fault
from analyzer.model.values import Unknown

SPACE = re.compile(r"(?://[^\n\r]*[\n\r]|/\*.*?\*/|[ \t\r\n]+)*", re.S)
STRING = re.compile(
    r'"((?:[^\x00-\x1f"\\]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4}'
    r"|\\[\x20-\x21\x23-\x2e\x30-\x5b\x5d-\x61\x63-\x65\x67-\x6d\x6f-\x71\x73\x75-\U0010ffff])*)\""
)
ESCAPES = re.compile(r"((?:\\u[0-9a-fA-F]{4})+)|\\(.)", re.S)
FLOAT = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+[eE][+-]?\d+|\.\d+|[eE][+-]?\d+)", re.ASCII)
INTEGER = re.compile(r"-?0|-?[1-9]\d*", re.ASCII)
PEEKED = 20  # Bytes of the text that a message shows.
NO_NUMBERS = ("NaN", "Infinity", "-Infinity")
NOTHING = object()


class Reader:
    """Goes through a text once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pos = 0

    def fail(self, before: str, behind: str = "") -> NoReturn:
        """Refuse the text at this place."""
        rest = self.text[self.pos :].encode("utf-8", "surrogateescape")[:PEEKED]
        raise Fault(f"{before} '{rest.decode('utf-8', 'surrogateescape')}'{behind}!")

    def scan(self, text: str) -> bool:
        """Go over a text, if it stands here."""
        found = self.text.startswith(text, self.pos)
        self.pos += len(text) if found else 0
        return found

    def skip(self) -> bool:
        """Go over space and comments, if there are some."""
        match = SPACE.match(self.text, self.pos)
        assert match is not None
        self.pos = match.end()
        return bool(match[0])

    def document(self) -> Any:
        """Return the array or object of the whole text."""
        found = None
        while self.pos < len(self.text):
            if self.skip():
                continue
            if found is not None or not self.text.startswith(("{", "["), self.pos):
                # The bracket of a second value is passed over before it is refused.
                self.pos += found is not None and self.text.startswith(("{", "["), self.pos)
                self.fail("source", " not in PSON")
            found = self.container()
        if found is None:
            raise Fault("source did not contain any PSON!")
        return found

    def value(self) -> Any:
        """Return the value at this place, NOTHING if there is none."""
        if match := FLOAT.match(self.text, self.pos):
            self.pos = match.end()
            return float(match[0])
        if match := INTEGER.match(self.text, self.pos):
            self.pos = match.end()
            return int(match[0])
        for word, value in WORDS.items():
            if self.scan(word):
                return value
        if self.text.startswith(NO_NUMBERS, self.pos):
            # Puppet's reader has no values for these; what it takes instead is an accident.
            raise Undecided(Unknown("PSON that is no number"))
        if self.text.startswith(("{", "["), self.pos):
            return self.container()
        return self.string()

    def string(self) -> Any:
        """Return the text at this place, NOTHING if there is none."""
        match = STRING.match(self.text, self.pos)
        if match is None:
            return NOTHING
        self.pos = match.end()
        return ESCAPES.sub(unescaped, match[1])

    def container(self) -> Any:
        """Return the array or object at this place."""
        is_array = self.text[self.pos] == "["
        self.pos += 1
        return self.array() if is_array else self.object()

    def array(self) -> list[Any]:
        """Return the array at this place; one without end ends with the text."""
        values: list[Any] = []
        expected = False
        while self.pos < len(self.text):
            value = self.value()
            if value is not NOTHING:
                values.append(value)
                self.skip()
                expected = self.scan(",")
                if not expected and not self.text.startswith("]", self.pos):
                    self.fail("expected ',' or ']' in array at")
            elif self.scan("]"):
                if expected:
                    self.fail("expected next element in array at")
                break
            elif not self.skip():
                self.fail("unexpected token in array at")
        return values

    def object(self) -> dict[str, Any]:
        """Return the object at this place; one without end ends with the text."""
        values: dict[str, Any] = {}
        expected = False
        while self.pos < len(self.text):
            name = self.string()
            if name is not NOTHING:
                values[name] = self.entry()
                expected = self.scan(",")
                if not expected and not self.text.startswith("}", self.pos):
                    self.fail("expected ',' or '}' in object at")
            elif self.scan("}"):
                if expected:
                    self.fail("expected next name, value pair in object at")
                break
            elif not self.skip():
                self.fail("unexpected token in object at")
        return values

    def entry(self) -> Any:
        """Return the value behind a name."""
        self.skip()
        if not self.scan(":"):
            self.fail("expected ':' in object at")
        self.skip()
        value = self.value()
        if value is NOTHING:
            self.fail("expected value in object at")
        self.skip()
        return value


def unescaped(match: re.Match[str]) -> str:
    """Return what an escape, or a run of codes, stands for.

    Puppet writes each byte of a code as a character of UTF-8, and reads all of it as UTF-16.
    """
    if match[2]:
        return NAMED.get(match[2], match[2])
    data = bytes.fromhex(match[1].replace("\\u", "")).decode("latin-1").encode()
    if len(data) % 2:
        raise Fault(
            f'Caught Encoding::InvalidByteSequenceError: incomplete "\\x{data[-1]:02X}" on UTF-16BE'
        )
    try:
        return data.decode("utf-16-be")
    except UnicodeDecodeError:
        raise Fault("Caught Encoding::InvalidByteSequenceError") from None


@modern("parsepson stdlib::parsepson", "String[1] $pson_string, Any $default = undef")
def parsepson(call: Call, text: str, *default: Any) -> Any:
    """Return the value of PSON; the second argument if it is wrong."""
    try:
        return Reader(text).document()
    except Fault:
        if default:
            return default[0]
        raise
