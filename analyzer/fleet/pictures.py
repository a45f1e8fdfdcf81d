"""The graphs of nodes, as data of the graph page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from analyzer.diagnostics import InputError
from analyzer.export.page.html_page import data_of, embedded
from analyzer.fleet.causes import ClusteredCause
from analyzer.fleet.questions.graphs import Graphs
from analyzer.fleet.values import CatalogSource, IndexedNode

# Nodes whose catalogs are fetched at once.
CHUNK = 8


def pictures(
    source: CatalogSource, graphs: Graphs, keys: Iterable[str]
) -> Iterator[tuple[str, str]]:
    """Yield the key of each node with the data of its graph; those without a catalog have none."""
    wanted = list(keys)
    for start in range(0, len(wanted), CHUNK):
        part = [IndexedNode(key, "") for key in wanted[start : start + CHUNK]]
        for node, found in source.fetch(part):
            if isinstance(found, Exception):
                continue
            try:
                yield node.key, embedded(data_of(graphs.of(found)))
            except InputError:
                continue


def drawn(causes: Sequence[ClusteredCause], names: Iterable[str], most: int) -> list[str]:
    """Return at most so many nodes: the examples of causes, their nodes, the others."""
    order = (
        *(cause.example for cause in causes),
        *(node for cause in causes for node in cause.nodes[:most]),
        *names,
    )
    return list(dict.fromkeys(order))[:most]
