"""What goes wrong with types, as Puppet tells errors apart."""

from __future__ import annotations

from typing import Any


class TypeProblem(ValueError):
    """Any error of this package; its text is Puppet's message."""


class InvalidType(TypeProblem):
    """A text or an expression that is no type."""


class AccessProblem(TypeProblem):
    """Brackets behind a type that cannot take what is in them.

    `code` is Puppet's issue code; `key` the index of the key to blame, None for all of it.
    """

    def __init__(self, code: str, message: str, key: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.key = key


class Mismatch(TypeProblem):
    """A value that is not of the type that is asked for."""

    def __init__(self, message: str, expected: Any = None, actual: Any = None) -> None:
        super().__init__(message)
        self.expected = expected
        self.actual = actual


class ConversionProblem(TypeProblem):
    """A value that a type's `new` makes nothing of."""
