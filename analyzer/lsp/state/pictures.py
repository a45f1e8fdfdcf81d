"""What the last compile of a file showed: of each catalog its resources, their order and edges."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analyzer.model.relationship import Relationship
from analyzer.source import Span

if TYPE_CHECKING:
    from analyzer.linter.puppet.subjects import Compiled

# Edges of a catalog that are handed on; chained collectors make millions.
MOST_EDGES = 50_000


@dataclass(frozen=True, slots=True)
class Picture:
    """One catalog: plain values, for features that must not wait for a compile.

    `name` is what findings call it (`class app`, a node), `resources` has the place of each by
    reference, in the order of the catalog, and `container` what each is in. `order` is that of the
    run, empty if there is a cycle; `relationships` have their origins, and `cyclic` are the
    resources on cycles. `complete`: nothing about them is unknown.
    """

    name: str
    complete: bool
    cycles: int
    resources: Mapping[str, Span | None]
    container: Mapping[str, str]
    order: tuple[str, ...]
    relationships: tuple[Relationship, ...]
    cyclic: frozenset[str] = frozenset()

    def at(self, path: str, line: int) -> Iterator[str]:
        """Yield the resources that a line of a file declares; lines count from 1."""
        for ref, span in self.resources.items():
            if span is not None and span.line == line and os.path.abspath(span.file) == path:
                yield ref

    def before(self, ref: str) -> list[Relationship]:
        """Return the edges to a resource: what it waits for, and who says so."""
        return [edge for edge in self.relationships if str(edge.target) == ref]

    def after(self, ref: str) -> list[Relationship]:
        """Return the edges from a resource: what waits for it."""
        return [edge for edge in self.relationships if str(edge.source) == ref]


def picture_of(compiled: Compiled) -> Picture:
    """Return the picture of a catalog."""
    graph = compiled.graph
    resources = {str(one.ref): one.span for one in graph.catalog.resources}
    cycles = graph.cycles()
    container = {str(edge.target): str(edge.source) for edge in graph.containment()}
    return Picture(
        compiled.name,
        compiled.complete,
        len(cycles),
        resources,
        container,
        () if compiled.cyclic else tuple(map(str, graph.order())),
        tuple(graph.relationships()) if few(compiled) else (),
        frozenset(str(ref) for cycle in cycles for ref in cycle.members),
    )


def few(compiled: Compiled) -> bool:
    """Return whether the edges of a catalog may be made one by one."""
    return compiled.graph.relationship_count <= MOST_EDGES
