"""The tokens of HOCON, as Ruby's gem hocon splits a text (Hocon::Impl::Tokenizer)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

TOKEN = re.compile(
    r'''(?P<space>(?:[^\S\n]|\ufeff)+)
    | (?P<newline>\n)
    | (?P<comment>(?:\#|//)[^\n]*)
    | """(?P<raw>.*?)"""(?!")
    | "(?P<quoted>(?:[^"\\\n]|\\.)*)"
    | (?P<reference>\$\{[^}\n]*\})
    | (?P<sign>\+=|[{}\[\],:=])
    | (?P<number>[0-9-][0-9eE+\-.]*)
    | (?P<word>(?:(?!//)[^\s$"{}\[\]:=,+\#`^?!@*&\\\ufeff])+)''',
    re.VERBOSE | re.DOTALL,
)
ESCAPE = re.compile(r"\\(?:u(.{0,4})|(.))", re.DOTALL)
ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
WORDS = {"true": True, "false": False, "null": None}
INTEGER = re.compile(r"-?(?:0[0-7]*|[1-9][0-9]*)\Z")
FLOAT = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?\Z")


class HoconError(ValueError):
    """A text that is no HOCON; says in which line."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"String: {line}: {message}")


class HoconToken(NamedTuple):
    """A token: its kind, what it says, how it is written, and its line."""

    kind: str
    value: object
    text: str
    line: int


def tokens_of(text: str) -> Iterator[HoconToken]:
    """Yield the tokens, `end` the last; comments are left out.

    Raises:
        HoconError: a character stands where none like it may.
    """
    place, line = 0, 1
    while place < len(text):
        match = TOKEN.match(text, place)
        if match is None:
            raise HoconError(line, f"Reserved character '{text[place]}' is not allowed here")
        kind = match.lastgroup or ""
        if kind != "comment":
            yield token(kind, match[kind], line)
        line += match[0].count("\n")
        place = match.end()
    yield HoconToken("end", None, "", line)


def token(kind: str, text: str, line: int) -> HoconToken:
    """Make a token of what was matched."""
    if kind == "quoted":
        text = ESCAPE.sub(lambda escape: unescaped(escape, line), text)
    if kind in ("quoted", "raw"):
        return HoconToken("text", text, text, line)
    if kind == "number":
        return HoconToken("plain", number(text, line), text, line)
    if kind == "word":
        return HoconToken("plain", WORDS.get(text, text), text, line)
    return HoconToken(text if kind == "sign" else kind, text, text, line)


def unescaped(match: re.Match[str], line: int) -> str:
    """Return the character of an escape in a quoted text."""
    digits, char = match.groups()
    if digits is None:
        if char not in ESCAPES:
            raise HoconError(line, f"backslash followed by '{char}'")
        return ESCAPES[char]
    if re.fullmatch("[0-9a-fA-F]{4}", digits) is None:
        raise HoconError(line, f"Malformed hex digits after \\u escape in string: '{digits}'")
    return chr(int(digits, 16))


def number(text: str, line: int) -> int | float | str:
    """Return the number that digits and signs are, whole if it can be; else they are a text."""
    if INTEGER.match(text):
        digits = text.lstrip("-")
        value = int(digits, 8 if digits[0] == "0" else 10)
        return -value if text[0] == "-" else value
    if FLOAT.match(text) and not text.lstrip("-").isdigit():
        found = float(text)
        if found in (float("inf"), float("-inf")):
            raise HoconError(line, "Infinity")
        return int(found) if found.is_integer() else found
    if "+" in text:
        raise HoconError(line, "Reserved character '+' is not allowed outside quotes")
    return text
