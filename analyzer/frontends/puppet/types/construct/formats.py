"""The formats of String.new: read, merged with the usual ones, and found by type."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cmp_to_key
from typing import Any

from analyzer.frontends.puppet.types.assignable import assignable
from analyzer.frontends.puppet.types.model.base import ANY, Type
from analyzer.frontends.puppet.types.model.collections import (
    ARRAY,
    HASH,
    ArrayType,
    HashType,
    StructType,
    TupleType,
)
from analyzer.frontends.puppet.types.model.numbers import FLOAT, NUMERIC
from analyzer.frontends.puppet.types.model.objects import OBJECT
from analyzer.frontends.puppet.types.model.rich_data import BINARY
from analyzer.frontends.puppet.types.model.strings import EnumType, PatternType, StringType
from analyzer.frontends.puppet.types.problems import ConversionProblem
from analyzer.model.room import size_in
from analyzer.model.values import Value

PATTERN_TEXT = r"^%([\s\[+#0{<(|-]*)([1-9][0-9]*)?(?:\.([0-9]+))?([a-zA-Z])$"
_PATTERN = re.compile(PATTERN_TEXT.replace("$", r"\Z"))
_PAIRS = {"[": "[]", "{": "{}", "(": "()", "<": "<>", "|": "||"}
_RANKS: tuple[tuple[type[Type], int], ...] = (
    (StructType, 1), (HashType, 2), (TupleType, 3), (ArrayType, 4), (PatternType, 10),
    (EnumType, 11), (StringType, 12),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ElementFormat:
    """One format; for arrays and hashes also the separators and the formats of elements."""

    text: str
    flags: str
    width: int | None
    precision: int | None
    letter: str
    separator: str | None = None
    separator2: str | None = None
    inner: Formats | None = None

    @property
    def alternative(self) -> bool:
        """Return whether it has the flag `#`."""
        return "#" in self.flags

    @property
    def delimiters(self) -> str | None:
        """Return the opening and the closing delimiter, empty for none at all, None if not said."""
        found = next((flag for flag in self.flags if flag in _PAIRS), None)
        return _PAIRS[found] if found else "" if " " in self.flags else None

    def merge(self, other: ElementFormat) -> ElementFormat:
        """Return the other format, completed from this one."""
        return replace(
            other,
            separator=self.separator if other.separator is None else other.separator,
            separator2=self.separator2 if other.separator2 is None else other.separator2,
            inner=merge_formats(self.inner, other.inner),
        )


Formats = dict[Type, ElementFormat]


def parse_format(text: str) -> ElementFormat:
    """Read a format.

    Raises:
        ConversionProblem: it is none.
    """
    match = _PATTERN.match(text)
    if match is None:
        raise ConversionProblem(
            f"The format '{text}' is not a valid format on the form "
            "'%<flags><width>.<prec><format>'"
        )
    flags, width, precision, letter = match.groups()
    if len(set(flags)) != len(flags):
        raise ConversionProblem(f"The same flag can only be used once, got '{text}'")
    if sum(flag in _PAIRS for flag in flags) > 1:
        raise ConversionProblem(
            f"Only one of the delimiters [ {{ ( < | can be given in the format flags, got '{text}'"
        )
    size = size_in(width) if width else None
    return ElementFormat(
        text, flags, size, None if precision is None else size_in(precision), letter
    )


def merge_formats(lower: Formats | None, higher: Formats | None) -> Formats | None:
    """Return the formats of both; those of the second also stand for narrower ones of the first."""
    if not lower or not higher:
        return lower or higher
    kept = {
        key: value
        for key, value in lower.items()
        if not any(other != key and assignable(other, key) for other in higher)
    }
    merged = dict(kept)
    for key, value in higher.items():
        merged[key] = kept[key].merge(value) if key in kept else value
    return dict(sorted(merged.items(), key=cmp_to_key(_order)))


def _order(one: tuple[Type, ElementFormat], two: tuple[Type, ElementFormat]) -> int:
    a, b = one[0], two[0]
    if a == b:
        return 0
    wider, narrower = assignable(a, b), assignable(b, a)
    if wider != narrower:
        return -1 if narrower else 1
    rank_a, rank_b = _rank(a), _rank(b)
    if rank_a and rank_b:
        return rank_a - rank_b
    return (str(a) > str(b)) - (str(a) < str(b))


def _rank(found: Type) -> int:
    return next((rank for kind, rank in _RANKS if isinstance(found, kind)), 0)


INNER: Formats = {ANY: parse_format("%p")}
ARRAY_FORMAT = replace(parse_format("%a"), separator=", ", separator2=", ", inner=INNER)
HASH_FORMAT = replace(parse_format("%h"), separator=", ", separator2=" => ", inner=INNER)
USUAL: Formats = {
    OBJECT: parse_format("%p"),
    FLOAT: parse_format("%f"),
    NUMERIC: parse_format("%d"),
    ARRAY: ARRAY_FORMAT,
    HASH: HASH_FORMAT,
    BINARY: parse_format("%B"),
    ANY: parse_format("%s"),
}


def read_formats(given: Mapping[Value, Any]) -> Formats:
    """Return the formats of a hash of types.

    Raises:
        ConversionProblem: a key is no type, a format is none.
    """
    result: Formats = {}
    for key, value in given.items():
        if not isinstance(key, Type):
            raise ConversionProblem(
                "top level keys in the format hash must be data types, got instance of "
                f"'{type(key).__name__}'"
            )
        result[key] = _container(value) if isinstance(value, dict) else parse_format(value)
    return result


def _container(given: dict[str, Any]) -> ElementFormat:
    inner = given.get("string_formats")
    return replace(
        parse_format(given.get("format", "")),
        separator=given.get("separator"),
        separator2=given.get("separator2"),
        inner=None if inner is None else read_formats(inner),
    )


def format_for(found: Type, formats: Formats) -> ElementFormat:
    """Return the format of a type: the first whose type is as wide."""
    for key, value in formats.items():
        if assignable(key, found):
            return value
    return parse_format("%s")


def refused_format(kind: str, form: ElementFormat, letters: str) -> ConversionProblem:
    """Return the error of a format whose letter is not for values of a kind."""
    return ConversionProblem(
        f"Illegal format '{form.letter}' specified for value of {kind} type - expected one of "
        f"the characters '{letters}'"
    )
