"""Searches of several inputs at a time: no process waits for a long turn of one of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from analyzer.diagnostics import CompileError, InputError
from analyzer.progress import Progress
from analyzer.reading import note, noting
from analyzer.session.workers import InAdvance, Workers
from analyzer.session.worlds.bounded import Bounded, Searched
from analyzer.session.worlds.kept import KeptSearches
from analyzer.session.worlds.results import SearchResult
from analyzer.session.worlds.stored import SearchEntry
from analyzer.session.worlds.turns import SearchKey, Turn, in_order

# Turns of one search that each process may answer before those of other searches: the budget may
# not be enough for more.
AHEAD = 2
# Searches that another process has at a time.
OPEN = 4


class OpenSearch:
    """A search with the files that were read for it; `entry` has the results of earlier ones.

    `found` is the result, None before the end and if an input cannot be read.

    Raises:
        InputError: something cannot be read.
        CompileError: a manifest is not a Puppet program.
    """

    def __init__(
        self,
        key: SearchKey,
        make: Callable[[KeptSearches], Bounded],
        entry: SearchEntry | None = None,
    ) -> None:
        self.key = key
        self.entry = entry
        self.read: dict[str, str] = {}
        self.failed = False
        self.found: Searched | None = None
        with self.reading():
            before = KeptSearches() if entry is None else entry.before
            note(before.read)
            self.search = make(before)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Record the files that are read."""
        with noting() as read:
            yield
        self.read |= read

    def end(self) -> None:
        """Note the result, and store those of its programs."""
        if self.failed:
            return
        with self.reading():
            self.found = self.search.result
        if self.entry is not None:
            self.entry.put(self.read, self.search.kept, self.found.left)


class JointSearch:
    """Several searches, whose turns are answered in any order and taken in theirs."""

    def __init__(self, searches: Sequence[OpenSearch], jobs: int = 1) -> None:
        self.by_key = {one.key: one for one in searches}
        self.most = AHEAD * jobs

    def given(self, turn: Turn) -> Turn:
        """Return a turn with the results so far."""
        return self.by_key[turn.search].search.given(turn)

    def wants(self, turn: Turn) -> InAdvance:
        """Return whether a turn should be answered in advance."""
        one = self.by_key[turn.search]
        if one.failed or not one.search.expects(turn):
            return InAdvance.NO
        ahead = turn.place - one.search.costs[0].place
        return InAdvance.YES if ahead < self.most else InAdvance.LATER

    def answer(self, turn: Turn) -> SearchResult | None:
        """Return the results of a turn, None if an input cannot be read."""
        one = self.by_key[turn.search]
        with one.reading(), suppress(InputError, CompileError):
            result = None if one.failed else one.search.answer(turn)
            if result is not None:
                one.search.costs[result.is_short].add(result.cost)
            return result
        return None

    def note_reads(self, result: SearchResult | None) -> None:
        """Record the files that were read: `holds` does it for the search of the turn."""

    def holds(self, turn: Turn, result: SearchResult | None) -> bool:
        """Return whether the results are still valid with all that is known now."""
        one = self.by_key[turn.search]
        if result is None:
            return one.failed
        with one.reading():
            one.search.note_reads(result)
        return one.search.holds(turn, result)

    def take(self, turn: Turn, result: SearchResult | None) -> None:
        """Store the results of a turn."""
        one = self.by_key[turn.search]
        if result is None:
            one.failed = True
        else:
            with one.reading():
                one.search.take(turn, result)


def search_together(
    searches: Sequence[OpenSearch], workers: Workers[Any, Any], progress: Progress | None = None
) -> None:
    """Search the programs of all searches, as far as the budget of each allows."""
    turns = {turn: known for one in searches for turn, known in one.search.turns(one.key)}
    stored = {turn: known for turn, known in turns.items() if known is not None}
    in_order(JointSearch(searches, workers.jobs), [*turns], workers, stored, progress)
    for one in searches:
        one.end()


class SearchesElsewhere:
    """The searches that another process takes part in; `make` makes one of them."""

    def __init__(self, make: Callable[[SearchKey], Bounded]) -> None:
        self.make = make
        self.open: dict[SearchKey, Bounded] = {}

    def answer(self, turn: Turn) -> SearchResult:
        """Return the results of a turn."""
        key = turn.search
        if key not in self.open:
            for oldest in [*self.open][: 1 - OPEN]:
                del self.open[oldest]
            self.open[key] = self.make(key)
        return self.open[key].answer(turn)
