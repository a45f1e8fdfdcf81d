"""Why a run cannot begin: a cycle, or a reference to what there is not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from analyzer.model.nouns import counted
from tui.present.glyphs import ARROWS, LOOKS
from tui.present.pieces import BLANK, Line, line, printable, ref_pieces

if TYPE_CHECKING:
    from analyzer.apply.timeline import Timeline
    from analyzer.graph.cycles.search import Cycle


def hindrance(timeline: Timeline, cycles: Sequence[Cycle]) -> tuple[list[Line], list[int | None]]:
    """Return what is said, and the node that each line is about."""
    look = LOOKS["failed"]
    said: list[tuple[Line, int | None]] = [
        (line((f" {look.glyph} The run cannot begin", look.style)), None),
        (line(f"   {printable(timeline.error)}"), None),
    ]
    for number, cycle in enumerate(cycles, 1):
        head = f" cycle {number} of {len(cycles)}" if len(cycles) > 1 else " the cycle"
        members = counted(len(cycle.members), "member")
        said += [(BLANK, None), (line((head, "title"), (f"  {members}", "dim")), None)]
        for place, ref in enumerate(cycle.path):
            arrow = ARROWS["before"] if place else " "
            row = line(f"  {arrow} ", *ref_pieces(printable(str(ref))))
            said.append((row, timeline.graph.find(str(ref))))
    if cycles:
        said += [
            (BLANK, None),
            (line((" 2 ", "key"), "shows it in the graph, with what to cut"), None),
            (line((" y ", "key"), "copies it as markdown"), None),
        ]
    return [row for row, _ in said], [node for _, node in said]
