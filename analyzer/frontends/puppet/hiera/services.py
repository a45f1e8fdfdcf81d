"""Services of the compiler that lookups use: types, functions, warnings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from analyzer.frontends.puppet.hiera.hierarchy.levels import Function
from analyzer.frontends.puppet.hiera.sources.files import Warn
from analyzer.model.values import Value


class TypeServices(Protocol):
    """The type system, as far as lookups use it; its errors are HieraErrors."""

    def parse(self, text: str) -> Value:
        """Return the type that a text names."""

    def new(self, kind: object, value: object, arguments: list[object]) -> Value:
        """Return `new(TYPE, VALUE, ARGUMENTS...)`."""

    def check(self, subject: str, kind: object, value: object) -> Any:
        """Return the value if it is of the type; else `SUBJECT has wrong type, ...`."""


@dataclass(frozen=True, slots=True)
class Services:
    """Services of the compiler; without one the values that need it are Unknown.

    `functions` runs custom data functions: kind (`data_hash`, ...), name, arguments before the
    context, and it; NotFound is their `not_found`. `warn` gets each warning once. Unless `strict`,
    a data function that is in no module may be of one that is not installed.
    """

    types: TypeServices | None = None
    functions: Function | None = None
    warn: Warn | None = None
    strict: bool = True
