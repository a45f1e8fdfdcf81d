"""What a real run would do, before it is allowed to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.apply.breakpoints import is_failure
from analyzer.apply.events import Changed, Refreshed, RefreshWithheld
from tui.present.glyphs import LOOKS
from tui.present.pieces import BLANK, Line, line, printable, ref_pieces

if TYPE_CHECKING:
    from analyzer.apply.timeline import Timeline


def plan_lines(timeline: Timeline) -> list[Line]:
    """Return what a noop run at its end says would be done, in order."""
    names = timeline.graph.names
    rows: list[Line] = []
    for event in timeline.past():
        if isinstance(event, Changed):
            look = LOOKS["failed" if is_failure(event) else "noop"]
            name = ref_pieces(printable(names[event.node]))
            message = event.event.message.removesuffix(" (noop)")
            said = f"  {event.event.property}: {printable(message)}"
            rows.append(line((f" {look.glyph} ", look.style), *name, (said, "dim")))
        elif isinstance(event, Refreshed | RefreshWithheld) and timeline.graph.resource(event.node):
            look = LOOKS["restarted"]
            name = ref_pieces(printable(names[event.node]))
            rows.append(line((f" {look.glyph} ", look.style), *name, ("  refresh", "dim")))
        elif is_failure(event):
            look = LOOKS["failed"]
            node = getattr(event, "node", 0)
            reason = printable(str(getattr(event, "reason", "its provider does not work here")))
            name = ref_pieces(printable(names[node]))
            rows.append(line((f" {look.glyph} ", look.style), *name, (f"  {reason}", "failed")))
    if not rows:
        return [line("This machine is as the catalog wants it: nothing would be changed.")]
    head = line((f"{len(rows):,} changes would be made on this machine, in this order:", "strong"))
    return [head, BLANK, *rows]
