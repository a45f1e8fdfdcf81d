"""The relationships of one resource as lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.graph.phrases import remark, word
from tui.present.glyphs import ARROWS
from tui.present.pieces import Line, Piece, line, printable, ref_pieces

if TYPE_CHECKING:
    from analyzer.model.relationship import Relationship
    from tui.project.edges import EdgeIndex

GENERATED = "Another resource generated it during the run: it comes right after that one."


def style_of(relationship: Relationship) -> str:
    """Return the style of a relationship: automatic, notify, or before."""
    return "auto" if relationship.auto else relationship.kind


def edge_line(relationship: Relationship, other: str) -> Line:
    """Return a relationship seen from one end: arrow, other end, spelling, place."""
    arrow = ARROWS[relationship.kind]
    style = style_of(relationship)
    text = remark(relationship)
    span = relationship.origin.span
    return (
        Piece(f" {arrow} ", style),
        *ref_pieces(printable(other)),
        Piece(f"  {word(relationship)}", style),
        Piece(f"  {printable(text)}" if text else "", "dim"),
        Piece(f"  {span}" if span else "", "place"),
    )


def edge_lines(index: EdgeIndex, vertex: int) -> tuple[list[Line], list[str]]:
    """Return the dependencies and dependents of a resource, and the reference of each line."""
    before, after = index.before(vertex), index.after(vertex)
    lines: list[Line] = []
    refs: list[str] = []
    for title, edges, end in (("depends on", before, "source"), ("dependents", after, "target")):
        lines.append(line((title, "title"), (f"  {len(edges)}", "dim")))
        refs.append("")
        for one in edges:
            other = str(getattr(one, end))
            lines.append(edge_line(one, other))
            refs.append(other)
    return lines, refs
