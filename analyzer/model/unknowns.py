"""Finds Unknowns inside other values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from analyzer.model.keys import HashKey, at
from analyzer.model.values import Deferred, Sensitive, Unknown


def entry_of(table: dict[object, object], key: object) -> Any:
    """Return the value of a hash under a key; an Unknown if that, or a key of the hash, is one.

    A text that is among the keys has its value, undef too.
    """
    found = at(table, key)
    if found is not None:
        return found
    is_plain = type(key) is str and (type(next(iter(table), "")) is str or key in table)
    return None if is_plain else find_unknown((key, *table))


def find_unknown(values: Iterable[Any]) -> Unknown | None:
    """Return the first Unknown in values, at any depth."""
    stack = [*values]
    stack.reverse()
    while stack:
        value = stack.pop()
        kind = type(value)
        if kind is Unknown:
            return cast("Unknown", value)
        if kind is list or kind is tuple:
            stack.extend(reversed(value))
        elif kind is dict:
            stack.extend(reversed([part for entry in value.items() for part in entry]))
        elif kind is Sensitive:
            stack.append(value.value)
        elif kind is Deferred:
            stack.extend(reversed(value.arguments))
        elif kind is HashKey:
            stack.append(value.entries)
    return None
