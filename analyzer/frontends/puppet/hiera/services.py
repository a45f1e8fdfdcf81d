"""What the compiler does for lookups: types, functions, warnings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from analyzer.frontends.puppet.hiera.hierarchy.levels import Function
from analyzer.frontends.puppet.hiera.sources.files import Warn


class Types(Protocol):
    """What a lookup needs of the type system; faults are HieraErrors."""

    def parse(self, text: str) -> Any:
        """The type that a text names."""

    def new(self, kind: Any, value: Any, arguments: list[Any]) -> Any:
        """`new(TYPE, VALUE, ARGUMENTS...)`."""

    def check(self, subject: str, kind: Any, value: Any) -> Any:
        """The value if it is of the type; else `SUBJECT has wrong type, ...`."""


@dataclass(frozen=True, slots=True)
class Services:
    """What the compiler does for lookups; without it the values are Unknown.

    `functions` runs custom data functions: kind (`data_hash`, ...), name, arguments before the
    context, and it; NotFound is their `not_found`. `warn` is told each warning once.
    """

    types: Types | None = None
    functions: Function | None = None
    warn: Warn | None = None
