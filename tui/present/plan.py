"""What a real run would do, before it is allowed to: the plan that `apply --real` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.apply.engine.world import Planned
from analyzer.export.runs.progress import PLANNED, planned
from tui.present.glyphs import LOOKS
from tui.present.pieces import BLANK, Line, line, printable, ref_pieces

if TYPE_CHECKING:
    from analyzer.apply.timeline import Timeline

# How the groups of a plan look; the others look like their names.
LOOK = {"changed": "noop", "refreshed": "restarted", "withheld": "restarted"}
# The style of a line of a difference, by its first letter.
DIFFERENCE = {"+": "added", "-": "removed", "@": "place"}


def plan_lines(timeline: Timeline) -> list[Line]:
    """Return what a run that was planned to its end would do, in order, with the differences."""
    diffs = timeline.world.diffs if isinstance(timeline.world, Planned) else {}
    rows: list[Line] = []
    count = 0
    for one in planned(timeline, diffs):
        count += 1
        look = LOOKS[LOOK.get(one.group, one.group)]
        words = f"{PLANNED.get(one.group, one.group)}{': ' * bool(one.said)}{printable(one.said)}"
        name = ref_pieces(printable(one.ref))
        rows.append(line((f" {look.glyph} ", look.style), *name, (f"  {words}", style(one.group))))
        rows += [line("     ", (printable(doubt), "warning")) for doubt in one.doubts]
        rows += [line("     ", difference(text)) for text in one.diff]
    fails = [line((f"The run fails: {printable(timeline.error)}", "failed"))] * bool(timeline.error)
    if not rows:
        return fails or [line("This machine is as the catalog wants it: nothing would be changed.")]
    head = f"{count:,} {'change' if count == 1 else 'changes'} would be made on this machine"
    return [*fails, line((f"{head}, in this order:", "strong")), BLANK, *rows]


def style(group: str) -> str:
    """Return the style of what is said of a group."""
    return "failed" if group == "failed" else "dim"


def difference(text: str) -> tuple[str, str]:
    """Return a line of a difference with its style."""
    return printable(text), DIFFERENCE.get(text[:1], "dim")
