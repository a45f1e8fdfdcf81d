"""Replays Puppet's edge tables, for output that shows the order of their hashes.

SimpleGraph keeps in-edges by target and source, and out-edges by source and target, in the order
of insertion; replace_containers_with_anchors rewrites them. Nothing else in catgraph depends on
these orders, so the tables are built only for this output.
"""

from __future__ import annotations

from collections.abc import Container

from analyzer.graph.kernel import Kernel
from analyzer.graph.labels import CONTAINMENT, INWARD

# An edge: source, target, label (None: no label), rule row or -1, position in its parameter.
Edge = tuple[int, int, int | None, int, int]

# The label of the edge between the two ends of an empty container.
NO_LABEL = None


class Tables:
    """In- and out-tables of edges over integer vertices."""

    def __init__(self, vertices: range) -> None:
        self.incoming: dict[int, dict[int, list[Edge]]] = {v: {} for v in vertices}
        self.outgoing: dict[int, dict[int, list[Edge]]] = {v: {} for v in vertices}

    def add_vertex(self, vertex: int) -> None:
        """Add a vertex after the others."""
        self.incoming.setdefault(vertex, {})
        self.outgoing.setdefault(vertex, {})

    def add(self, edge: Edge) -> None:
        """Add an edge; a pair may have several."""
        self.incoming[edge[1]].setdefault(edge[0], []).append(edge)
        self.outgoing[edge[0]].setdefault(edge[1], []).append(edge)

    def remove(self, edge: Edge) -> None:
        """Remove one edge; a pair without edges loses its place."""
        for table, key, other in (
            (self.incoming, edge[1], edge[0]),
            (self.outgoing, edge[0], edge[1]),
        ):
            edges = table[key].get(other, [])
            edges[:] = [e for e in edges if e is not edge]
            if not edges:
                table[key].pop(other, None)

    def edges(self) -> list[Edge]:
        """Return all edges, by target and then by source."""
        return [e for sources in self.incoming.values() for es in sources.values() for e in es]


def relationship_tables(kernel: Kernel, only: Container[int] | None = None) -> Tables:
    """Return the tables before containers are replaced: explicit edges, then automatic ones.

    `only` restricts the tables to edges between these vertices. The edges of a pair do not depend
    on those of other pairs, so that the order of the remaining edges does not change.
    """
    wanted: Container[int] = range(kernel.vertices) if only is None else only
    tables = Tables(range(kernel.vertices))
    for i, label, ids in kernel.declared:
        if i not in wanted:
            continue
        for position, other in enumerate(ids):
            if other in wanted:
                source, target = (other, i) if label in INWARD else (i, other)
                tables.add((source, target, label, -1, position))
    for source, target, label, row in kernel.automatic:
        if source in wanted and target in wanted:
            tables.add((source, target, label, row, 0))
    return tables


def expanded_tables(kernel: Kernel, only: Container[int] | None = None) -> Tables:
    """Return the tables after containers became pairs, over the kernel's node ids.

    A container's own vertex has the id -1 - id until it is replaced. `only` is as above.
    """
    plain = relationship_tables(kernel, only)
    containers = set(kernel.owner)
    tables = Tables(range(0))
    for v in range(kernel.vertices):
        tables.add_vertex(inner(v, containers))
    for targets in plain.incoming, plain.outgoing:
        mine = tables.incoming if targets is plain.incoming else tables.outgoing
        for v, others in targets.items():
            mine[inner(v, containers)] = {
                inner(o, containers): [
                    (inner(e[0], containers), inner(e[1], containers), *e[2:]) for e in edges
                ]
                for o, edges in others.items()
            }
    share_edges(tables)
    for x in kernel.owner:
        tables.add_vertex(x)
        tables.add_vertex(kernel.completed[x])
    for x in kernel.owner:
        replace_container(tables, kernel, x)
    for x in kernel.owner:
        del tables.incoming[-1 - x], tables.outgoing[-1 - x]
    return tables


def inner(vertex: int, containers: set[int]) -> int:
    """Return the id of a vertex until it is replaced."""
    return -1 - vertex if vertex in containers else vertex


def share_edges(tables: Tables) -> None:
    """Make both tables hold the same edge objects, so that removal finds them by identity."""
    for source, targets in tables.outgoing.items():
        for target in targets:
            targets[target] = list(tables.incoming[target][source])


def replace_container(tables: Tables, kernel: Kernel, x: int) -> None:
    """Replace one container by its two ends (replace_containers_with_anchors, steps 0 to 4)."""
    completed = kernel.completed
    end = completed[x]
    contents = kernel.contents.get(x, ())
    if not contents:
        tables.add((x, end, NO_LABEL, -1, 0))
    for v in contents:
        tables.add((x, v, CONTAINMENT, -1, 0))
        tables.add((completed[v], end, CONTAINMENT, -1, 0))
    old = -1 - x
    for edge in [e for es in tables.incoming[old].values() for e in es]:
        tables.add((completed_of(edge[0], completed), x, *edge[2:]))
        tables.remove(edge)
    for edge in [e for es in tables.outgoing[old].values() for e in es]:
        tables.add((end, admitted_of(edge[1]), *edge[2:]))
        tables.remove(edge)


def completed_of(vertex: int, completed: list[int]) -> int:
    """Return the completed end of a container that is not replaced yet; any other node as it is."""
    return completed[-1 - vertex] if vertex < 0 else vertex


def admitted_of(vertex: int) -> int:
    """Return the admitted end of a container that is not replaced yet; any other node as it is."""
    return -1 - vertex if vertex < 0 else vertex
