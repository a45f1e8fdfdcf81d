"""Keys of hashes that Python rejects or confuses: arrays, hashes, 1 and true."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from analyzer.model.values import Deferred, Sensitive, Value

# The reason for a hash that cannot be made.
CONFUSED = "a hash with both {} and {} as keys is not supported here"


@dataclass(frozen=True, slots=True)
class HashKey:
    """A hash as a key: its entries, whose order does not matter for equality."""

    entries: tuple[tuple[Any, Any], ...]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HashKey) and frozenset(self.entries) == frozenset(other.entries)

    def __hash__(self) -> int:
        return hash(frozenset(self.entries))


@dataclass(frozen=True, slots=True)
class ScalarKey:
    """A boolean or float as a key, which Python would confuse with an equal integer."""

    value: bool | float

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, ScalarKey)
            and type(self.value) is type(other.value)
            and self.value == other.value
        )

    def __hash__(self) -> int:
        return hash((type(self.value), self.value))


def as_key(value: Any) -> Any:
    """Return a value as a key: an array as a tuple, a hash as a HashKey, a boolean as a ScalarKey.

    Only floats that equal an integer become ScalarKeys.
    """
    kind = type(value)
    if kind is bool or (kind is float and value.is_integer()):
        return ScalarKey(value)
    if kind is list:
        return tuple(map(as_key, value))
    if kind is dict:
        return HashKey(tuple((as_key(key), as_key(one)) for key, one in value.items()))
    if kind is Sensitive:
        return Sensitive(as_key(value.value))
    if kind is Deferred:
        return Deferred(value.name, tuple(map(as_key, value.arguments)))
    return value


def of_key(key: object) -> object:
    """Return the value that a key stands for."""
    if isinstance(key, tuple):
        return list(map(of_key, key))
    if isinstance(key, HashKey):
        return {inner: of_key(one) for inner, one in key.entries}
    if isinstance(key, ScalarKey):
        return key.value
    if isinstance(key, Sensitive):
        return Sensitive(of_key(key.value))
    if isinstance(key, Deferred):
        return Deferred(key.name, tuple(map(of_key, key.arguments)))
    return key


def keys_of(table: Iterable[object]) -> list[object]:
    """Return the keys of a hash as Puppet values."""
    return [key if type(key) is str else of_key(key) for key in table]


def pairs_of(table: dict[object, object]) -> list[list[Any]]:
    """Return the entries of a hash as arrays of key and value."""
    return list(map(list, zip(keys_of(table), table.values(), strict=True)))


def at(table: dict[object, object], key: Any) -> Value:
    """Return the value of a key in a hash, None if there is none."""
    if type(key) is str:
        return table.get(key)
    wanted = as_key(key)
    found = table.get(wanted)
    if type(wanted) is ScalarKey:
        # Data from files has plain keys.
        return same_kind(table, wanted.value) if found is None else found
    return found if found is None or wanted not in (0, 1) else same_kind(table, wanted)


def same_kind(table: dict[object, object], key: object) -> object:
    """Return the value of a plain key of the same type in a hash, None if there is none."""
    kind = type(key)
    return next((one for k, one in table.items() if type(k) is kind and k == key), None)


def confused(keys: Iterable[object]) -> tuple[object, object] | None:
    """Return two different keys that are equal in Python, None if there are none."""
    seen: dict[object, object] = {}
    return next(
        ((seen[key], key) for key in keys if type(seen.setdefault(key, key)) is not type(key)), None
    )
