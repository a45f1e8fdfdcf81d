"""Stores the outlines of compiles, for all commands that need no more of a catalog without a cycle.

The entry of some code has the outlines of all compiles that were made of it, whichever command made
them, with the state of each file or key of data that was read. An outline is valid as long as these
are the same. What depends on more than files is not stored.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from analyzer.codec import Codec
from analyzer.compiles.outlined import Outlined, OutlinedError, can_outline, errors_of, outlined_of
from analyzer.compiles.plan import CompilePlan
from analyzer.compiles.result import CompileResult
from analyzer.compiles.target import Target
from analyzer.frontends.cache import Cache
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.syntax.cache import key_of, user_cache
from analyzer.graph.outline import Outline
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.catalog import Catalog
from analyzer.model.completeness import Gap
from analyzer.reach import within
from analyzer.reading import CLOCK, note
from analyzer.session.keeping import FileStates, code
from analyzer.source import Span

# Increased when the format of entries changes.
FORM = "outlines 2"


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """Outlines, and the states of all files and keys that were read for them."""

    read: Mapping[str, str]
    rows: tuple[Outlined, ...]


@dataclass(frozen=True, slots=True)
class WaitingResult:
    """A result without a graph yet; the fields are those of `outlined_of`."""

    path: str
    result: CompileResult
    errors: tuple[OutlinedError, ...]
    of_gaps: int
    common: Sequence[str]

    def outlined(self, graph: RelationshipGraph) -> Outlined | None:
        """Return the outline, None if the catalog has a finding."""
        return outlined_of(self.path, self.result, self.errors, graph, self.of_gaps, self.common)


CODEC = Codec(OutlineEntry, Outlined, OutlinedError, Outline, Target, Gap, Span)


class KeptOutlines:
    """The stored outlines of the compiles of a site; new ones are written by `save`."""

    def __init__(self, path: str, store: Cache, disk: FileStates, key: str) -> None:
        self.path = path
        self.store = store
        self.disk = disk
        self.key = key
        entry = store.get(key, CODEC)
        self.before = entry if isinstance(entry, OutlineEntry) else OutlineEntry({}, ())
        self.rows = {(one.path, one.target): one for one in valid_in(self.before, disk)}
        # The new outlines, and the results without a graph yet, by the identity of their catalogs.
        self.new: dict[tuple[str, Target], Outlined] = {}
        self.waiting: dict[int, WaitingResult] = {}

    def find(self, plan: CompilePlan, target: Target) -> Outlined | None:
        """Return the valid outline of a target, None if there is none."""
        return self.rows.get((plan.path, target))

    def note(self, plan: CompilePlan, result: CompileResult) -> None:
        """Note a result that was compiled, so that its outline can be stored."""
        errors = errors_of(result)
        if can_outline(result, errors) and result.catalog is not None:
            is_site = plan.path == self.path
            common = plan.codebases[0].environment.manifests if is_site else ()
            self.waiting[id(result.catalog)] = WaitingResult(
                plan.path, result, errors, len(result.catalog.gaps), common
            )

    def add_graphs(self, graphs: Iterable[tuple[Catalog, RelationshipGraph]]) -> None:
        """Make the outlines of results from the graphs of their catalogs."""
        for catalog, graph in graphs:
            waiting = self.waiting.pop(id(catalog), None)
            if waiting is not None:
                self.add(waiting.outlined(graph))

    def add(self, one: Outlined | None) -> None:
        """Add an outline."""
        if one is not None:
            self.new[one.path, one.target] = one

    def note_read(self) -> None:
        """Note the files of the stored outlines as read."""
        note(self.states)

    @property
    def states(self) -> dict[str, str]:
        """Return the present states of the files of the stored outlines."""
        read = self.before.read if self.rows else {}
        return {name: self.disk.state(name, before) for name, before in read.items()}

    def save(self, read: Mapping[str, str]) -> None:
        """Write the outlines if any are new; `read` are the files that were read for these."""
        if self.new:
            states = {**self.states, **read}
            states.pop(CLOCK, None)
            rows = {**self.rows, **self.new}
            self.store.put(self.key, OutlineEntry(states, tuple(rows.values())), CODEC)


def valid_in(entry: OutlineEntry, disk: FileStates) -> Iterable[Outlined]:
    """Return the outlines of an entry for which no file or key has changed."""
    changes = disk.changes(entry.read)
    if not changes.files <= frozenset().union(*(one.depends for one in entry.rows)):
        return ()
    return [one for one in entry.rows if not changes.concern(one.depends)]


def key_of_outlines(path: str, settings: Settings, around: str) -> str:
    """Return the key of the outlines of some code; `around` as for `key_of_code`.

    All classes share it: the choice of them makes no difference to a compile.
    """
    return key_of_code("outlines", path, replace(settings, classes=()), around)


def key_of_code(word: str, path: str, settings: Settings, around: str) -> str:
    """Return the key of results of some code; `around` changes with its environment and with the
    configuration.

    Whether an error ends a compile makes no difference to those without one.
    """
    plain = replace(settings, progress=None, lenient=False)
    return key_of(FORM, word, code(), os.getcwd(), path, repr(plain), around)


def outlines_for(plan: CompilePlan, disk: FileStates, identity: str) -> KeptOutlines:
    """Return the stored outlines of the compiles of a plan; `identity` is its configuration."""
    environment = plan.codebases[0].environment
    around = f"{identity}\0{disk.environment(environment)}"
    key = key_of_outlines(plan.path, plan.settings, around)
    # What may not be read has no state but that.
    with within(environment.roots):
        return KeptOutlines(plan.path, user_cache(), disk, key)
