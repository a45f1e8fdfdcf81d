"""The errors of the type system, by Puppet's kinds."""

from __future__ import annotations

from analyzer.model.values import Value


class TypeProblem(ValueError):
    """Any error of this package; its text is Puppet's message."""


class InvalidType(TypeProblem):
    """A text or an expression that is not a type."""


class AccessProblem(TypeProblem):
    """Brackets with keys that the type before them does not accept.

    `code` is Puppet's issue code; `key` the index of the key to blame, None for all of it.
    """

    def __init__(self, code: str, message: str, key: int | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.key = key


class MismatchProblem(TypeProblem):
    """A value that is not of the expected type."""

    def __init__(self, message: str, expected: Value = None, actual: Value = None) -> None:
        super().__init__(message)
        self.expected = expected
        self.actual = actual


class ConversionProblem(TypeProblem):
    """Arguments that a type's `new` cannot convert."""
