"""The tokens of a Ruby program one after the other, and the literals among them."""

from __future__ import annotations

import re
from typing import Any

from analyzer.frontends.puppet.ruby_types.tokens import Lexeme, Unreadable

Tree = tuple[Any, ...]

# What a backslash may stand before in a text in double quotes, so that it is read exactly.
_STRANGE = re.compile(r"\\(?![ntsre\\\n\W]|0(?!\d))")


class Stream:
    """Goes through the tokens of a program; `names` are the local variables so far."""

    def __init__(self, text: str, tokens: list[Lexeme], names: set[str]) -> None:
        self.text, self.tokens, self.names = text, tokens, names
        self.at = 0
        # Above 0, a `do` belongs to something further out.
        self.no_do = 0

    # ---- tokens

    @property
    def token(self) -> Lexeme | None:
        """Return the next token, None at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def ahead(self, count: int = 1) -> Lexeme | None:
        """Return a token after the next one."""
        return self.tokens[self.at + count] if self.at + count < len(self.tokens) else None

    def sees(self, kind: str, *values: str) -> bool:
        """Return whether the next token is of a kind, and one of these if any are named."""
        token = self.token
        return token is not None and token.kind == kind and (not values or token.value in values)

    def take(self, kind: str, *values: str) -> Lexeme | None:
        """Return the next token and go on, None if it is another."""
        token = self.token
        if not self.sees(kind, *values):
            return None
        self.at += 1
        return token

    def need(self, kind: str, *values: str) -> Lexeme:
        """Return the next token.

        Raises:
            Unreadable: it is another.
        """
        token = self.take(kind, *values)
        if token is None:
            raise Unreadable(f"{' '.join(values) or kind} is missing before {self.token}")
        return token

    def skip_lines(self) -> None:
        """Skip the ends of lines."""
        while self.take("nl"):
            pass

    def body(self, *ends: str) -> Tree:
        """Read statements up to one of these keywords or brackets."""
        raise NotImplementedError

    # ---- literals

    def string(self, token: Lexeme) -> Tree:
        """Read a text, and those that follow it immediately."""
        parts = [self.text_parts(token)]
        while (following := self.take("str")) is not None:
            parts.append(self.text_parts(following))
        return parts[0] if len(parts) == 1 else ("text", parts)

    def text_parts(self, token: Lexeme) -> Tree:
        """Read one text.

        Raises:
            Unreadable: it has an escape or is of a kind whose value is not certain.
        """
        opening = self.text[token.at]
        if opening == "<":
            return ("unreadable", "a heredoc")
        if opening in "?`" or self.text[token.at : token.at + 2] == "%x":
            raise Unreadable("a command or a character")
        if opening != "'" and self.text[token.at : token.at + 2] != "%q":
            following = self.tokens[self.at].at if self.at < len(self.tokens) else None
            if _STRANGE.search(self.text[token.at : following]):
                raise Unreadable("an escape")
        if isinstance(token.value, str):
            return ("string", token.value)
        return ("text", self.interpolated(token.value))

    def interpolated(self, parts: list[Any]) -> list[Tree]:
        """Read the parts of a text with code in it."""
        found: list[Tree] = []
        for part in parts:
            if isinstance(part, str):
                found.append(("string", part))
                continue
            inner = type(self)(self.text, part, self.names)
            found.append(inner.body())
            if inner.token is not None:
                raise Unreadable("code in a text")
        return found

    def regex(self, token: Lexeme) -> Tree:
        """Read a regular expression."""
        parts, options = token.value
        return ("regex", self.interpolated(parts), options)

    def listed_words(self, token: Lexeme) -> Tree:
        """Read `%w[a b]` and `%i[a b]`."""
        if token.value is None or "\\" in "".join(token.value):
            raise Unreadable("words with code or escapes")
        kind = "symbol" if self.text[token.at + 1] in "iI" else "string"
        return ("array", [(kind, one) for one in token.value])

    def symbol(self, token: Lexeme) -> Tree:
        """Read `:name`."""
        if not isinstance(token.value, str):
            raise Unreadable("code in a symbol")
        return ("symbol", token.value)

    def number(self, token: Lexeme) -> Tree:
        """Read a number."""
        text = token.value.replace("_", "")
        if re.fullmatch(r"[1-9]\d*|0", text):
            return ("number", int(text))
        if re.fullmatch(r"0[xX][\da-fA-F]+|0[bB][01]+|0[oO][0-7]+", text):
            return ("number", int(text, 0))
        if re.fullmatch(r"0[0-7]+", text):
            return ("number", int(text, 8))
        if re.fullmatch(r"\d+\.\d+(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+", text):
            return ("number", float(text))
        raise Unreadable("a number")

    def variable(self, token: Lexeme) -> Tree:
        """Read `@x` and `$1`."""
        if re.fullmatch(r"@\w+", token.value):
            return ("instance", token.value)
        if re.fullmatch(r"\$[1-9]|\$~", token.value):
            return ("matched", token.value[1:])
        raise Unreadable(f"the variable {token.value}")
