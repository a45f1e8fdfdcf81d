"""Searches programs in turn; each search may depend on the results of earlier ones.

Another process may search a program before its turn. Its result is used if the search would have
the same result in its turn; else the program is searched again. So the result is that of a single
process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

from analyzer.frontends.puppet.node.environment import Settings
from analyzer.progress import Progress, followed
from analyzer.session.workers import InAdvance, Workers

# The weight of a search; a manifest has 1.
SEARCH = 5


@dataclass(frozen=True, slots=True)
class OwnClasses:
    """The classes of a site that are searched by themselves, as no node has all of their arms.

    `path` is the site, or the file that defines them; the others replace settings of the site.
    """

    path: str
    classes: tuple[str, ...]
    facts: tuple[str, ...]
    modulepath: tuple[str, ...]

    def __hash__(self) -> int:
        """Return a hash that does not take long for thousands of classes."""
        return hash((self.path, len(self.classes), self.classes[:1]))

    @classmethod
    def of(cls, path: str, settings: Settings) -> OwnClasses:
        """Return the classes that settings name."""
        return cls(path, settings.classes, settings.facts, settings.modulepath)

    def settings(self, of_site: Settings) -> Settings:
        """Return the settings to search them, from those of the site."""
        classes, facts, modulepath = self.classes, self.facts, self.modulepath
        return replace(of_site, classes=classes, facts=facts, modulepath=modulepath)


@dataclass(frozen=True, slots=True)
class SearchKey:
    """A search as all processes know it: an input, one of its programs, and classes of that."""

    path: str
    number: int = 0
    alone: OwnClasses | None = None


@dataclass(frozen=True, slots=True)
class Turn:
    """One program of a search, with its number there and its position in the order.

    `seen` are the results that were known when it was handed out.
    """

    search: SearchKey
    number: int
    place: int
    seen: Any = None

    @property
    def weight(self) -> int:
        """Return the weight."""
        return SEARCH


Result = TypeVar("Result")


class Searches(Protocol[Result]):
    """A search of programs in turn."""

    def given(self, turn: Turn) -> Turn:
        """Return a turn with the results so far."""
        ...

    def wants(self, turn: Turn) -> InAdvance:
        """Return whether a turn should be answered in advance."""
        ...

    def answer(self, turn: Turn) -> Result:
        """Return the results of a turn, given those of the turns before it."""
        ...

    def note_reads(self, result: Result) -> None:
        """Record the dependencies of results, valid or not."""
        ...

    def holds(self, turn: Turn, result: Result) -> bool:
        """Return whether the results are still valid with all that is known now."""
        ...

    def take(self, turn: Turn, result: Result) -> None:
        """Store the results of a turn."""
        ...


def in_order(
    searches: Searches[Result],
    turns: Sequence[Turn],
    workers: Workers[Any, Any],
    stored: Mapping[Turn, Result] | None = None,
    progress: Progress | None = None,
) -> None:
    """Take the results of all turns in their order; `stored` are those of an earlier run."""
    stored = stored or {}
    new = [turn for turn in turns if turn not in stored]
    answers = answers_to(searches, new, workers)
    for turn in followed(turns, progress, "nodes and classes with other facts and parameters"):
        first = stored[turn] if turn in stored else next(answers)
        searches.note_reads(first)
        holds = searches.holds(turn, first)
        searches.take(turn, first if holds else searches.answer(searches.given(turn)))


def answers_to(
    searches: Searches[Result], turns: Sequence[Turn], workers: Workers[Any, Any]
) -> Iterator[Result]:
    """Yield the results of turns; some were made with fewer earlier results than in their turn."""
    return workers.each(turns, searches.answer, searches.given, searches.wants)


def nobody() -> Workers[Any, Any]:
    """Return workers without other processes."""
    return Workers(no_work, 1)


def no_work() -> Callable[[Any], Any]:
    """Return a function that does nothing."""
    return lambda part: None
