"""Searches one program after another, where each may depend on what those before it had.

Another process may search a program before its turn. What it found counts if it would have found
the same in its turn; else the program is searched again. So the result is that of one process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from analyzer.session.workers import Workers

# The weight of a search, where a manifest has 1.
SEARCH = 5


@dataclass(frozen=True, slots=True)
class Turn:
    """The search of a program: the input that it is of, its number there, and its place in turn.

    `of` tells programs of the input apart that are searched by themselves; `seen` is what was
    known when it was given to somebody.
    """

    path: str
    of: int
    number: int
    place: int
    seen: Any = None

    @property
    def weight(self) -> int:
        """Return the weight."""
        return SEARCH


Told = TypeVar("Told")


class Searches(Protocol[Told]):
    """A search of programs in turn."""

    def given(self, turn: Turn) -> Turn:
        """Return a turn with the results so far."""
        ...

    def answer(self, turn: Turn) -> Told:
        """Return the results of a turn, given those of the turns before it."""
        ...

    def hear(self, told: Told) -> None:
        """Note what results depend on, whether they hold or not."""
        ...

    def holds(self, turn: Turn, told: Told) -> bool:
        """Return whether the results are those with all that is known now."""
        ...

    def take(self, turn: Turn, told: Told) -> None:
        """Make the results of a turn known."""
        ...


def in_order(searches: Searches[Told], turns: Sequence[Turn], workers: Workers[Any, Any]) -> None:
    """Take the results of all turns in their order."""
    for turn, first in zip(turns, answers_to(searches, turns, workers), strict=True):
        searches.hear(first)
        holds = searches.holds(turn, first)
        searches.take(turn, first if holds else searches.answer(searches.given(turn)))


def answers_to(
    searches: Searches[Told], turns: Sequence[Turn], workers: Workers[Any, Any]
) -> Iterator[Told]:
    """Yield the results of turns, some with less than is known in their turn."""
    return workers.each(turns, searches.answer, searches.given)


def nobody() -> Workers[Any, Any]:
    """Return no other processes."""
    return Workers(no_work, 1)


def no_work() -> Callable[[Any], Any]:
    """Return a function that does nothing."""
    return lambda part: None
