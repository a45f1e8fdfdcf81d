"""Finds Unknowns inside other values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from analyzer.model.keys import HashKey, at
from analyzer.model.values import Deferred, Sensitive, Unknown


def entry_of(table: dict[object, object], key: object) -> Any:
    """Return the value of a hash under a key; an Unknown if that, or a key of the hash, is one."""
    found = at(table, key)
    if found is None and (type(key) is not str or type(next(iter(table), "")) is not str):
        return find_unknown((key, *table))
    return found


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
