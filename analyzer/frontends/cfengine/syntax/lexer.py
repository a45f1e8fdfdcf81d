"""Splits a policy into tokens as flex does: the longest match wins (cf3lex.l)."""

from __future__ import annotations

import re
from typing import NamedTuple

from analyzer.frontends.cfengine.syntax.macros import Macros
from analyzer.frontends.cfengine.syntax.problems import Stop

END = "$END"


class Token(NamedTuple):
    """A token: its name in the grammar, its text, its start, and CFEngine's line at its end."""

    kind: str
    text: str
    offset: int
    line: int


# Letters of names: CFEngine reads bytes, and every byte above ASCII is one.
W = "a-zA-Z0-9_\\x80-\\U0010ffff"
MASTER = re.compile(
    rf"""(?P<space>[ \t]+)
    |(?P<newline>\n|\r\n)
    |(?P<comment>\#[^\n]*)
    |(?P<guard>[.|&!(){W}:][\t\ .|&!(){W}:]*::)
    |(?P<name>[{W}]+:[{W}]+)
    |(?P<type>[a-zA-Z_]+:)
    |(?P<word>[{W}]+)
    |(?P<farrow>=>)
    |(?P<arrow>->)
    |(?P<string>"(?:\\[\s\S]|[^"\\])*"|'(?:\\[\s\S]|[^'\\])*'|`[^`]*`)
    |(?P<var>[$@]\([{W}.:]+\[[{W}$(){{}}.:]+\]+\)|[$@]\{{[{W}.:]+\[[{W}$(){{}}.:]+\]+\}}
            |[$@]\([{W}\[\].:]+\)|[$@]\{{[{W}\[\].:]+\}})
    |(?P<macro>@(?:if\ |else|endif))
    |(?P<other>[\s\S])""",
    re.VERBOSE,
)
# A guard in quotes, which may span lines and holds no escapes.
QUOTED_GUARD = re.compile(r"(?:\"[^\"\0]*\"|'[^'\0]*')::")
BLANK_BETWEEN_NAMES = re.compile(r"[_A-Za-z0-9][ \t]+[_A-Za-z0-9]")
KEYWORDS = {"bundle": "BUNDLE", "body": "BODY", "promise": "PROMISE"}
PUNCTUATION = {
    "(": "LPAREN",
    ")": "RPAREN",
    "{": "LBRACE",
    "}": "RBRACE",
    ",": "COMMA",
    ";": "SEMIC",
}
PLAIN = {"name": "NAME", "type": "TYPE", "farrow": "FARROW", "arrow": "ARROW", "var": "VAR"}
LONGEST_NAME = 1023


class Lexer:
    """Reads the tokens of one file; `problems` gets (message, offset, line) rows.

    After the last token there is `$END`; a mistake in a macro ends the tokens there.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[Token] = []
        self.problems: list[tuple[str, int, int]] = []
        self.line = 1
        self.macros = Macros(text)

    def run(self) -> list[Token]:
        """Return all tokens."""
        try:
            end = self.scan()
            if self.macros.open:
                self.note(self.macros.unclosed(), end)
        except Stop as stop:
            self.note(stop.message, stop.offset)
            end = stop.offset
        self.tokens.append(Token(END, "", end, self.line))
        return self.tokens

    def note(self, message: str, offset: int) -> None:
        """Record a problem at a place."""
        self.problems.append((message, offset, self.line))

    def scan(self) -> int:
        """Read the text to its end."""
        text, append, match = self.text, self.tokens.append, MASTER.match
        position, size = 0, len(self.text)
        while position < size:
            found = match(text, position)
            assert found is not None
            kind = found.lastgroup
            end = found.end()
            if kind in ("space", "comment"):
                pass
            elif kind == "newline":
                # A carriage return before it makes CFEngine count the line twice.
                self.line += end - position
            elif kind == "word":
                word = found.group()
                append(Token(KEYWORDS.get(word, "NAME"), word, position, self.line))
                if end - position > LONGEST_NAME:
                    self.note("identifier too long", position)
            elif kind in PLAIN:
                append(Token(PLAIN[kind], found.group(), position, self.line))
            elif kind == "string":
                end = self.string(position, end)
            elif kind == "guard":
                self.guard(found.group(), position)
            elif kind == "macro":
                end = self.macros.read(position)
                end = self.other(position) if end == position else end
            else:
                end = self.other(position)
            position = end
        return position

    def other(self, position: int) -> int:
        """Read a character that begins none of the longer tokens, or a guard in an open quote."""
        quoted = QUOTED_GUARD.match(self.text, position)
        if quoted:
            return self.quoted_guard(position, quoted.end())
        char = self.text[position]
        self.tokens.append(Token(PUNCTUATION.get(char, "OTHER"), char, position, self.line))
        return position + 1

    def guard(self, text: str, position: int) -> None:
        """Read a class expression with its colons."""
        if BLANK_BETWEEN_NAMES.search(text):
            message = "class names can't be separated by whitespace without an intervening operator"
            self.note(message, position)
        self.tokens.append(Token("GUARD", text[:-2], position, self.line))

    def quoted_guard(self, position: int, end: int) -> int:
        """Read a guard in quotes; CFEngine does not count the lines in it."""
        self.tokens.append(Token("GUARD", self.text[position : end - 2], position, self.line))
        return end

    def string(self, position: int, end: int) -> int:
        """Read a string, or a guard in quotes where that is longer."""
        quoted = QUOTED_GUARD.match(self.text, position)
        if quoted and quoted.end() > end:
            return self.quoted_guard(position, quoted.end())
        raw = self.text[position:end]
        self.line += raw.count("\n")
        value, length = unescaped(raw)
        if length < 0:
            self.note("Runaway string", position)
        self.tokens.append(Token("STRING", value, position, self.line))
        return end if length < 0 else position + length


def unescaped(raw: str) -> tuple[str, int]:
    r"""Return the value of a string and the length of its source; -1 if it has no end.

    A backslash is dropped before itself and before quotes. Before a line end both are dropped and
    the next character is taken as it is, be it a quote.
    """
    if "\\" not in raw:
        return raw[1:-1], len(raw)
    parts: list[str] = []
    quote, position, size = raw[0], 1, len(raw)
    while position < size:
        char = raw[position]
        if char == quote:
            return "".join(parts), min(position + 2, size) if position + 1 < size else size
        if char == "\\":
            following = raw[position + 1 : position + 2]
            if following == "\n":
                position += 2
            elif following and following in "\\\"'":
                position += 1
            char = raw[position : position + 1]
        parts.append(char)
        position += 1
    return "".join(parts), -1
