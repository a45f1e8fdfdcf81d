"""String, Enum, Regexp and Pattern."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from analyzer.frontends.puppet.regex.translate import compiled
from analyzer.frontends.puppet.types.model.base import Guard, Type
from analyzer.frontends.puppet.types.model.numbers import ANY_SIZE, NOT_EMPTY, IntegerType, within
from analyzer.model.values import Regexp

_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def fold(text: str) -> str:
    """A string as comparison without case sees it: only ASCII letters are folded."""
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

    def instance(self, value: Any) -> bool:
        if type(value) is not str:
            return False
        if self.size is not None:
            return self.size.instance(len(value))
        return self.value is None or self.value == value

    def accepts(self, other: Type, guard: Guard | None) -> bool:
        if self.size is not None:
            sizes = sizes_of(other)
            return sizes is not None and within(sizes, self.size.limits)
        if isinstance(other, StringType):
            return self.value is None or (other.size is None and self.value == other.value)
        if isinstance(other, EnumType):
            # Puppet takes any Enum of one value here.
            return self.value is None or (len(other.values) == 1 and not other.any_case)
        return isinstance(other, PatternType) and self.value is None

    def generalize(self) -> Type:
        return STRING

    def iterable(self) -> bool:
        return True

    def iterated(self) -> Type | None:
        return _CHARACTER


def sizes_of(other: Type) -> tuple[float, float] | None:
    """The least and greatest length of the strings of a type; None if it has no strings."""
    if isinstance(other, StringType):
        if other.size is not None:
            return other.size.limits
        length = None if other.value is None else len(other.value)
        return ANY_SIZE.limits if length is None else (length, length)
    if isinstance(other, EnumType) and other.values:
        lengths = [len(value) for value in other.values]
        return min(lengths), max(lengths)
    return ANY_SIZE.limits if isinstance(other, EnumType | PatternType) else None


@dataclass(frozen=True, slots=True)
class EnumType(Type):
    """`Enum[values]`; in any case of ASCII letters if so."""

    values: tuple[str, ...] = ()
    any_case: bool = False

    simple_name: ClassVar[str] = "Enum"

    def __post_init__(self) -> None:
        in_order = sorted(set(self.values), key=lambda value: value.encode("utf-8", "replace"))
        object.__setattr__(self, "values", tuple(in_order))

    def instance(self, value: Any) -> bool:
        if type(value) is not str:
            return False
        if self.any_case:
            folded = fold(value)
            return any(fold(each) == folded for each in self.values)
        return value in self.values

    def accepts(self, other: Type, guard: Guard | None) -> bool:
        if self == other:
            return True
        if not self.values and isinstance(other, StringType | EnumType | PatternType):
            return True
        if isinstance(other, StringType):
            return self.instance(other.value)
        if not isinstance(other, EnumType) or not other.values:
            return False
        return (self.any_case or not other.any_case) and all(map(self.instance, other.values))

    def generalize(self) -> Type:
        if not self.values:
            return STRING
        lengths = [len(value) for value in self.values]
        return StringType(IntegerType(min(lengths), max(lengths)))

    def iterable(self) -> bool:
        return True

    def iterated(self) -> Type | None:
        return _CHARACTER


@dataclass(frozen=True, slots=True)
class RegexpType(Type):
    """`Regexp[/pattern/]`; None stands for any."""

    pattern: str | None = None

    simple_name: ClassVar[str] = "Regexp"

    def instance(self, value: Any) -> bool:
        return isinstance(value, Regexp) and (self.pattern is None or self.pattern == value.source)

    def accepts(self, other: Type, guard: Guard | None) -> bool:
        return isinstance(other, RegexpType) and (
            self.pattern is None or self.pattern == other.pattern
        )


@dataclass(frozen=True, slots=True)
class PatternType(Type):
    """`Pattern[/pattern/, ...]`: strings that one of them is found in."""

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

    def instance(self, value: Any) -> bool:
        if type(value) is not str:
            return False
        return not self.patterns or any(compiled(each).search(value) for each in self.patterns)

    def accepts(self, other: Type, guard: Guard | None) -> bool:
        if self == other:
            return True
        if isinstance(other, StringType):
            return not self.patterns if other.value is None else self.instance(other.value)
        if isinstance(other, EnumType):
            return all(map(self.instance, other.values)) if other.values else not self.patterns
        return isinstance(other, PatternType) and not self.patterns


STRING = StringType()
NON_EMPTY_STRING = StringType(NOT_EMPTY)
_CHARACTER = StringType(IntegerType(1, 1))
ENUM = EnumType()
REGEXP = RegexpType()
PATTERN = PatternType()
