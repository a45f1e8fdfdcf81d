"""Choices of values for several inputs, and the order in which they are tried."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import TypeVar

from analyzer.frontends.puppet.worlds.tests import Value
from analyzer.frontends.puppet.worlds.world import World

T = TypeVar("T")


def choices(values: Mapping[str, Sequence[Value]]) -> Iterator[dict[str, Value]]:
    """Yield each choice of one value for each input."""
    for chosen in product(*values.values()):
        yield dict(zip(values, chosen, strict=True))


def in_turn(several: Iterable[Iterator[T]]) -> Iterator[T]:
    """Yield one of each in turn, until all are at their end."""
    left = list(several)
    while left:
        ended: list[Iterator[T]] = []
        for one in left:
            try:
                yield next(one)
            except StopIteration:
                ended.append(one)
        left = [one for one in left if one not in ended]


def in_conflict(worlds: Sequence[World]) -> bool:
    """Return whether worlds give an input different values, or are on different systems."""
    values: dict[str, str] = {}
    unlike = any(
        values.setdefault(name, repr(value)) != repr(value)
        for world in worlds
        for name, value in world.values.items()
    )
    return unlike or len({world.system for world in worlds}) > 1
