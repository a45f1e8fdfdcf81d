"""Two branches of a run side by side: which resources end differently in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.apply.timeline import Timeline
from tui.present.glyphs import LOOKS, word_of
from tui.present.pieces import BLANK, Line, Piece, line, printable, ref_pieces

if TYPE_CHECKING:
    from tui.branch import Branch


def at_the_end(timeline: Timeline) -> Timeline:
    """Return a run at its end; the one that is given stays where it is."""
    return timeline.fork().run()


def words(timeline: Timeline) -> dict[int, str]:
    """Return what became of each resource."""
    graph = timeline.graph
    statuses = enumerate(timeline.state.statuses)
    return {
        node: word_of(status)
        for node, status in statuses
        if status is not None and graph.resource(node) is not None
    }


def compare_lines(one: Branch, other: Branch) -> tuple[list[Line], list[str]]:
    """Return what differs at the ends of two branches, and the reference of each line."""
    first, second = at_the_end(one.timeline), at_the_end(other.timeline)
    here, there = words(first), words(second)
    names = first.graph.names
    differing = [n for n in sorted({*here, *there}) if here.get(n) != there.get(n)]
    width = (
        max(
            (len(LOOKS[w].word) for n in differing for w in (here.get(n), there.get(n)) if w),
            default=0,
        )
        + 2
    )
    lines: list[Line] = [
        line(
            ("at the end of ", "dim"),
            (one.name, "strong"),
            f" {first.status}",
            ("   of ", "dim"),
            (other.name, "strong"),
            f" {second.status}",
        ),
        BLANK,
    ]
    refs = ["", ""]
    for node in differing:
        cells = [cell(found.get(node), width) for found in (here, there)]
        lines.append((*cells[0], *cells[1], *ref_pieces(printable(names[node]))))
        refs.append(names[node])
    if not differing:
        lines.append(line("every resource ends the same in both"))
        refs.append("")
    else:
        lines[1] = line((f"{len(differing):,} resources end differently", "title"))
    return lines, refs


def cell(word: str | None, width: int) -> Line:
    """Return what became of a resource, in a column."""
    if word is None:
        return (Piece(f"{'not reached':<{width + 2}}", "dim"),)
    look = LOOKS[word]
    return (Piece(f"{look.glyph} {look.word:<{width}}", look.style),)
