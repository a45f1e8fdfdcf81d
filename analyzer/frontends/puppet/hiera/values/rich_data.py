"""Checks that a value may be data of Hiera: Puppet's type RichData."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from analyzer.formats.yaml_scalars import RubySymbol
from analyzer.model.values import Default, Sensitive, Unknown

NAMES: tuple[tuple[Any, str], ...] = (
    (bool, "Boolean"),
    (str, "String"),
    (RubySymbol, "Runtime[ruby, 'Symbol']"),
    (Default, "Default"),
    (Sensitive, "Sensitive"),
)


def invalid(value: object) -> str | None:
    """Return the type of a value that may not be data, None if it may."""
    return None if _is_rich(value) else infer(value)


def _is_rich(value: object) -> bool:
    if isinstance(value, dict):
        return all(_is_key(key) and _is_rich(item) for key, item in value.items())
    if isinstance(value, list):
        return all(_is_rich(item) for item in value)
    return not isinstance(value, RubySymbol | tuple)


def _is_key(key: object) -> bool:
    return isinstance(key, str | int | float | Unknown) and not isinstance(key, bool)


def infer(value: object) -> str:
    """Return the type of a value as Puppet infers it."""
    if value is None:
        return "Undef"
    if isinstance(value, list | tuple):
        return _array(list(value))
    if isinstance(value, dict):
        if not value:
            return "Hash[0, 0]"
        size = len(value)
        return f"Hash[{_common(value)}, {_common(value.values())}, {size}, {size}]"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{'Integer' if isinstance(value, int) else 'Float'}[{value}, {value}]"
    return next((name for kind, name in NAMES if isinstance(value, kind)), "Any")


def _array(values: list[object]) -> str:
    if not values:
        return "Array[0, 0]"
    return f"Array[{_common(values)}, {len(values)}, {len(values)}]"


def _common(values: Iterable[object]) -> str:
    values = list(values)
    words = sorted({value for value in values if isinstance(value, str)})
    if len(words) > 1 and all(isinstance(value, str) for value in values):
        return "Enum[" + ", ".join(f"'{word}'" for word in words) + "]"
    kinds = list(dict.fromkeys(infer(value) for value in values))
    if len(kinds) == 1:
        return kinds[0]
    names = {kind.partition("[")[0] for kind in kinds}
    if names <= {"Integer", "Float"}:
        return "Numeric" if len(names) > 1 else names.pop()
    if names <= {"Integer", "Float", "String", "Boolean"}:
        return "ScalarData"
    return "Data" if "Runtime" not in names else "Any"
