"""Measures the memory of the driver: a run over nodes whose answers are made up.

python -m tests.fleet.driver NODES [FORMAT]
"""

from __future__ import annotations

import resource
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import ClassVar

from analyzer.fleet.engine import Engine, Outcome
from analyzer.fleet.formats import render
from analyzer.fleet.report import report_of
from analyzer.fleet.run import Fleet
from analyzer.fleet.store import ResultStore
from analyzer.fleet.values import (
    AnswerOfCatalog,
    CauseStatement,
    IndexedNode,
    Occurrence,
    ResultOfNode,
)
from analyzer.fleet.work import Task
from analyzer.model.catalog import Catalog

KINDS = 12


@dataclass(frozen=True, slots=True)
class Numbers:
    """Nodes by number; a node has none to two of the causes."""

    count: int
    name: str = "numbers"

    def index(self) -> Iterator[IndexedNode]:
        """Yield the nodes."""
        for number in range(self.count):
            yield IndexedNode(f"web{number}.example.com", f"{number:064}", "production")

    def fetch(
        self, nodes: Sequence[IndexedNode]
    ) -> Iterator[tuple[IndexedNode, Catalog | Exception]]:
        """Yield nothing: nobody asks."""
        yield from ()


class Any:
    """A question that nobody answers."""

    by_content: ClassVar[bool] = True
    key: ClassVar[str] = "any"

    def answer(self, catalog: Catalog, name: str) -> AnswerOfCatalog:
        """Return no answer."""
        return AnswerOfCatalog(())


class Made(Engine):
    """An engine that makes its results up."""

    def run(self, tasks: Iterable[Task]) -> Iterator[Outcome]:
        """Yield the results of each task."""
        for task in tasks:
            yield task, [result(node, int(node.hash)) for node in task.nodes]


def result(node: IndexedNode, number: int) -> ResultOfNode:
    """Return the result of a node."""
    found = tuple(cause((number * 7 + n) % KINDS) for n in range(number % 3))
    unknown = () if number % 5 else ("something",)
    return ResultOfNode(node.key, node.hash, 500, found, unknown)


def cause(kind: int) -> Occurrence:
    """Return one of the causes."""
    made = CauseStatement(f"/{kind}.pp", 3, "loop", (f"File[{kind}]",), f"{kind}.pp")
    return Occurrence("CG301", "error", (made,), (f"File[{kind}]", "Exec[x]"))


def main() -> None:
    """Print the megabytes of a run and of its answer."""
    count, form = int(sys.argv[1]), (sys.argv[2:] or ["text"])[0]
    fleet = Fleet(Numbers(count), Any(), ResultStore(""), Made(lambda: ThreadPoolExecutor(1), 1))
    causes, progress = fleet.run()
    text = render(form, report_of("cycles", "numbers", causes, progress, 1.0))
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{progress.done:,} nodes, {len(causes.groups)} causes, {form}: {most:.0f} MB")
    assert text


if __name__ == "__main__":
    main()
