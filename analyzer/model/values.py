"""Puppet's values that Python lacks.

The others are Python's: undef is None; strings, integers, floats, booleans, arrays and hashes are
str, int, float, bool, list and dict. Types are values too (analyzer.frontends.puppet.types).
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from analyzer.source import Span

# Any value of the Puppet language. Check it with isinstance before you use it.
Value: TypeAlias = object


class Default:
    """The type of `default`; there is one value, DEFAULT."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "default"


DEFAULT: Final = Default()


@dataclass(frozen=True, slots=True)
class Regexp:
    """A regular expression, as the text between its slashes (Ruby's syntax)."""

    source: str


@dataclass(frozen=True, slots=True)
class Sensitive:
    """A value that must not be shown."""

    value: Any

    def __repr__(self) -> str:
        return "Sensitive [value redacted]"


@dataclass(frozen=True, slots=True)
class Deferred:
    """A call that the agent makes: a function's name, or `$variable`, and its arguments."""

    name: str
    arguments: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class Unknown:
    """A value that cannot be computed here, with the reason and its origin.

    It propagates through strings, arrays and hashes, and is reported where a decision depends on
    it. `is_text` is true if it is certainly a string.
    """

    reason: str
    span: Span | None = None
    is_text: bool = False

    def as_any(self) -> Unknown:
        """Return an Unknown for a value of any kind that is computed from it."""
        return Unknown(self.reason, self.span) if self.is_text else self

    def as_text(self) -> Unknown:
        """Return an Unknown for a text that contains it."""
        return self if self.is_text else Unknown(self.reason, self.span, is_text=True)

    def __str__(self) -> str:
        return f"(not known: {self.reason})"


@dataclass(frozen=True, slots=True)
class Binary:
    """Bytes that are not a text."""

    data: bytes

    def __str__(self) -> str:
        return b64encode(self.data).decode()


@dataclass(frozen=True, slots=True)
class Uri:
    """A URI by its parts, and as it was written."""

    text: str
    scheme: str | None = None
    userinfo: str | None = None
    host: str | None = None
    port: int | None = None
    path: str | None = None
    query: str | None = None
    fragment: str | None = None
    opaque: str | None = None

    def __str__(self) -> str:
        return self.text


def flat(values: Iterable[object]) -> list[Any]:
    """Return values with all nested lists flattened."""
    found: list[Any] = []
    for value in values:
        if isinstance(value, list):
            found += flat(value)
        else:
            found.append(value)
    return found
