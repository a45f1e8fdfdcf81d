"""Stores the results of a search of worlds, so that a change repeats the search of few programs.

A result depends on the files that were read for it and on the results of the turns before it. Files
other than manifests count for all programs: one may have read them for another. Keys of data count
for the programs that looked them up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analyzer.session.keeping import FileStates
    from analyzer.session.worlds.results import SearchResult
    from analyzer.worlds.explored import ConditionalFinding


@dataclass(frozen=True, slots=True)
class KeptSearch:
    """The result of the search of a program, and the earlier findings that it depends on.

    `group` are the findings of nodes like it, None if there was none; then it depends on all that
    were `known`.
    """

    result: SearchResult
    known: tuple[ConditionalFinding, ...]
    group: Sequence[ConditionalFinding] | None

    @property
    def files(self) -> frozenset[str]:
        """Return the files that only this search depends on."""
        return (self.result.manifests or frozenset()).union(self.result.read)

    def holds(
        self,
        known: Sequence[ConditionalFinding],
        groups: Mapping[bytes, Sequence[ConditionalFinding]],
    ) -> bool:
        """Return whether earlier turns found the same as they did before this search."""
        if self.result.is_short:
            return True
        if self.result.grouped:
            return self.group == groups.get(self.result.key)
        return len(self.known) == len(known) and all(map(equal, self.known, known))


@dataclass(slots=True)
class KeptSearches:
    """The results of all programs of a path by name, and the states of all files that were read."""

    read: Mapping[str, str] = field(default_factory=dict)
    found: dict[str, KeptSearch] = field(default_factory=dict)

    def valid(self, disk: FileStates) -> KeptSearches:
        """Return the results whose files have not changed, with the present states of all files."""
        changes = disk.changes(self.read)
        manifests = (one.result.manifests or frozenset() for one in self.found.values())
        if not changes.files <= frozenset().union(*manifests):
            return KeptSearches()
        now = {name: disk.state(name, before) for name, before in self.read.items()}
        found = {n: one for n, one in self.found.items() if not changes.concern(one.files)}
        return KeptSearches(now, found)


def equal(one: ConditionalFinding, other: ConditionalFinding) -> bool:
    """Return whether two findings are equal."""
    return one is other or one == other
