"""Asks a question of all nodes of a source: what is known from before is not done again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from time import monotonic

from analyzer.fleet.causes import Causes
from analyzer.fleet.engine import Engine
from analyzer.fleet.store import Store, configuration_of
from analyzer.fleet.values import Node, Question, Result, Source
from analyzer.fleet.work import Task

# Nodes that a worker is given at a time, and results after which the store writes.
CHUNK, WRITTEN = 8, 64


@dataclass(slots=True)
class Progress:
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


@dataclass(slots=True)
class Fleet:
    """A run over a source; `show` is called whenever nodes end, `ended` with each result."""

    source: Source
    question: Question
    store: Store
    engine: Engine
    chunk: int = CHUNK
    show: Callable[[Progress], None] = lambda progress: None
    ended: Callable[[str, Result], None] = lambda key, result: None
    interrupted: bool = False

    def run(self) -> tuple[Causes, Progress]:
        """Return the answers; Ctrl-C ends the run and leaves those that are done.

        Raises:
            InputError: the source cannot be read.
        """
        causes, name = Causes(), self.source.name
        configuration = configuration_of(self.question)
        known = self.store.hashes(name, configuration)
        same: set[str] = set()
        todo: dict[str, Node] = {}
        for node in self.source.index():
            if node.hash and known.get(node.key) == node.hash:
                same.add(node.key)
            else:
                # A node that was replaced while the source was read comes twice.
                same.discard(node.key)
                todo[node.key] = node
        gone = [key for key in known if key not in same and key not in todo]
        del known
        self.store.forget(name, configuration, gone)
        progress = Progress(len(same) + len(todo))
        for key, result in self.store.results(name, configuration) if same else ():
            if key in same:
                self._add(causes, progress, key, result, shared=True)
        progress.reused = progress.done
        same.clear()
        self.show(progress)
        try:
            for node, result in self._fresh(todo.values(), configuration):
                self._add(causes, progress, node.key, result)
                self.show(progress)
        except KeyboardInterrupt:
            self.interrupted = True
        if todo or gone:
            self.store.tidy(configuration)
        return causes, progress

    def _add(
        self, causes: Causes, progress: Progress, key: str, result: Result, *, shared: bool = False
    ) -> None:
        progress.done += 1
        causes.add(key, result, shared=shared)
        self.ended(key, result)

    def _fresh(self, todo: Iterable[Node], configuration: str) -> Iterator[tuple[Node, Result]]:
        """Yield the results of nodes that must be looked at, and keep them."""
        tasks = (Task(self.source, self.question, part) for part in parts(todo, self.chunk))
        pending: list[tuple[Node, Result]] = []
        try:
            for task, results in self.engine.run(tasks):
                done = list(zip(task.nodes, results, strict=True))
                pending += done
                if len(pending) >= WRITTEN:
                    self.store.keep(self.source.name, configuration, pending)
                    pending = []
                yield from done
        finally:
            self.store.keep(self.source.name, configuration, pending)


def parts(nodes: Iterable[Node], size: int) -> Iterator[tuple[Node, ...]]:
    """Yield nodes in tuples of a size."""
    rest = iter(nodes)
    while part := tuple(islice(rest, size)):
        yield part
