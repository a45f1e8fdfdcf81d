"""Asks a question of all nodes of a source, and reuses earlier results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from time import monotonic
from typing import TYPE_CHECKING

from analyzer.fleet.causes import CauseCollector
from analyzer.fleet.engine import Engine
from analyzer.fleet.store import ResultStore, configuration_of
from analyzer.fleet.values import CatalogSource, FleetQuestion, IndexedNode, ResultOfNode
from analyzer.fleet.work import Task

if TYPE_CHECKING:
    # Nothing else needs the compiler to ask a folder.
    from analyzer.fleet.reads import RepositoryCompiles

# Nodes that a worker is given at a time, and results after which the store writes.
CHUNK, WRITTEN = 8, 64


@dataclass(slots=True)
class FleetProgress:
    """The progress of a run; `reused` nodes did not change since an earlier run."""

    total: int
    done: int = 0
    reused: int = 0
    started: float = field(default_factory=monotonic)

    @property
    def rate(self) -> float:
        """Return the nodes a second, of those that are looked at."""
        return (self.done - self.reused) / max(monotonic() - self.started, 1e-9)

    @property
    def left(self) -> float:
        """Return the seconds that are left at this rate."""
        return (self.total - self.done) / max(self.rate, 1e-9)


Show = Callable[[FleetProgress], None]


def nothing(result: ResultOfNode) -> None:
    """Do nothing with a result."""


@dataclass(slots=True)
class Fleet:
    """A run over a source.

    `show` is called whenever nodes end, `ended` with each result, also those from before. What
    grows with the nodes is in the store. `doubled` catalogs are older than another one of the
    same node, and left out: `double` is the name and key of one.
    """

    source: CatalogSource
    question: FleetQuestion
    store: ResultStore
    engine: Engine
    chunk: int = CHUNK
    show: Show = lambda progress: None
    ended: Callable[[ResultOfNode], None] = nothing
    reads: RepositoryCompiles | None = None
    interrupted: bool = False
    doubled: int = 0
    double: tuple[str, str] = ("", "")

    def run(self) -> tuple[CauseCollector, FleetProgress]:
        """Return the answers; Ctrl-C ends the run and leaves those that are done.

        Raises:
            InputError: the source cannot be read.
        """
        progress = self.ask()
        return self._collected(self.own, progress), progress

    @property
    def own(self) -> tuple[str, str]:
        """Return the keys of this run's results in the store."""
        return self.source.name, configuration_of(self.question)

    def ask(self) -> FleetProgress:
        """Look at the nodes that must be looked at; the results are in the store.

        Raises:
            InputError: the source cannot be read.
        """
        own = self.own
        total, known = self.store.begin(*own, self.source.index())
        progress = FleetProgress(total, known, known)
        if known and self.ended is not nothing:
            for _, result in self.store.results(*own):
                self.ended(result)
        self.show(progress)
        try:
            self._ask(own, progress)
        except KeyboardInterrupt:
            self.interrupted = True
        if progress.done > known:
            self.store.tidy(own[1])
            if self.reads is not None:
                self.reads.tidy()
        return progress

    def _ask(self, own: tuple[str, str], progress: FleetProgress) -> None:
        """Look at the nodes that must be looked at, and keep their results."""
        nodes = parts(self._left(own, progress), self.chunk)
        tasks = (Task(self.source, self.question, part) for part in nodes)
        pending: list[tuple[IndexedNode, ResultOfNode]] = []
        try:
            for task, results in self.engine.run(tasks):
                pending += zip(task.nodes, results, strict=True)
                if len(pending) >= WRITTEN:
                    self._keep(own, pending)
                    pending = []
                progress.done += len(results)
                for result in results:
                    self.ended(result)
                self.show(progress)
        finally:
            self._keep(own, pending)

    def _left(self, own: tuple[str, str], progress: FleetProgress) -> Iterator[IndexedNode]:
        """Yield the nodes to process; the results of the others are kept."""
        for node in self.store.waiting():
            result = self.reads.spared(node) if self.reads else None
            if result is None:
                yield node
                continue
            self.store.keep(*own, [(node, result)])
            progress.done += 1
            progress.reused += 1
            self.ended(result)

    def _keep(self, own: tuple[str, str], done: Sequence[tuple[IndexedNode, ResultOfNode]]) -> None:
        """Keep results, and the files that their compiles looked for."""
        self.store.keep(*own, done)
        if self.reads is not None:
            with self.store.db:
                for node, result in done:
                    self.reads.keep(node, result)

    def _collected(self, own: tuple[str, str], progress: FleetProgress) -> CauseCollector:
        """Return the causes; of several catalogs of one node, the newest counts."""
        causes, last = CauseCollector(), ""
        for key, result in self.store.results(*own):
            if result.name == last and not result.failed:
                self.doubled += 1
                self.double = result.name, key
                progress.total -= 1
                progress.done -= 1
                continue
            last = result.name
            causes.add(key, result)
        return causes


def parts(nodes: Iterable[IndexedNode], size: int) -> Iterator[tuple[IndexedNode, ...]]:
    """Yield nodes in tuples of a size."""
    rest = iter(nodes)
    while part := tuple(islice(rest, size)):
        yield part
