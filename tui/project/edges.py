"""An index of relationships by resource, built without listing those of all resources."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from analyzer.graph.labels import INWARD

if TYPE_CHECKING:
    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.model.relationship import Relationship


class EdgeIndex:
    """Explicit and automatic relationships by their ends, computed when first asked for.

    A list that many resources share is read once.
    """

    def __init__(self, graph: RelationshipGraph) -> None:
        self.graph = graph

    def prepare(self) -> EdgeIndex:
        """Compute now all that is otherwise computed when first asked for."""
        holders = [holder for holder, _, _ in self.graph.declared[:1]]
        holders += [source for source, _, _, _ in self.graph.automatic[:1]]
        for vertex in holders:
            self.before(vertex), self.after(vertex)
        return self

    def before(self, vertex: int) -> list[Relationship]:
        """Return the relationships to the dependencies of a resource or container."""
        return [
            one
            for source in dict.fromkeys(self._sources(vertex))
            for one in self.graph.provenance.between(self.graph.completed[source], vertex)
        ]

    def after(self, vertex: int) -> list[Relationship]:
        """Return the relationships to its dependents."""
        return [
            one
            for target in dict.fromkeys(self._targets(vertex))
            for one in self.graph.provenance.between(self.graph.completed[vertex], target)
        ]

    def _sources(self, vertex: int) -> list[int]:
        found = [v for label, ids in self._held.get(vertex, ()) if label in INWARD for v in ids]
        found += [holder for label, holder in self._naming(vertex) if label not in INWARD]
        return found + [s for s, _ in self._automatic.get(vertex, ((), ()))[0]]

    def _targets(self, vertex: int) -> list[int]:
        found = [v for label, ids in self._held.get(vertex, ()) if label not in INWARD for v in ids]
        found += [holder for label, holder in self._naming(vertex) if label in INWARD]
        return found + [t for t, _ in self._automatic.get(vertex, ((), ()))[1]]

    def _naming(self, vertex: int) -> list[tuple[int, int]]:
        """Return the labels and holders of lists that name a resource."""
        return [row for key in self._lists.get(vertex, ()) for row in self._rows[key]]

    @cached_property
    def containers(self) -> dict[int, list[int]]:
        """Return the containers of each vertex: a class may be in several."""
        found: dict[int, list[int]] = {}
        for container, contents in self.graph.contents.items():
            for vertex in contents:
                found.setdefault(vertex, []).append(container)
        return found

    @cached_property
    def _held(self) -> dict[int, list[tuple[int, Sequence[int]]]]:
        found: dict[int, list[tuple[int, Sequence[int]]]] = {}
        for holder, label, ids in self.graph.declared:
            found.setdefault(holder, []).append((label, ids))
        return found

    @cached_property
    def _rows(self) -> dict[int, list[tuple[int, int]]]:
        rows: dict[int, list[tuple[int, int]]] = {}
        for holder, label, ids in self.graph.declared:
            rows.setdefault(id(ids), []).append((label, holder))
        return rows

    @cached_property
    def _lists(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        seen = set()
        for _, _, ids in self.graph.declared:
            if id(ids) not in seen:
                seen.add(id(ids))
                for vertex in dict.fromkeys(ids):
                    found.setdefault(vertex, []).append(id(ids))
        return found

    @cached_property
    def _automatic(self) -> dict[int, tuple[list[tuple[int, int]], list[tuple[int, int]]]]:
        found: dict[int, tuple[list[tuple[int, int]], list[tuple[int, int]]]] = {}
        for row, (source, target, _, _) in enumerate(self.graph.automatic):
            found.setdefault(target, ([], []))[0].append((source, row))
            found.setdefault(source, ([], []))[1].append((target, row))
        return found
