"""The lines about the cell under the cursor of the graph: the edge between it and the centre."""

from __future__ import annotations

from analyzer.frontends.source_texts import Texts
from analyzer.graph.phrases import remark, word
from analyzer.model.nouns import counted
from analyzer.model.relationship import Relationship
from analyzer.source import Span
from tui.present.columns import Cell
from tui.present.drawing import STROKES, TIMES
from tui.present.fit import clean, cut
from tui.present.pieces import Line, Piece, line, ref_pieces
from tui.project.neighbours import AUTO, BEFORE, NOTIFY, Surroundings, kind_of

# The most resources of a group, and relationships of an edge, that are shown.
NAMED = 6

LEGEND = line(
    ("── ", BEFORE),
    ("before  ", "dim"),
    ("══ ", NOTIFY),
    ("refreshes  ", "dim"),
    ("╌╌ ", AUTO),
    ("automatic", "dim"),
)


def about(cell: Cell, around: Surroundings, texts: Texts) -> list[Line]:
    """Return the lines about a cell."""
    if cell.is_fold:
        return about_fold(cell, around)
    if cell.role == "near" and cell.link is not None:
        return about_edge(cell, around, texts)
    if cell.role in ("holder", "content") and cell.parent is not None:
        outer, inner = cell.vertex, cell.parent.vertex
        if cell.role == "content":
            outer, inner = inner, outer
        return about_containment(outer, inner, around, texts)
    return about_focus(cell, around, texts)


def about_fold(cell: Cell, around: Surroundings) -> list[Line]:
    """Return the resources of a collapsed group."""
    refs = around.graph.provenance.refs
    kind = around.graph.resources[cell.vertex].type
    head = line(
        (f"{clean(kind)} {TIMES} {len(cell.members):,}", "strong"),
        ("  press space to expand", "dim"),
    )
    rows = [ref_pieces(clean(str(refs[v]))) for v in cell.members[:NAMED]]
    left = len(cell.members) - NAMED
    return [head, *rows, *([line((f"... and {left:,} more", "dim"))] if left > 0 else [])]


def about_edge(cell: Cell, around: Surroundings, texts: Texts) -> list[Line]:
    """Return the edge between a cell and the one nearer to the centre, with its origins."""
    link, parent = cell.link, cell.parent
    if link is None or parent is None:
        return []
    refs = around.graph.provenance.refs
    ends = [refs[parent.vertex], refs[link.vertex]]
    first, second = ends if cell.column > 0 else ends[::-1]
    made = around.relationships(link)
    kind = kind_of(made)
    arrow = f" {STROKES[kind] * 2}▶ "
    head = [
        *ref_pieces(clean(str(first)), "strong"),
        Piece(arrow, kind),
        *ref_pieces(clean(str(second)), "strong"),
    ]
    if link.through is not None:
        head.append(Piece(f"  through {clean(str(refs[link.through]))}", "dim"))
    rows = [row for one in made[:NAMED] for row in made_by(one, texts)]
    left = len(made) - NAMED
    return [tuple(head), *rows, *([line((f"... and {left:,} more", "dim"))] if left > 0 else [])]


def about_containment(outer: int, inner: int, around: Surroundings, texts: Texts) -> list[Line]:
    """Return the line that names a resource's container, with the place of the statement."""
    refs = around.graph.provenance.refs
    head = (
        *ref_pieces(clean(str(refs[outer])), "strong"),
        Piece(" contains ", "contains"),
        *ref_pieces(clean(str(refs[inner])), "strong"),
    )
    made = around.graph.provenance.contains(outer, inner)
    return [head, *place_rows(made.origin.span, "", "contains", texts)]


def about_focus(cell: Cell, around: Surroundings, texts: Texts) -> list[Line]:
    """Return how many dependencies and dependents a resource has, and its declaration."""
    vertex = cell.vertex
    before, after = (len(around.near(vertex, after=after)) for after in (False, True))
    inside = len(around.graph.contents.get(vertex, ()))
    figures = f"depends on {before:,}, {after:,} {'depends' if after == 1 else 'depend'} on it"
    figures += f", contains {counted(inside, 'resource')}" if inside else ""
    head = (*ref_pieces(clean(str(around.graph.resources[vertex])), "strong"),)
    span = around.graph.resources[vertex].span
    rows: list[Line] = [(*head, Piece(f"  {figures}", "dim"))]
    rows += place_rows(span, "declared", "dim", texts) if span else []
    own = next((x for x in around.near(vertex, after=True) if x.vertex == vertex), None)
    if own is not None:
        rows.append(line(("it depends on itself", "failed")))
        rows += [row for one in around.relationships(own) for row in made_by(one, texts)]
    return rows


def made_by(one: Relationship, texts: Texts) -> list[Line]:
    """Return the origin of an edge: its word, its remark, its place and the source line."""
    kind = kind_of((one,))
    rows = place_rows(one.origin.span, word(one), kind, texts, declared=one.origin.at_declaration)
    note = Piece(f"  {clean(remark(one))}")
    return [(*rows[0][:1], note), *rows[1:]] if rows else [line((word(one), kind), note)]


def place_rows(
    span: Span | None, what: str, style: str, texts: Texts, *, declared: bool = False
) -> list[Line]:
    """Return a place, and its source line; `declared` marks the place of a declaration."""
    if span is None:
        return [line((f"  {what}", style), ("  position unknown", "dim"))]
    text = cut(texts.line(span).strip(), 400)
    said = ("declared at " if declared else "", "dim")
    place = line(
        "    ", said, (clean(f"{texts.short(span.file)}:{span.line}"), "place"), f"  {text}"
    )
    return [line((f"  {what}", style)), place]
