"""The relationships of one resource, found without listing those of all."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from analyzer.graph.labels import INWARD
from analyzer.graph.phrases import remark, word
from tui.present.glyphs import ARROWS
from tui.present.pieces import Line, Piece, line, printable, ref_pieces

if TYPE_CHECKING:
    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.model.relationship import Relationship


class EdgeIndex:
    """Explicit and automatic relationships by their ends; made when first asked.

    A list that many resources share is looked through once.
    """

    def __init__(self, graph: RelationshipGraph) -> None:
        self.graph = graph

    def prepare(self) -> EdgeIndex:
        """Make all that is otherwise made when it is first asked for."""
        holders = [holder for holder, _, _ in self.graph.declared[:1]]
        holders += [source for source, _, _, _ in self.graph.automatic[:1]]
        for vertex in holders:
            edge_lines(self, vertex)
        return self

    def before(self, vertex: int) -> list[Relationship]:
        """Return the relationships that let something come before a resource or container."""
        return [
            one
            for source in dict.fromkeys(self._sources(vertex))
            for one in self.graph.provenance.between(self.graph.completed[source], vertex)
        ]

    def after(self, vertex: int) -> list[Relationship]:
        """Return the relationships that let something come after it."""
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
        """The containers of each vertex: a class may be in several."""
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


def style_of(relationship: Relationship) -> str:
    """Return the style of a relationship: automatic, notify, or before."""
    return "auto" if relationship.auto else relationship.kind


def edge_line(relationship: Relationship, other: str) -> Line:
    """Return a relationship seen from one end: the arrow, the other end, the word, the place."""
    arrow = ARROWS[relationship.kind]
    style = style_of(relationship)
    said = remark(relationship)
    span = relationship.origin.span
    return (
        Piece(f" {arrow} ", style),
        *ref_pieces(printable(other)),
        Piece(f"  {word(relationship)}", style),
        Piece(f"  {printable(said)}" if said else "", "dim"),
        Piece(f"  {span}" if span else "", "place"),
    )


def edge_lines(index: EdgeIndex, vertex: int) -> tuple[list[Line], list[str]]:
    """Return what comes before and after a resource, and the reference that each line is about."""
    before, after = index.before(vertex), index.after(vertex)
    lines: list[Line] = []
    refs: list[str] = []
    for title, edges, end in (("before it", before, "source"), ("after it", after, "target")):
        lines.append(line((title, "title"), (f"  {len(edges)}", "dim")))
        refs.append("")
        for one in edges:
            other = str(getattr(one, end))
            lines.append(edge_line(one, other))
            refs.append(other)
    return lines, refs
