"""Puppet's values that Python has no word for.

The others are Python's: undef is None; strings, integers, floats, booleans, arrays and hashes are
str, int, float, bool, list and dict. Types are values too (analyzer.frontends.puppet.types).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from analyzer.source import Span


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
    arguments: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Unknown:
    """A value that cannot be computed here: why, and where it arose.

    It travels through strings, arrays and hashes, and is reported where it decides something.
    """

    reason: str
    span: Span | None = None
