"""Searches worlds with the stored results of earlier searches, whichever command made them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from analyzer.frontends.cache import Cache
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.reading import CLOCK, note, noting
from analyzer.session.keeping import FileStates
from analyzer.session.outlines import key_of_code
from analyzer.session.workers import Workers
from analyzer.session.worlds.bounded import Bounded, Searched
from analyzer.session.worlds.codec import SEARCHES
from analyzer.session.worlds.kept import KeptSearches
from analyzer.session.worlds.turns import SearchKey


@dataclass(frozen=True, slots=True)
class StoredSearches:
    """The stored results of searches.

    `around` returns a text for a path with settings that changes with its environment and
    configuration.
    """

    store: Cache
    disk: FileStates
    around: Callable[[str, Settings], str]

    def key(self, path: str, settings: Settings, budget: tuple[int, int], *, named: bool) -> str:
        """Return the key of the searches of some code with a budget: worlds, and parts of them."""
        words = f"searches {budget} {named}"
        return key_of_code(words, path, settings, self.around(path, settings))


def search_stored(
    make: Callable[[KeptSearches], Bounded],
    stored: StoredSearches,
    key: str,
    workers: Workers[Any, Any],
    search_key: SearchKey | None = None,
) -> Searched:
    """Search the programs whose stored results are not valid; store the new ones.

    `make` makes the search with valid results; `search_key` is that search.

    Raises:
        InputError: something cannot be read.
        CompileError: a manifest is not a Puppet program.
    """
    entry = stored.store.get(key, SEARCHES)
    before = entry.valid(stored.disk) if isinstance(entry, KeptSearches) else KeptSearches()
    with noting() as read:
        note(before.read)
        search = make(before)
        found = search.search(workers, search_key)
    if CLOCK not in read and not (found.left.late or found.left.failures):
        stored.store.put(key, KeptSearches(dict(read), search.kept), SEARCHES)
    return found
