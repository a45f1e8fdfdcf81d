"""The containment tree: the containers that are open, and the rows in view."""

from __future__ import annotations

from collections.abc import Callable

from analyzer.apply.engine.run_graph import RunGraph
from tui.run.rollup import parents_of

# The most rows that a tree opens by itself.
FEW = 24

Row = tuple[int, int]


class ContainerTree:
    """The containers and resources of a catalog; `rows` are (vertex, depth) of those in view.

    The resources that Puppet adds to every catalog are left out.
    """

    def __init__(self, graph: RunGraph) -> None:
        self.graph = graph
        self.contents = nested(graph)
        self.parent = {v: x for x, contents in self.contents.items() for v in contents}
        own = range(len(graph.graph.catalog.resources))
        self.roots = [v for v in own if v not in self.parent]
        self.roots.sort(key=lambda v: graph.completed[v] == v)
        self.open: set[int] = set()
        self.matching: set[int] | None = None
        self.rows: list[Row] = []
        self.place: dict[int, int] = {}
        self.open_some()

    def children(self, vertex: int) -> list[int]:
        """Return the contents of a container that pass the filter."""
        found = self.contents.get(vertex, [])
        if self.matching is None:
            return found
        return [v for v in found if v in self.matching]

    def open_some(self) -> None:
        """Open containers from the top, as long as there are few rows."""
        count = len(self.roots)
        ahead = list(self.roots)
        while ahead:
            vertex = ahead.pop(0)
            children = self.contents.get(vertex, [])
            if children and (count + len(children) <= FEW or vertex in self.roots):
                self.open.add(vertex)
                count += len(children)
                ahead += children
        self.lay_out()

    def lay_out(self) -> None:
        """Build the rows again."""
        roots = self.roots
        if self.matching is not None:
            roots = [v for v in roots if v in self.matching]
        rows: list[Row] = []
        ahead = [(v, 0) for v in reversed(roots)]
        seen = set()
        while ahead:
            vertex, depth = ahead.pop()
            rows.append((vertex, depth))
            if vertex in self.open and vertex not in seen:
                seen.add(vertex)
                ahead += [(v, depth + 1) for v in reversed(self.children(vertex))]
        self.rows = rows
        self.place = {vertex: index for index, (vertex, _) in reversed(list(enumerate(rows)))}

    def toggle(self, vertex: int, *, wanted: bool | None = None) -> None:
        """Open or close a container."""
        if vertex in self.contents:
            is_open = vertex in self.open
            if wanted is None or wanted != is_open:
                self.open ^= {vertex}
                self.lay_out()

    def reveal(self, vertex: int) -> int:
        """Open the containers of a vertex; return its row, -1 if it does not pass the filter."""
        changed = False
        above = self.parent.get(vertex)
        seen = set()
        while above is not None and above not in seen:
            seen.add(above)
            changed = changed or above not in self.open
            self.open.add(above)
            above = self.parent.get(above)
        if changed:
            self.lay_out()
        return self.place.get(vertex, -1)

    def filter(self, keep: Callable[[int], bool] | None) -> None:
        """Show only the vertices to keep, and their containers."""
        if keep is None:
            self.matching = None
            self.lay_out()
            return
        self.matching = set()
        for vertex in range(len(self.graph.graph.catalog.resources)):
            if keep(vertex):
                at: int | None = vertex
                while at is not None and at not in self.matching:
                    self.matching.add(at)
                    at = self.parent.get(at)
                    if at is not None:
                        self.open.add(at)
        self.lay_out()


def nested(graph: RunGraph) -> dict[int, list[int]]:
    """Return the contents of each container; a vertex is shown in its innermost container."""
    contents, parents = graph.contents, parents_of(graph)
    depths: dict[int, int] = {}

    entered: set[int] = set()
    for container in contents:
        todo = [container]
        while todo:
            at = todo[-1]
            if at in depths or at in entered:
                todo.pop()
                above = [depths[p] + 1 for p in parents.get(at, ()) if p in depths]
                depths.setdefault(at, max(above, default=0))
                continue
            entered.add(at)
            todo += [p for p in parents.get(at, ()) if p not in entered]
    return {
        container: [
            v
            for v in inside
            if len(parents[v]) == 1 or container == max(parents[v], key=depths.__getitem__)
        ]
        for container, inside in contents.items()
    }
