"""Arrays and hashes as keys of hashes, which Puppet allows and Python does not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


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
    return value


def of_key(key: Any) -> Any:
    """Return the value that a key stands for."""
    if isinstance(key, tuple):
        return list(map(of_key, key))
    if isinstance(key, HashKey):
        return {inner: of_key(one) for inner, one in key.entries}
    return key
