"""The direct dependencies and dependents of a resource, past junctions and container ends."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.relationship import Relationship

# The kinds of edges, which are the names of their styles too.
BEFORE, NOTIFY, AUTO, CONTAINS = "before", "notify", "auto", "contains"


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A neighbour and the edge of the expanded graph that leads to it or comes from it.

    `vertex` is the neighbour, `source` and `target` are the two ends of the edge. `through` is the
    container that has the relationship instead of the resource itself, None for its own.
    """

    vertex: int
    source: int
    target: int
    through: int | None = None


class Surroundings:
    """The neighbours of each resource of one graph, by ids."""

    def __init__(self, graph: RelationshipGraph) -> None:
        self.graph = graph
        self._near: dict[tuple[int, bool], tuple[Neighbour, ...]] = {}

    def prepare(self) -> Surroundings:
        """Compute now the parts that take long for a large graph."""
        graph, provenance = self.graph, self.graph.provenance
        _ = self.pred, self.rank, self.holders
        first = next((v for v in range(graph.vertices) if not graph.is_container(v)), 0)
        provenance.between(first, first)
        for container in graph.containers[:1]:
            provenance.between(container, first)
        return self

    @cached_property
    def pred(self) -> list[list[int]]:
        """Return the predecessors in the expanded graph."""
        return self.graph.predecessors()

    @cached_property
    def rank(self) -> list[int]:
        """Return the position of each vertex in the order of the run; after a cycle, in the
        catalog."""
        graph = self.graph
        rank = [len(graph.successors) + v for v in range(graph.vertices)]
        for place, node in enumerate(graph.traverse()):
            if node < graph.vertices:
                rank[node] = place
        return rank

    @cached_property
    def holders(self) -> dict[int, int]:
        """Return the nearest container of each vertex that has one; classes precede stages."""
        from analyzer.export.graph.view import containers

        return containers(self.graph)

    def near(self, vertex: int, *, after: bool) -> tuple[Neighbour, ...]:
        """Return the direct dependents or dependencies of a resource, in the order of the run."""
        key = vertex, after
        if key not in self._near:
            found = self._after(vertex) if after else self._before(vertex)
            self._near[key] = tuple(sorted(found.values(), key=lambda x: self.rank[x.vertex]))
        return self._near[key]

    def _before(self, vertex: int) -> dict[int, Neighbour]:
        """Walk back from a resource or an admitted end, through its containers."""
        end_of, pred = self.graph.end_of, self.pred
        found: dict[int, Neighbour] = {}
        seen: set[int] = set()
        open_nodes = deque([(vertex, vertex)])
        while open_nodes:
            node, target = open_nodes.popleft()
            for source in pred[node]:
                if source in seen:
                    continue
                seen.add(source)
                role, i = end_of(source)
                if role == "junction":
                    open_nodes.append((source, target))
                elif role == "admitted":
                    open_nodes.append((source, source))
                else:
                    through = None if target == vertex else end_of(target)[1]
                    found.setdefault(i, Neighbour(i, source, target, through))
        return found

    def _after(self, vertex: int) -> dict[int, Neighbour]:
        """Walk on from a resource or a completed end, through its containers."""
        graph = self.graph
        start = graph.completed[vertex]
        found: dict[int, Neighbour] = {}
        seen: set[int] = set()
        open_nodes = deque([(start, start)])
        while open_nodes:
            node, source = open_nodes.popleft()
            for target in graph.successors[node]:
                if target in seen:
                    continue
                seen.add(target)
                role, i = graph.end_of(target)
                if role == "junction":
                    open_nodes.append((target, source))
                elif role == "completed":
                    open_nodes.append((target, target))
                else:
                    through = None if source == start else graph.end_of(source)[1]
                    found.setdefault(i, Neighbour(i, source, target, through))
        return found

    def is_container(self, vertex: int) -> bool:
        """Return whether a vertex is a container."""
        return self.graph.is_container(vertex)

    def contents(self, vertex: int) -> list[int]:
        """Return the direct contents of a container, in the order of the run."""
        return sorted(self.graph.contents.get(vertex, ()), key=self.rank.__getitem__)

    def chain(self, vertex: int) -> list[int]:
        """Return the containers of a vertex, the innermost first."""
        found: list[int] = []
        seen = {vertex}
        at = self.holders.get(vertex)
        while at is not None and at not in seen:
            found.append(at)
            seen.add(at)
            at = self.holders.get(at)
        return found

    def relationships(self, link: Neighbour) -> tuple[Relationship, ...]:
        """Return the relationships behind an edge, explicit ones first."""
        return self.graph.provenance.between(link.source, link.target)

    def kind(self, link: Neighbour) -> str:
        """Return the strongest kind of an edge: notify, before, auto or contains."""
        return kind_of(self.relationships(link))


def kind_of(made: Iterable[Relationship]) -> str:
    """Return the strongest kind of some relationships behind one edge."""
    kinds = {CONTAINS if x.kind == "contains" else kind_of_order(x) for x in made}
    return next((kind for kind in (NOTIFY, BEFORE, AUTO) if kind in kinds), CONTAINS)


def kind_of_order(made: Relationship) -> str:
    """Return the kind of a relationship other than containment."""
    if made.kind == "notify":
        return NOTIFY
    return AUTO if made.origin.automatic else BEFORE
