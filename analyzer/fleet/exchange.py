"""Gives the compiles of a control repo the resources that its nodes export to each other.

All nodes are compiled once without it. Those that collect a type of which others export something
are compiled again, until what they export stays the same (`compiles/exchange.py`).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from analyzer.compiles.exchange import MOST_ROUNDS
from analyzer.fleet.engine import Engine
from analyzer.fleet.run import Fleet, Show
from analyzer.fleet.sources.repo import Repo, SharedSite, site_of
from analyzer.fleet.store import ResultStore
from analyzer.fleet.values import (
    AnswerOfCatalog,
    CauseStatement,
    IndexedNode,
    Occurrence,
    ResultOfNode,
)
from analyzer.frontends.puppet.node.exports import Exported, read
from analyzer.frontends.puppet.node.store_file import StoreFile
from analyzer.model.catalog import Catalog
from analyzer.reading import read_bytes

# The codes of occurrences: an exported resource, and a type that is collected.
EXPORT, COLLECT = "export", "collect"
# Nodes whose exports are written at once in the first round, in which nobody reads them.
WRITTEN = 200

# What a manifest that collects from others holds, and a type that stands for all.
COLLECTOR, ANY = b"<<|", "*"


@dataclass(frozen=True, slots=True)
class Exchange:
    """The question for the exports of a node, and for the types that it collects from others."""

    by_content: ClassVar[bool] = False

    own: Repo = field(hash=False)
    number: int = 1

    @property
    def key(self) -> str:
        """Return the name with the number of the round."""
        return f"exports {self.number}"

    def answer(self, catalog: Catalog, name: str) -> AnswerOfCatalog:
        """Return the exports of the node that was compiled last."""
        site = site_of(self.own)
        found = [occurrence(EXPORT, text) for text in site.exported]
        return AnswerOfCatalog((*found, *(occurrence(COLLECT, kind) for kind in site.collected)))


def occurrence(code: str, text: str) -> Occurrence:
    """Return a text as an occurrence."""
    return Occurrence(code, "note", (CauseStatement("", 0, text, (), ""),), ())


@dataclass(frozen=True, slots=True)
class NodesOfRepo:
    """Some nodes of a control repo."""

    repo: Repo
    nodes: frozenset[str]

    @property
    def name(self) -> str:
        """Return the repo's name."""
        return self.repo.name

    def index(self) -> Iterator[IndexedNode]:
        """Yield the nodes."""
        yield from (node for node in self.repo.index() if node.key in self.nodes)

    def fetch(
        self, nodes: Sequence[IndexedNode]
    ) -> Iterator[tuple[IndexedNode, Catalog | Exception]]:
        """Yield the catalogs."""
        return self.repo.fetch(nodes)


class ExchangeRound:
    """The exports of the nodes of a round, and the types that they collect."""

    def __init__(self, file: StoreFile, number: int) -> None:
        self.file, self.number = file, number
        self.found: dict[str, dict[str, Exported]] = {}
        # By type: the nodes that export something else than before.
        self.changed: dict[str, set[str]] = {}
        self.collected: dict[str, list[str]] = {}

    def take(self, result: ResultOfNode) -> None:
        """Note the exports of a node; one that does not compile may lack those of any other."""
        if result.failed:
            self.collected[result.name] = [ANY]
            return
        name, texts = result.name, texts_of(result)
        self.collected[name] = texts[COLLECT]
        before = {one.text(): one for one in self.file.of_node(name)} if self.number > 1 else {}
        now = {text: read(name, text) for text in texts[EXPORT]}
        for text in before.keys() ^ now.keys():
            one = now.get(text) or before[text]
            self.changed.setdefault(one.type, set()).add(name)
        if now or before:
            self.found[name] = now
        if self.number == 1 and len(self.found) >= WRITTEN:
            self.write()

    def write(self) -> None:
        """Write the exports to the file."""
        self.file.replace(self.found)
        self.found = {}

    def stale(self, collected: Mapping[str, Sequence[str]]) -> frozenset[str]:
        """Return the nodes that collect a type of which another node exports something else."""
        return frozenset(
            name
            for name, kinds in collected.items()
            if any(
                nodes - {name}
                for kind, nodes in self.changed.items()
                if kind in kinds or ANY in kinds
            )
        )


def texts_of(result: ResultOfNode) -> dict[str, list[str]]:
    """Return the texts of a result by code."""
    found: dict[str, list[str]] = {EXPORT: [], COLLECT: []}
    for one in result.occurrences:
        found[one.code].append(one.statements[0].phrase)
    return found


def exchanged(repo: Repo, store: ResultStore, engine: Engine, path: str, show: Show) -> Repo:
    """Return a repo with a store of its nodes' exports, a file at a path.

    A repo of which no node collects any, or that has a store already, is returned as it is.

    Raises:
        InputError: the file cannot be written.
        KeyboardInterrupt: the user ended it.
    """
    if repo.settings.store or not collects(repo):
        return repo
    file = StoreFile(path)
    file.replace({})
    stored = replace(repo, settings=replace(repo.settings, store=path))
    collected: dict[str, list[str]] = {}
    source: Repo | NodesOfRepo = repo
    for number in range(1, MOST_ROUNDS + 1):
        one = ExchangeRound(file, number)
        own = source.repo if isinstance(source, NodesOfRepo) else source
        fleet = Fleet(source, Exchange(own, number), store, engine, show=show, ended=one.take)
        fleet.ask()
        if fleet.interrupted:
            raise KeyboardInterrupt
        one.write()
        # What was read of it is known to be old.
        file = StoreFile(path)
        collected |= one.collected
        stale = one.stale(collected)
        if not stale:
            break
        source = NodesOfRepo(stored, stale)
    return stored


def collects(repo: Repo) -> bool:
    """Return whether a manifest has a collector of exported resources."""
    site = SharedSite(repo)
    places = tuple(f"{os.path.realpath(one)}/" for one in (site.top, *site.environment.modulepath))
    rows = ((root, *row) for root, found in site.files.items() for row in found.items())
    files = (f"{root}/{path}" for root, path, digest in rows if digest)
    manifests = (path for path in files if path.endswith(".pp") and path.startswith(places))
    return any(COLLECTOR in read_bytes(path) for path in manifests)
