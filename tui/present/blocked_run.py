"""The reason why a run cannot start: its cycles, or a reference to a missing resource."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from analyzer.model.nouns import counted
from tui.present.glyphs import ARROWS, LOOKS
from tui.present.pieces import BLANK, Line, line, printable, ref_pieces

if TYPE_CHECKING:
    from analyzer.apply.timeline import Timeline
    from analyzer.graph.cycles.search import Cycle


def why_blocked(timeline: Timeline, cycles: Sequence[Cycle]) -> tuple[list[Line], list[int | None]]:
    """Return the lines, and the node that each is about."""
    look = LOOKS["failed"]
    numbered: list[tuple[Line, int | None]] = [
        (line((f" {look.glyph} The run cannot start", look.style)), None),
        (line(f"   {printable(timeline.error)}"), None),
    ]
    for number, cycle in enumerate(cycles, 1):
        head = f" cycle {number} of {len(cycles)}" if len(cycles) > 1 else " cycle"
        members = counted(len(cycle.members), "resource")
        numbered += [(BLANK, None), (line((head, "title"), (f"  {members}", "dim")), None)]
        for place, ref in enumerate(cycle.path):
            arrow = ARROWS["before"] if place else " "
            row = line(f"  {arrow} ", *ref_pieces(printable(str(ref))))
            numbered.append((row, timeline.graph.find(str(ref))))
    if cycles:
        numbered += [
            (BLANK, None),
            (line((" 2 ", "key"), "show it in the graph, with a cut"), None),
            (line((" y ", "key"), "copy it as Markdown"), None),
        ]
    return [row for row, _ in numbered], [node for _, node in numbered]
