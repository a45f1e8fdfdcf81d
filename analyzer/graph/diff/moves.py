"""The fewest moves that give one sequence the order of another."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Sequence
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def moves(first: Sequence[T], second: Sequence[T]) -> list[tuple[T, T | None]]:
    """Return the items to move in `first`, each with its new predecessor (None: the front), to get
    `second`.

    Only common items count. The items that stay are a longest common subsequence: for sequences
    without repetitions, a longest increasing subsequence of places. It takes n log n steps.
    """
    place = {one: number for number, one in enumerate(first)}
    common = [one for one in dict.fromkeys(second) if one in place]
    stays = increasing([place[one] for one in common])
    previous: T | None = None
    found = []
    for number, one in enumerate(common):
        if number not in stays:
            found.append((one, previous))
        previous = one
    return found


def increasing(values: Sequence[int]) -> set[int]:
    """Return the indices of a longest increasing subsequence of distinct values (Schensted)."""
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for index, value in enumerate(values):
        length = bisect_left(tails, value)
        before.append(ends[length - 1] if length else -1)
        if length == len(tails):
            tails.append(value)
            ends.append(index)
        else:
            tails[length] = value
            ends[length] = index
    found = set()
    at = ends[-1] if ends else -1
    while at >= 0:
        found.add(at)
        at = before[at]
    return found
