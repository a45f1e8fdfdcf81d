"""What contains what, as the rows of a tree that is opened lazily, with a roll-up of states."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import overload

from analyzer.apply.engine.run_graph import RunGraph
from tui.present.glyphs import DONE, FOLDED, LOOKS, OPEN
from tui.present.pieces import FILL, Line, Piece, printable, ref_pieces
from tui.run.rollup import RollUp, parents_of

# Rows that a tree opens by itself.
FEW = 24

Row = tuple[int, int]


class Tree:
    """The containers and resources of a catalog; `rows` are (vertex, depth) of those in view.

    What Puppet adds to every catalog by itself is left out.
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
        """Return what a container contains, in view."""
        found = self.contents.get(vertex, [])
        if self.matching is None:
            return found
        return [v for v in found if v in self.matching]

    def open_some(self) -> None:
        """Open containers from the top on, as long as there are few rows."""
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
        """Put the rows together anew."""
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
        """Open what contains a vertex; return its row, -1 if it is filtered away."""
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
        """Show only what is to be kept, and what contains it."""
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


class TreeLines(Sequence[Line]):
    """The rows of a tree as lines; `look` returns which of LOOKS a resource is."""

    def __init__(
        self, tree: Tree, rollup: RollUp, look: Callable[[int], str], mark: Callable[[int], Piece]
    ) -> None:
        self.tree = tree
        self.rollup = rollup
        self.look = look
        self.mark = mark

    def __len__(self) -> int:
        return len(self.tree.rows)

    @overload
    def __getitem__(self, index: int) -> Line: ...
    @overload
    def __getitem__(self, index: slice) -> list[Line]: ...
    def __getitem__(self, index: int | slice) -> Line | list[Line]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        vertex, depth = self.tree.rows[index]
        indent = Piece("  " * depth)
        name = ref_pieces(printable(self.tree.graph.names[vertex]))
        if vertex in self.tree.contents:
            arrow = OPEN if vertex in self.tree.open else FOLDED
            return (self.mark(vertex), indent, Piece(f"{arrow} ", "dim"), *name, *self.sum(vertex))
        look = LOOKS[self.look(vertex)]
        if self.tree.graph.resource(vertex) is None:
            return (self.mark(vertex), indent, Piece("  "), *name)
        return (self.mark(vertex), indent, Piece(f"{look.glyph} ", look.style), *name)

    def sum(self, container: int) -> Line:
        """Return how many of a container's resources are done, and what became of them."""
        counts = self.rollup.counts.get(container, {})
        total = self.rollup.totals.get(container, 0)
        done = sum(counts.values())
        if not total:
            return ()
        pieces = [FILL, Piece(f" {done}/{total}" if done else f" {total}", "dim")]
        for word in DONE[:-1]:
            if counts.get(word):
                look = LOOKS[word]
                pieces.append(Piece(f" {look.glyph}{counts[word]}", look.style))
        return tuple(pieces)


def nested(graph: RunGraph) -> dict[int, list[int]]:
    """Return what each container shows: of several that have a vertex, the innermost."""
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
