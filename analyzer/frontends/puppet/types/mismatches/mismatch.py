"""Kinds of mismatches and their messages (TypeMismatchDescriber's Mismatch classes)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import ClassVar

from analyzer.frontends.puppet.types.assignable import assignable
from analyzer.frontends.puppet.types.generalize import generalize
from analyzer.frontends.puppet.types.model.aliases import TypeAliasType, resolved
from analyzer.frontends.puppet.types.model.base import ANY, AnyType, ContainingType, Type
from analyzer.frontends.puppet.types.model.builtin import TYPES
from analyzer.frontends.puppet.types.model.collections import (
    ArrayType,
    HashType,
    StructType,
    TupleType,
    size_range,
)
from analyzer.frontends.puppet.types.model.numbers import INTEGER, IntegerType
from analyzer.frontends.puppet.types.model.objects import OBJECT
from analyzer.frontends.puppet.types.model.strings import StringType
from analyzer.frontends.puppet.types.model.wrappers import OptionalType, VariantType, union
from analyzer.frontends.puppet.types.normalize import normalize
from analyzer.frontends.puppet.types.text import expanded

# Steps of a path: the kind, and what it names.
Step = tuple[str, str | int]
Path = tuple[Step, ...]
_STEPS = {
    "subject": "{}",
    "entry": "entry '{}'",
    "key": "key of entry '{}'",
    "parameter": "parameter '{}'",
    "return": "{}",
    "block": "{}",
    "index": "index {}",
    "variant": "variant {}",
}
RETURN: Step = ("return", "return")
BLOCK: Step = ("block", "block")


def article(text: str) -> str:
    """`a` or `an`, as Puppet's LabelProvider chooses."""
    letter = text[1:2] if text[:1] in "\"'" else text[:1]
    return "an" if letter.lower() in "aeiouy" else "a"


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A part that does not fit, at a path from the whole."""

    path: Path = ()

    @property
    def place(self) -> Path:
        """Return the path without the choices that led there."""
        return tuple(step for step in self.path if step[0] not in ("variant", "signature"))

    def same(self, other: Mismatch) -> bool:
        """Return whether another is the same; Puppet compares only those without details."""
        alike = type(self) is type(other) and self.place == other.place
        return alike and isinstance(self, UnexpectedBlock | MissingBlock)

    def without(self, index: int) -> Mismatch:
        """Return the same without a step of its path."""
        return replace(self, path=self.path[:index] + self.path[index + 1 :])

    def text(self) -> str:
        """Return Puppet's message, with a blank before it."""
        path = self.path
        start = ""
        if path and path[0][0] == "signature":
            start = f" {int(path[0][1]) + 1}."
            path = path[1:]
        shown = " ".join(_STEPS[kind].format(name) for kind, name in path)
        return f"{start}{' ' + shown if path else ''} {self.message()}"

    def message(self) -> str:
        """Return the message without its place."""
        raise NotImplementedError

    def merge(self, other: Mismatch) -> Mismatch:
        """Return both in one."""
        return self


@dataclass(frozen=True, slots=True)
class KeyMismatch(Mismatch):
    """A key or parameter that is missing or too many."""

    key: str = ""
    words: ClassVar[str] = ""

    def message(self) -> str:
        return self.words.format(self.key)


@dataclass(frozen=True, slots=True)
class MissingKey(KeyMismatch):
    """A key that a Struct requires."""

    words: ClassVar[str] = "expects a value for key '{}'"


@dataclass(frozen=True, slots=True)
class MissingParameter(KeyMismatch):
    """A parameter that is required."""

    words: ClassVar[str] = "expects a value for parameter '{}'"


@dataclass(frozen=True, slots=True)
class ExtraneousKey(KeyMismatch):
    """A key that a Struct does not have."""

    words: ClassVar[str] = "unrecognized key '{}'"


@dataclass(frozen=True, slots=True)
class InvalidParameter(KeyMismatch):
    """A parameter that is not declared."""

    words: ClassVar[str] = "has no parameter named '{}'"


@dataclass(frozen=True, slots=True)
class UnresolvedType(KeyMismatch):
    """A type that is not defined."""

    words: ClassVar[str] = "references an unresolved type '{}'"


@dataclass(frozen=True, slots=True)
class UnexpectedBlock(Mismatch):
    """A block for a function that takes none."""

    def message(self) -> str:
        return "does not expect a block"


@dataclass(frozen=True, slots=True)
class MissingBlock(Mismatch):
    """No block for a function that needs one."""

    def message(self) -> str:
        return "expects a block"


@dataclass(frozen=True, slots=True)
class SizeMismatch(Mismatch):
    """Too many or too few elements."""

    expected: IntegerType = INTEGER
    actual: IntegerType = INTEGER

    def merge(self, other: Mismatch) -> Mismatch:
        assert isinstance(other, SizeMismatch)
        low = min(self.expected.low or 0, other.expected.low or 0)
        return replace(
            self,
            expected=size_range(low, max(self.expected.limits[1], other.expected.limits[1])),
        )

    def message(self) -> str:
        return f"expects size to be {_range(self.expected, '0')}, got {_range(self.actual, '0')}"


@dataclass(frozen=True, slots=True)
class CountMismatch(SizeMismatch):
    """Too many or too few arguments."""

    def message(self) -> str:
        low, high = self.expected.low or 0, self.expected.limits[1]
        one = (low == 1 and high in (1, inf)) or (low == 0 and high == 1)
        expected, actual = _range(self.expected, "no"), _range(self.actual, "none")
        return f"expects {expected} argument{'' if one else 's'}, got {actual}"


def _range(found: IntegerType, zero: str) -> str:
    low, high = found.low or 0, found.limits[1]
    if low == high:
        return str(low) if low else zero
    if low == 0:
        return "unlimited" if high == inf else f"at most {high}"
    return f"at least {low}" if high == inf else f"between {low} and {high}"


@dataclass(frozen=True, slots=True)
class TypeMismatch(Mismatch):
    """A value of another type."""

    expected: Type = ANY
    actual: Type = ANY

    def merge(self, other: Mismatch) -> Mismatch:
        assert isinstance(other, TypeMismatch)
        return type_mismatch(self.path, union((self.expected, other.expected)), self.actual)

    def message(self) -> str:
        expected, optional = self.expected, False
        if isinstance(expected, OptionalType) and expected.type is not None:
            expected, optional = expected.type, True
        choice = isinstance(expected, VariantType)
        types = expected.types if isinstance(expected, VariantType) else (expected,)
        if _detailed(types, self.actual):
            actual = _detailed_actual(types, self.actual)
            names = [expanded(each) for each in types]
        else:
            names = list(dict.fromkeys(short_name(each) for each in types))
            actual = short_name(self.actual)
        if optional:
            names.insert(0, "Undef")
        if len(names) > 1 or (choice and not names):
            return f"expects a value of type {alternatives(names)}, got {actual}"
        return f"expects {article(names[0])} {names[0]} value, got {actual}"


def alternatives(names: Sequence[str]) -> str:
    """`a or b`, `a, b, or c`."""
    if len(names) < 3:
        return " or ".join(names)
    return f"{', '.join(names[:-1])}, or {names[-1]}"


@dataclass(frozen=True, slots=True)
class PatternMismatch(TypeMismatch):
    """A string that is none of an Enum or matches no Pattern."""

    def merge(self, other: Mismatch) -> Mismatch:
        assert isinstance(other, TypeMismatch)
        expected = normalize(union((self.expected, other.expected)))
        return PatternMismatch(self.path, expected, self.actual)

    def message(self) -> str:
        expected, start = self.expected, ""
        if isinstance(expected, OptionalType) and expected.type is not None:
            expected, start = expected.type, "an undef value or "
        actual = self.actual
        value = actual.value if isinstance(actual, StringType) else None
        shown = short_name(actual) if value is None else f"'{value}'"
        return f"expects {start}a match for {expanded(expected)}, got {shown}"


def type_mismatch(path: Path, expected: Type, actual: Type) -> TypeMismatch:
    """Return a mismatch of two types in their shortest form."""
    return TypeMismatch(path, normalize(expected), normalize(actual))


def pattern_mismatch(path: Path, expected: Type, actual: Type) -> TypeMismatch:
    """Return a mismatch of a string in the shortest form."""
    return PatternMismatch(path, normalize(expected), normalize(actual))


def short_name(found: Type) -> str:
    """Return the name of a type, and of the one it contains."""
    inner = found.type if isinstance(found, ContainingType) else None
    if inner is not None and type(inner) is not AnyType:
        # An Object without a name has none here.
        return f"{found.name}[{'' if inner == OBJECT else inner.name}]"
    return found.name


def _special(expected: Type, actual: Type) -> bool:
    if isinstance(expected, StructType):
        return isinstance(actual, HashType)
    return isinstance(expected, TupleType) and isinstance(actual, ArrayType)


def _same_kind(expected: Type, actual: Type) -> bool:
    return (
        type(expected) is type(actual)
        or isinstance(expected, TypeAliasType)
        or isinstance(actual, TypeAliasType)
        or _special(expected, actual)
    )


def _fits_any_of_its_kind(expected: Type, actual: Type) -> bool:
    found = resolved(expected)
    kind = TYPES.get(found.simple_name.lower())
    return kind is not None and assignable(kind, actual)


def _detailed(types: Sequence[Type], actual: Type) -> bool:
    return any(_same_kind(each, actual) for each in types) or any(
        _fits_any_of_its_kind(each, actual) for each in types
    )


def _detailed_actual(types: Sequence[Type], actual: Type) -> str:
    found = [resolved(each) for each in types]
    if any(_same_kind(each, actual) for each in found):
        return expanded(actual)
    general = generalize(actual)
    fits = any(assignable(each, general) for each in found)
    return expanded(actual) if fits else actual.simple_name
