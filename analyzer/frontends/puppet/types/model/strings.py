"""String, Enum, Regexp and Pattern."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from analyzer.frontends.puppet.types.model.base import Type
from analyzer.frontends.puppet.types.model.numbers import NOT_EMPTY, IntegerType

_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def fold(text: str) -> str:
    """Return a string for comparison without case: only ASCII letters are folded."""
    return text.lower() if text.isascii() else text.translate(_LOWER)


@dataclass(frozen=True, slots=True)
class StringType(Type):
    """`String[size]`, or the type of one string."""

    size: IntegerType | None = None
    value: str | None = None

    simple_name: ClassVar[str] = "String"

    def __post_init__(self) -> None:
        if self.size is not None:
            object.__setattr__(self, "size", self.size.as_size())


@dataclass(frozen=True, slots=True)
class EnumType(Type):
    """`Enum[values]`; `any_case` ignores the case of ASCII letters."""

    values: tuple[str, ...] = ()
    any_case: bool = False

    simple_name: ClassVar[str] = "Enum"

    def __post_init__(self) -> None:
        in_order = sorted(set(self.values), key=lambda value: value.encode("utf-8", "replace"))
        object.__setattr__(self, "values", tuple(in_order))


@dataclass(frozen=True, slots=True)
class RegexpType(Type):
    """`Regexp[/pattern/]`; None stands for any."""

    pattern: str | None = None

    simple_name: ClassVar[str] = "Regexp"


@dataclass(frozen=True, slots=True)
class PatternType(Type):
    """`Pattern[/pattern/, ...]`: strings that match one of the patterns."""

    patterns: tuple[str, ...] = ()

    simple_name: ClassVar[str] = "Pattern"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, PatternType)
            and len(self.patterns) == len(other.patterns)
            and set(self.patterns) == set(other.patterns)
        )

    def __hash__(self) -> int:
        return hash(frozenset(self.patterns))


STRING = StringType()
NON_EMPTY_STRING = StringType(NOT_EMPTY)
ENUM = EnumType()
REGEXP = RegexpType()
PATTERN = PatternType()
