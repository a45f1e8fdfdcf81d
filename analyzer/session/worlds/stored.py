"""Searches worlds with the stored results of earlier searches, whichever command made them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from analyzer.frontends.cache import Cache
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.reading import CLOCK
from analyzer.session.keeping import FileStates
from analyzer.session.outlines import key_of_code
from analyzer.session.worlds.codec import SEARCHES
from analyzer.session.worlds.gaps import WorkLeft
from analyzer.session.worlds.kept import KeptSearch, KeptSearches


@dataclass(frozen=True, slots=True)
class StoredSearches:
    """The stored results of searches.

    `around` returns a text for a path with settings that changes with its environment and
    configuration.
    """

    store: Cache
    disk: FileStates
    around: Callable[[str, Settings], str]

    def entry(
        self, path: str, settings: Settings, budget: tuple[int, int], *, named: bool
    ) -> SearchEntry:
        """Return the search of some code with a budget: worlds, and parts of them."""
        words = f"searches {budget} {named}"
        return SearchEntry(self, key_of_code(words, path, settings, self.around(path, settings)))


@dataclass(frozen=True, slots=True)
class SearchEntry:
    """The stored results of one search; `key` is that of the store."""

    stored: StoredSearches
    key: str

    @property
    def before(self) -> KeptSearches:
        """Return the valid results."""
        found = self.stored.store.get(self.key, SEARCHES)
        return found.valid(self.stored.disk) if isinstance(found, KeptSearches) else KeptSearches()

    def put(self, read: Mapping[str, str], kept: dict[str, KeptSearch], left: WorkLeft) -> None:
        """Store results, unless they depend on the time that was left."""
        if CLOCK not in read and not (left.late or left.failures):
            self.stored.store.put(self.key, KeptSearches(dict(read), kept), SEARCHES)
