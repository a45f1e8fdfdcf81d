"""Two runs, resource by resource: what became of each, and in what order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# The words for what became of a resource, the one that says most first.
WORDS = (
    ("failed", "failed"),
    ("skipped", "skipped"),
    ("restarted", "refreshed"),
    ("changed", "changed"),
    ("out_of_sync", "would change"),
)
UNCHANGED, ABSENT = "unchanged", "not there"


@dataclass(frozen=True, slots=True)
class Record:
    """A run as a document tells it: `words` and `messages` of its events by reference."""

    status: str
    order: tuple[str, ...]
    words: Mapping[str, str]
    messages: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Changed:
    """A resource that came out differently: its word and its messages in both runs."""

    ref: str
    words: tuple[str, str]
    messages: tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class RunDifference:
    """How two runs differ.

    `moved` are resources of both runs that stand elsewhere in the second: the fewest without
    which the order of the others is the same.
    """

    status: tuple[str, str]
    changed: tuple[Changed, ...]
    moved: tuple[str, ...]

    def __bool__(self) -> bool:
        return self.status[0] != self.status[1] or bool(self.changed or self.moved)


def read_record(document: Any) -> Record:
    """Read what `catgraph apply --format json` printed.

    Raises:
        ValueError: it is something else.
    """
    try:
        rows = document["resources"]
        return Record(
            str(document["status"]),
            tuple(map(str, document["order"])),
            {str(ref): word_of(row["flags"]) for ref, row in rows.items()},
            {
                str(ref): tuple(str(event["message"]) for event in row["events"])
                for ref, row in rows.items()
            },
        )
    except (KeyError, TypeError, AttributeError):
        raise ValueError("is no run as 'catgraph apply --format json' prints it") from None


def word_of(flags: Sequence[str]) -> str:
    """Return the one word of flags that says most."""
    return next((word for flag, word in WORDS if flag in flags), UNCHANGED)


def compare(one: Record, other: Record) -> RunDifference:
    """Return how two runs differ."""
    refs = dict.fromkeys([*one.order, *one.words, *other.order, *other.words])
    changed = []
    for ref in refs:
        words = one.words.get(ref, ABSENT), other.words.get(ref, ABSENT)
        messages = one.messages.get(ref, ()), other.messages.get(ref, ())
        if words[0] != words[1] or messages[0] != messages[1]:
            changed.append(Changed(ref, words, messages))
    return RunDifference((one.status, other.status), tuple(changed), moved(one.order, other.order))


def moved(one: Sequence[str], other: Sequence[str]) -> tuple[str, ...]:
    """Return the fewest of what is in both without which both have the same order."""
    place = {ref: number for number, ref in enumerate(one)}
    common = [ref for ref in other if ref in place]
    kept = set(longest_rising([place[ref] for ref in common]))
    return tuple(ref for number, ref in enumerate(common) if number not in kept)


def longest_rising(numbers: Sequence[int]) -> list[int]:
    """Return the places of a longest rising part of a list of different numbers."""
    from bisect import bisect_left

    tails: list[int] = []
    at: list[int] = []
    before: list[int] = []
    for place, number in enumerate(numbers):
        length = bisect_left(tails, number)
        tails[length:] = [number, *tails[length + 1 :]] if length < len(tails) else [number]
        at[length : length + 1] = [place]
        before.append(at[length - 1] if length else -1)
    found = []
    place = at[-1] if at else -1
    while place >= 0:
        found.append(place)
        place = before[place]
    return found[::-1]
