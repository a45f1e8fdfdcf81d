"""The few data types that Hiera itself asserts, and a mismatch in Puppet's words.

Of types/type_mismatch_describer.rb this is what configurations and merges need.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from analyzer.frontends.puppet.hiera.errors import PuppetFault
from analyzer.frontends.puppet.hiera.values.type_names import (
    article,
    inferred,
    is_struct,
    listed,
    type_name,
)
from analyzer.model.values import Unknown

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A mismatch at a path within a value; `expected` is the type it should have."""

    path: Path
    what: str
    expected: tuple[str, ...] = ()

    def __str__(self) -> str:
        return " ".join(("", *self.path, self.what)) if self.path else f" {self.what}"

    @property
    def place(self) -> Path:
        """Return the path, through any variant."""
        return tuple(step for step in self.path if not step.startswith("variant "))


def other_type(path: Path, expected: tuple[str, ...], value: object) -> Mismatch:
    """Return the mismatch of a value that is of none of the types."""
    names = list(dict.fromkeys(expected))
    wanted = f"{article(names[0])} value" if len(names) == 1 else f"a value of type {listed(names)}"
    return Mismatch(path, f"expects {wanted}, got {type_name(value)}", expected)


class Type:
    """A data type: `name` as it is called, `full` with its parameters."""

    name = "Any"
    full = "Any"

    def accepts(self, value: object) -> bool:
        """Return whether the value is of the type; Unknown is of every type."""
        return isinstance(value, Unknown) or self._has(value)

    def _has(self, value: object) -> bool:
        return True

    def mismatches(self, value: object, path: Path) -> list[Mismatch]:
        """Return why a value is not of the type."""
        return [other_type(path, (self.name,), value)]


@dataclass(frozen=True, slots=True)
class Text(Type):
    """`String`, or `String[1]`."""

    minimum: int = 0
    name: str = "String"

    @property
    def full(self) -> str:  # type: ignore[override]
        return f"String[{self.minimum}]" if self.minimum else "String"

    def _has(self, value: object) -> bool:
        return isinstance(value, str) and len(value) >= self.minimum

    def mismatches(self, value: object, path: Path) -> list[Mismatch]:
        shown = self.full if isinstance(value, str) else self.name
        return [other_type(path, (shown,), value)]


@dataclass(frozen=True, slots=True)
class Number(Type):
    """`Integer[n, n]`."""

    only: int
    name: str = "Integer"

    @property
    def full(self) -> str:  # type: ignore[override]
        return f"Integer[{self.only}, {self.only}]"

    def _has(self, value: object) -> bool:
        return isinstance(value, int) and not isinstance(value, bool) and value == self.only

    def mismatches(self, value: object, path: Path) -> list[Mismatch]:
        if not isinstance(value, int) or isinstance(value, bool):
            return Type.mismatches(self, value, path)
        return [Mismatch(path, f"expects an {self.full} value, got Integer[{value}, {value}]")]


@dataclass(frozen=True, slots=True)
class Words(Type):
    """`Enum` of the words, or `Pattern` of one expression."""

    words: tuple[str, ...] = ()
    pattern: str = ""

    @property
    def full(self) -> str:  # type: ignore[override]
        if self.pattern:
            return f"Pattern[/{self.pattern}/]"
        return "Enum[" + ", ".join(f"'{word}'" for word in self.words) + "]"

    def _has(self, value: object) -> bool:
        if not isinstance(value, str):
            return False
        return bool(re.search(self._python(), value)) if self.pattern else value in self.words

    def _python(self) -> str:
        return self.pattern.replace(r"\z", r"\Z")

    def mismatches(self, value: object, path: Path) -> list[Mismatch]:
        shown = f"'{value}'" if isinstance(value, str) else type_name(value)
        return [Mismatch(path, f"expects a match for {self.full}, got {shown}")]


@dataclass(frozen=True, slots=True)
class Data(Type):
    """Any value that JSON can hold."""

    name: str = "Data"
    full: str = "Data"

    def _has(self, value: object) -> bool:
        if isinstance(value, dict):
            return all(isinstance(k, str) and self.accepts(v) for k, v in value.items())
        if isinstance(value, list):
            return all(self.accepts(item) for item in value)
        return value is None or isinstance(value, str | int | float)

    def mismatches(self, value: object, path: Path) -> list[Mismatch]:
        variants = [ScalarData(), HashOf(Text(), self), Array(self)]
        found = of_variants(variants, value, path)
        return [other_type(path, (self.name,), value)] if len(found) == 1 else found


@dataclass(frozen=True, slots=True)
class ScalarData(Type):
    """Strings, numbers and booleans."""

    name: str = "ScalarData"
    full: str = "ScalarData"

    def _has(self, value: object) -> bool:
        return isinstance(value, str | int | float)


def of_variants(variants: Sequence[Type], value: object, path: Path) -> list[Mismatch]:
    """Return why a value is of none of the types: in one, if all are about the same place."""
    found = [
        mismatch
        for index, kind in enumerate(variants)
        for mismatch in kind.mismatches(value, (*path, f"variant {index}"))
    ]
    others = [mismatch for mismatch in found if mismatch.expected]
    if len(others) == len(variants) and len({mismatch.place for mismatch in others}) == 1:
        names = tuple(name for mismatch in others for name in mismatch.expected)
        return [other_type(path, names, value)]
    return found


@dataclass(frozen=True, slots=True)
class Boolean(Type):
    """`Boolean`."""

    name: str = "Boolean"
    full: str = "Boolean"

    def _has(self, value: object) -> bool:
        return isinstance(value, bool)


@dataclass(frozen=True, slots=True)
class Either(Type):
    """A `Variant` of types that differ at once; `name` is how they are listed."""

    types: tuple[Type, ...]
    undef: bool = False

    @property
    def full(self) -> str:  # type: ignore[override]
        return "Variant[" + ", ".join(kind.full for kind in self.types) + "]"

    def _has(self, value: object) -> bool:
        if self.undef and value is None:
            return True
        return any(kind.accepts(value) for kind in self.types)

    def mismatches(self, value: object, path: Path) -> list[Mismatch]:
        if self.undef:
            names = ("Undef", *(kind.name for kind in self.types))
            return [other_type(path, names, value)]
        return of_variants(self.types, value, path)


@dataclass(frozen=True, slots=True)
class Array(Type):
    """`Array` of a type, with a size."""

    element: Type
    minimum: int = 0
    maximum: int | None = None
    name: str = "Array"

    @property
    def full(self) -> str:  # type: ignore[override]
        sizes = [] if not self.minimum else [str(self.minimum)]
        if self.maximum is not None:
            sizes = [str(self.minimum), str(self.maximum)]
        return "Array[" + ", ".join([self.element.full, *sizes]) + "]"

    def _has(self, value: object) -> bool:
        if not isinstance(value, list) or not self._fits(len(value)):
            return False
        return all(self.element.accepts(item) for item in value)

    def _fits(self, size: int) -> bool:
        return size >= self.minimum and (self.maximum is None or size <= self.maximum)

    def mismatches(self, value: object, path: Path) -> list[Mismatch]:
        if not isinstance(value, list):
            return Type.mismatches(self, value, path)
        if not self._fits(len(value)):
            return [_size(path, self.minimum, self.maximum, len(value))]
        return [
            found
            for index, item in enumerate(value)
            if not self.element.accepts(item)
            for found in self.element.mismatches(item, (*path, f"index {index}"))
        ]


@dataclass(frozen=True, slots=True)
class HashOf(Type):
    """`Hash` with types of keys and values; without: any hash."""

    key: Type | None = None
    value: Type = field(default_factory=Type)
    name: str = "Hash"

    @property
    def full(self) -> str:  # type: ignore[override]
        return f"Hash[{self.key.full}, {self.value.full}]" if self.key else "Hash"

    def _has(self, value: object) -> bool:
        if not isinstance(value, dict):
            return False
        if self.key is None:
            return True
        return all(self.key.accepts(k) and self.value.accepts(v) for k, v in value.items())

    def mismatches(self, value: object, path: Path) -> list[Mismatch]:
        if not isinstance(value, dict):
            return Type.mismatches(self, value, path)
        if not is_struct(value):
            return [_detailed(self, value, path)]
        found: list[Mismatch] = []
        for key, item in value.items():
            if self.key and not self.key.accepts(key):
                found += self.key.mismatches(key, (*path, f"key of entry '{key}'"))
            if not self.value.accepts(item):
                found += self.value.mismatches(item, (*path, f"entry '{key}'"))
        return found


@dataclass(frozen=True, slots=True)
class Struct(Type):
    """`Struct`: the first `required` of the fields must be there."""

    fields: Mapping[str, Type]
    required: tuple[str, ...] = ()
    name: str = "Struct"

    @property
    def full(self) -> str:  # type: ignore[override]
        shown = (
            f"'{key}' => {kind.full}"
            if key in self.required
            else f"Optional['{key}'] => {kind.full}"
            for key, kind in self.fields.items()
        )
        return "Struct[{" + ", ".join(shown) + "}]"

    def _has(self, value: object) -> bool:
        if not isinstance(value, dict) or any(key not in value for key in self.required):
            return False
        return all(k in self.fields and self.fields[k].accepts(v) for k, v in value.items())

    def mismatches(self, value: object, path: Path) -> list[Mismatch]:
        if not isinstance(value, dict):
            return Type.mismatches(self, value, path)
        if not value:
            return [_size(path, len(self.required), len(self.fields), 0)]
        return self._entries(value, path) if is_struct(value) else [_detailed(self, value, path)]

    def _entries(self, value: dict[str, object], path: Path) -> list[Mismatch]:
        found: list[Mismatch] = []
        for key, kind in self.fields.items():
            if key not in value and key in self.required:
                found.append(Mismatch(path, f"expects a value for key '{key}'"))
            if key in value and not kind.accepts(value[key]):
                found += kind.mismatches(value[key], (*path, f"entry '{key}'"))
        extra = [key for key in value if key not in self.fields]
        return found + [Mismatch(path, f"unrecognized key '{key}'") for key in extra]


def _detailed(kind: Type, value: object, path: Path) -> Mismatch:
    what = f"expects {article(kind.full)} value, got {inferred(value)}"
    return Mismatch(path, what, (kind.name,))


def _size(path: Path, minimum: int, maximum: int | None, actual: int) -> Mismatch:
    if minimum == maximum:
        expected = str(minimum)
    elif maximum is None:
        expected = f"at least {minimum}"
    else:
        expected = f"between {minimum} and {maximum}" if minimum else f"at most {maximum}"
    return Mismatch(path, f"expects size to be {expected}, got {actual}")


def check(subject: str, kind: Type, value: object) -> Any:
    """Return the value, if it is of the type.

    Raises:
        PuppetFault: `SUBJECT has wrong type, ...`.
    """
    if kind.accepts(value):
        return value
    found = kind.mismatches(value, (f"{subject} has wrong type,",))
    lines = list(dict.fromkeys(str(mismatch) for mismatch in found))
    raise PuppetFault(lines[0].strip() if len(lines) == 1 else "\n ".join(lines))
