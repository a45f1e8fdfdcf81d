"""The state of a lexer: the text, the place in it, the tokens so far, and its errors."""

from __future__ import annotations

from typing import NoReturn

from analyzer.frontends.puppet.syntax.diagnostic import parse_error
from analyzer.frontends.puppet.syntax.lexing.tokens import Token

# Strings in strings: the lexer calls itself for each, and nobody writes ten.
MOST_NESTED = 150


class LexerState:
    """The state that the parts of the lexer share.

    `jump` is where the text of the line's heredocs ends; `epp_mode` is `text`, `epp` or `expr` in a
    template, else empty. Tokens from `mark` on belong to the string that is being read.
    """

    def __init__(self, text: str, file: str = "", *, tasks: bool = False) -> None:
        self.text = text
        self.file = file
        self.tasks = tasks
        self.pos = 0
        self.tokens: list[Token] = []
        self.mark = 0
        self.jump: int | None = None
        self.epp_mode = ""
        self.epp_open = False

    def error(self, code: str, offset: int | None = None, **arguments: str) -> NoReturn:
        """Raise the error of the text at an offset (here, if none is given)."""
        at = self.pos if offset is None else offset
        raise parse_error(code, self.text, at, self.file, **arguments)

    def followed_by(self) -> str:
        """Return the next characters, for messages."""
        if self.pos >= len(self.text):
            return "<eof>"
        rest = self.text[self.pos : self.pos + 5]
        return rest.replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r") + "..."
