"""Findings of one cause fall together: each of 12 causes with its exact nodes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import pytest

from analyzer.fleet.causes import ClusteredCause
from analyzer.fleet.questions.cycles import Cycles
from analyzer.fleet.run import Fleet
from analyzer.fleet.sources.folder import Folder
from analyzer.fleet.store import ResultStore
from analyzer.fleet.values import IndexedNode
from analyzer.fleet.work import Memory
from analyzer.model.catalog import Catalog
from tests.fleet.generator import CAUSES, nodes, write
from tests.fleet.test_store import Here


@dataclass(frozen=True, slots=True)
class Shuffled:
    """A folder whose nodes come in another order, and are done in it."""

    folder: Folder
    seed: int
    name: str = "shuffled"

    def index(self) -> Iterator[IndexedNode]:
        """Yield the nodes."""
        found = [*self.folder.index()]
        Random(self.seed).shuffle(found)
        yield from (replace(one, key=f"{n} {one.key}") for n, one in enumerate(found))

    def fetch(
        self, nodes: Sequence[IndexedNode]
    ) -> Iterator[tuple[IndexedNode, Catalog | Exception]]:
        """Yield the catalogs."""
        for node in nodes:
            file = replace(node, key=node.key.partition(" ")[2])
            yield from ((node, found) for _, found in self.folder.fetch([file]))


def causes_of(folder: Path, shuffle: int = 0) -> list[ClusteredCause]:
    source = Shuffled(Folder(str(folder)), shuffle)
    causes, progress = Fleet(source, Cycles(), ResultStore(""), Here()).run()
    assert progress.done == progress.total
    assert not causes.failed()
    return causes.causes()


def by_module(causes: list[ClusteredCause]) -> dict[str, set[str]]:
    names = [cause.statements[0].relative.split("/")[1].replace("_", " ") for cause in causes]
    assert len(names) == len(set(names)), "a cause fell apart"
    return {name: set(cause.nodes) for name, cause in zip(names, causes, strict=True)}


@pytest.mark.parametrize("count", [40, pytest.param(2_000, marks=pytest.mark.slow)])
def test_twelve_causes_have_their_nodes(tmp_path: Path, count: int) -> None:
    expected = write(tmp_path, count)
    assert len(CAUSES) == 12
    assert by_module(causes_of(tmp_path)) == expected


def test_the_order_of_nodes_does_not_count(tmp_path: Path) -> None:
    write(tmp_path, 60)
    first = causes_of(tmp_path)
    Memory.known.clear()
    assert causes_of(tmp_path, shuffle=5) == first


def test_the_order_of_resources_does_not_count(tmp_path: Path) -> None:
    for place, step in (("a", 1), ("b", -1)):
        (tmp_path / place).mkdir()
        for body, _ in nodes(14):
            changed = {**body, "resources": body["resources"][::step]}
            (tmp_path / place / f"{body['name']}.json").write_text(json.dumps(changed))
    Memory.known.clear()
    assert causes_of(tmp_path / "a") == causes_of(tmp_path / "b")
