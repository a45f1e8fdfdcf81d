"""Reads HOCON as Ruby's gem hocon does: merged objects, concatenations and substitutions."""

from __future__ import annotations

from analyzer.formats.hocon_tokens import HoconError, HoconToken, tokens_of
from analyzer.formats.hocon_values import (
    Concatenation,
    HoconObject,
    HoconReference,
    HoconText,
    Resolver,
)
from analyzer.model.values import Value

CLOSING = {"{": "}", "[": "]"}


def parse(text: str, path: str = "") -> dict[str, object]:
    """Return the data of a HOCON text; what an environment variable may give is Unknown.

    Raises:
        HoconError: it is no HOCON, or a substitution has no target.
        Included: it takes in other files.
    """
    root = HoconParser(text).document()
    return Resolver(root, path).plain()


class Included(Exception):
    """A text that takes in a file, which is on the server."""


class HoconParser:
    """Goes through the tokens of a text once."""

    def __init__(self, text: str) -> None:
        self.tokens = list(tokens_of(text))
        self.at = 0
        # The names of the fields around this place, None inside of a list.
        self.above: tuple[str, ...] | None = ()

    @property
    def next(self) -> HoconToken:
        """Return the token at this place."""
        return self.tokens[self.at]

    def take(self) -> HoconToken:
        """Go over a token."""
        self.at += 1
        return self.tokens[self.at - 1]

    def skip(self, *kinds: str) -> bool:
        """Skip tokens of some kinds; return whether there was a line end among them."""
        start = self.at
        while self.next.kind in kinds:
            self.at += 1
        return any(token.kind == "newline" for token in self.tokens[start : self.at])

    def unexpected(self, expected: str) -> HoconError:
        """Return the error of the token at this place."""
        found = "end of file" if self.next.kind == "end" else f"'{self.next.text}'"
        return HoconError(self.next.line, f"Expecting {expected}, got {found}")

    def document(self) -> HoconObject:
        """Return the object of the whole text; its braces may be left out."""
        self.skip("space", "newline")
        if self.next.kind == "[":
            raise HoconError(self.next.line, " has type LIST rather than object at file root")
        if self.next.kind == "{":
            found = self.object()
            self.skip("space", "newline")
        else:
            found = self.fields("end")
        if self.next.kind != "end":
            raise self.unexpected("end of file")
        return found

    def object(self) -> HoconObject:
        """Return the object at this place."""
        self.take()
        found = self.fields("}")
        self.take()
        return found

    def fields(self, closing: str) -> HoconObject:
        """Return the fields up to what closes an object."""
        found = HoconObject()
        self.skip("space", "newline")
        while self.next.kind != closing:
            self.field(found)
            self.separate(closing, "close brace } or a comma")
        return found

    def separate(self, closing: str, expected: str) -> None:
        """Go over what stands between two fields or elements: lines' ends, at most one comma."""
        ended = self.skip("space", "newline")
        if self.next.kind == ",":
            self.take()
            self.skip("space", "newline")
        elif not ended and self.next.kind != closing:
            raise self.unexpected(expected)

    def field(self, into: HoconObject) -> None:
        """Read one field into an object."""
        if self.next.text == "include" and self.is_include():
            return
        names = self.path()
        self.skip("space", "newline")
        kind = self.next.kind
        if kind not in ("{", ":", "=", "+="):
            raise self.unexpected("a field's value after its name")
        if kind != "{":
            self.take()
            self.skip("space", "newline")
        around = self.above
        self.above = None if around is None else (*around, *names)
        value = self.value()
        if kind == "+=":
            if self.above is None:
                raise HoconError(self.next.line, "+= does not work nested inside a list")
            value = Concatenation((HoconReference(self.above, True), [value]))
        self.above = around
        for name in reversed(names[1:]):
            above = HoconObject()
            above.put(name, value)
            value = above
        into.put(names[0], value)

    def is_include(self) -> bool:
        """Go over an include: a text has no place, so that there is nothing to include."""
        start = self.at
        self.take()
        self.skip("space")
        if self.next.kind == "text":
            self.take()
            return True
        if self.next.text.startswith(("file(", "url(", "classpath(")):
            raise Included
        self.at = start
        return False

    def path(self) -> list[str]:
        """Return the names of a field: parts between dots, quoted ones as they are."""
        start = self.at
        while self.next.kind in ("text", "plain", "space"):
            self.at += 1
        found = names_of(self.tokens[start : self.at])
        if found is None:
            raise self.unexpected("a field name")
        return found

    def value(self) -> Value:
        """Return the value at this place; several parts in a row are one."""
        parts: list[object] = []
        while self.next.kind in ("text", "plain", "space", "reference", "{", "["):
            parts.append(self.part())
        while parts and type(parts[-1]) is HoconText and parts[-1].blank:
            parts.pop()
        if not parts:
            raise self.unexpected("a value")
        if len(parts) > 1:
            return Concatenation(tuple(parts))
        return parts[0].value if type(parts[0]) is HoconText else parts[0]

    def part(self) -> Value:
        """Return one part of a value."""
        token = self.next
        if token.kind == "{":
            return self.object()
        if token.kind == "[":
            return self.list()
        self.take()
        if token.kind == "reference":
            return reference(token)
        return HoconText(token.value, token.text, token.kind == "space")

    def list(self) -> list[Value]:
        """Return the list at this place."""
        self.take()
        around, self.above = self.above, None
        found: list[object] = []
        self.skip("space", "newline")
        while self.next.kind != "]":
            found.append(self.value())
            self.separate("]", "a comma or the end of a list")
        self.take()
        self.above = around
        return found


def reference(token: HoconToken) -> HoconReference:
    """Return the substitution of `${path}` or `${?path}`."""
    inner = token.text[2:-1]
    optional = inner.startswith("?")
    names = names_of([*tokens_of(inner.removeprefix("?"))][:-1])
    if names is None:
        raise HoconError(token.line, f"Invalid path in {token.text}")
    return HoconReference(tuple(names), optional)


def names_of(tokens: list[HoconToken]) -> list[str] | None:
    """Return the names of a path without the space around it, None if a part is missing."""
    while tokens and tokens[-1].kind == "space":
        tokens = tokens[:-1]
    names = [""]
    filled = False
    for token in tokens:
        if token.kind not in ("text", "plain", "space"):
            return None
        first, *rest = token.text.split(".") if token.kind == "plain" else [token.text]
        names[-1] += first
        filled = filled or token.kind == "text" or bool(first)
        for part in rest:
            if not filled:
                return None
            names.append(part)
            filled = bool(part)
    return names if filled else None
