"""The plan of a real run, as `apply --real` prints it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.apply.engine.world import PlannedHost
from analyzer.export.runs.progress import PLANNED, planned
from analyzer.model.nouns import counted
from tui.present.glyphs import LOOKS
from tui.present.pieces import BLANK, Line, line, printable, ref_pieces

if TYPE_CHECKING:
    from analyzer.apply.timeline import Timeline

# The looks of the groups of a plan whose names differ from those of looks.
LOOK = {"changed": "noop", "refreshed": "restarted", "withheld": "restarted"}
# The style of a line of a difference, by its first letter.
DIFFERENCE = {"+": "added", "-": "removed", "@": "place"}


def plan_lines(timeline: Timeline) -> list[Line]:
    """Return the changes of a planned run in order, with the diffs of files."""
    diffs = timeline.world.diffs if isinstance(timeline.world, PlannedHost) else {}
    rows: list[Line] = []
    count = 0
    for one in planned(timeline, diffs):
        count += 1
        look = LOOKS[LOOK.get(one.group, one.group)]
        words = (
            f"{PLANNED.get(one.group, one.group)}{': ' * bool(one.message)}{printable(one.message)}"
        )
        name = ref_pieces(printable(one.ref))
        rows.append(line((f" {look.glyph} ", look.style), *name, (f"  {words}", style(one.group))))
        rows += [line("     ", (printable(doubt), "warning")) for doubt in one.doubts]
        rows += [line("     ", difference(text)) for text in one.diff]
    fails = [line((f"The run would fail: {printable(timeline.error)}", "failed"))] * bool(
        timeline.error
    )
    if not rows:
        return fails or [line("This host is in sync with the catalog: nothing to change.")]
    head = f"{counted(count, 'change')} to this host"
    return [*fails, line((f"{head}, in this order:", "strong")), BLANK, *rows]


def style(group: str) -> str:
    """Return the style of the message of a group."""
    return "failed" if group == "failed" else "dim"


def difference(text: str) -> tuple[str, str]:
    """Return a line of a difference with its style."""
    return printable(text), DIFFERENCE.get(text[:1], "dim")
