"""The names of values' types, as messages of Puppet have them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from analyzer.formats.yaml_scalars import RubySymbol
from analyzer.model.values import Default, Sensitive


def is_struct(value: dict[object, object]) -> bool:
    """Return whether Puppet infers a Struct for a hash."""
    return bool(value) and all(isinstance(key, str) and key for key in value)


def listed(names: list[str]) -> str:
    """Return names of types as alternatives."""
    if len(names) < 3:
        return " or ".join(names)
    return f"{', '.join(names[:-1])}, or {names[-1]}"


def article(name: str) -> str:
    """Return the name with `a` or `an`."""
    return f"{'an' if name[0] in 'AEIOUaeiou' else 'a'} {name}"


NAMES: tuple[tuple[Any, str], ...] = (
    (bool, "Boolean"),
    (str, "String"),
    (int, "Integer"),
    (float, "Float"),
    (Default, "Default"),
    (Sensitive, "Sensitive"),
)


def type_name(value: object) -> str:
    """Return the name of a value's type, without parameters."""
    if value is None:
        return "Undef"
    if isinstance(value, list | tuple):
        return "Tuple" if value else "Array"
    if isinstance(value, dict):
        return "Struct" if is_struct(value) else "Hash"
    if isinstance(value, RubySymbol):
        return "Runtime[ruby, 'Symbol']"
    return next((name for kind, name in NAMES if isinstance(value, kind)), "Any")


def inferred(value: object) -> str:
    """Return the type of a value with parameters, as in a detailed message."""
    if isinstance(value, bool):
        return "Boolean"
    if isinstance(value, int | float):
        return f"{type_name(value)}[{value}, {value}]"
    if isinstance(value, list | tuple) and value:
        return f"Tuple[{', '.join(inferred(item) for item in value)}]"
    if isinstance(value, dict) and value:
        if is_struct(value):
            shown = (f"'{key}' => {inferred(item)}" for key, item in value.items())
            return "Struct[{" + ", ".join(shown) + "}]"
        return f"Hash[{_joined(value)}, {_joined(value.values())}]"
    return type_name(value)


def _joined(values: Iterable[object]) -> str:
    """Return the type of several values."""
    values = list(values)
    words = sorted({value for value in values if isinstance(value, str)})
    others = dict.fromkeys(inferred(value) for value in values if not isinstance(value, str))
    names = (
        [*others, "Enum[" + ", ".join(f"'{word}'" for word in words) + "]"]
        if words
        else list(others)
    )
    if words and not others and len(words) == 1:
        return "String"
    return names[0] if len(names) == 1 else f"Variant[{', '.join(names)}]"
