"""The relationships of one resource as lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.graph.phrases import remark, word
from tui.present.glyphs import ARROWS
from tui.present.pieces import Line, Piece, line, printable, ref_pieces

if TYPE_CHECKING:
    from analyzer.model.relationship import Relationship
    from tui.project.neighbours import Neighbour, Surroundings

GENERATED = "Another resource generated it during the run: it comes right after that one."


def style_of(relationship: Relationship) -> str:
    """Return the style of a relationship: automatic, notify, or before."""
    return "auto" if relationship.auto else relationship.kind


def edge_line(relationship: Relationship, other: str) -> Line:
    """Return a relationship seen from one end: arrow, other end, spelling, place."""
    arrow = ARROWS[relationship.kind]
    style = style_of(relationship)
    text = remark(relationship)
    place = relationship.origin.place
    return (
        Piece(f" {arrow} ", style),
        *ref_pieces(printable(other)),
        Piece(f"  {word(relationship)}", style),
        Piece(f"  {printable(text)}" if text else "", "dim"),
        Piece(f"  {printable(place)}" if place else "", "place"),
    )


def edge_lines(around: Surroundings, vertex: int) -> tuple[list[Line], list[str]]:
    """Return the dependencies and dependents of a resource, and the reference of each line.

    The screen Graph shows the same ones, including those that a container has for the resource.
    """
    lines: list[Line] = []
    refs: list[str] = []
    for title, after in (("depends on", False), ("dependents", True)):
        near = around.near(vertex, after=after)
        lines.append(line((title, "title"), (f"  {len(near)}", "dim")))
        refs.append("")
        for link in near:
            rows = link_lines(around, link)
            lines += rows
            refs += [str(around.graph.provenance.refs[link.vertex])] * len(rows)
    return lines, refs


def link_lines(around: Surroundings, link: Neighbour) -> list[Line]:
    """Return a neighbour with each relationship that makes it one."""
    refs = around.graph.provenance.refs
    other = str(refs[link.vertex])
    through = "" if link.through is None else f"  through {printable(str(refs[link.through]))}"
    found = [edge_line(one, other) for one in around.relationships(link)]
    return [(*row, Piece(through, "dim")) for row in found]
