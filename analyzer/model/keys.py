"""Keys of hashes: arrays and hashes, which Python does not allow; numbers and booleans apart.

For Python 1, 1.0 and true are one key, for Puppet three: where a hash has one of them the others
are not found in it, and two of them in one hash are more than can be said here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from analyzer.model.values import Deferred, Sensitive

# What is said of a hash that cannot be made.
CONFUSED = "a hash with both {} and {} as keys is more than can be told here"


@dataclass(frozen=True, slots=True)
class HashKey:
    """A hash as a key: its entries, whose order does not matter for equality."""

    entries: tuple[tuple[Any, Any], ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HashKey) and frozenset(self.entries) == frozenset(other.entries)

    def __hash__(self) -> int:
        return hash(frozenset(self.entries))


def as_key(value: Any) -> Any:
    """Return a value as a key: an array as a tuple, a hash as a HashKey."""
    kind = type(value)
    if kind is list:
        return tuple(map(as_key, value))
    if kind is dict:
        return HashKey(tuple((key, as_key(one)) for key, one in value.items()))
    if kind is Sensitive:
        return Sensitive(as_key(value.value))
    if kind is Deferred:
        return Deferred(value.name, tuple(map(as_key, value.arguments)))
    return value


def of_key(key: Any) -> Any:
    """Return the value that a key stands for."""
    if isinstance(key, tuple):
        return list(map(of_key, key))
    if isinstance(key, HashKey):
        return {inner: of_key(one) for inner, one in key.entries}
    if isinstance(key, Sensitive):
        return Sensitive(of_key(key.value))
    if isinstance(key, Deferred):
        return Deferred(key.name, tuple(map(of_key, key.arguments)))
    return key


def keys_of(table: Iterable[Any]) -> list[Any]:
    """Return the keys of a hash as the values that they are."""
    return [key if type(key) is str else of_key(key) for key in table]


def pairs_of(table: dict[Any, Any]) -> list[list[Any]]:
    """Return the entries of a hash as arrays of key and value."""
    return list(map(list, zip(keys_of(table), table.values(), strict=True)))


def at(table: dict[Any, Any], key: Any) -> Any:
    """Return what a hash has under a key, None if it has nothing there."""
    if type(key) is str:
        return table.get(key)
    wanted = as_key(key)
    found = table.get(wanted)
    if found is None or (wanted not in (0, 1) and type(wanted) is not float):
        return found
    kind = type(wanted)
    return next((one for k, one in table.items() if type(k) is kind and k == wanted), None)


def confused(keys: Iterable[Any]) -> tuple[Any, Any] | None:
    """Return two keys that only Python takes for one, None if there are none."""
    seen: dict[Any, Any] = {}
    return next(
        ((seen[key], key) for key in keys if type(seen.setdefault(key, key)) is not type(key)), None
    )
