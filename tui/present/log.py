"""The log of a run as lines: step, resource, property, message."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from tui.present.computed import ComputedSequence
from tui.present.glyphs import LOOKS
from tui.present.pieces import Line, Piece, printable, ref_pieces

if TYPE_CHECKING:
    from tui.run.story import Story, StoryLine

# The most bytes and rows of the output of a running command that are shown.
MOST_BYTES, MOST_ROWS = 64_000, 500

LEVELS = {"err": "failed", "warning": "warning", "info": "dim", "debug": "faint"}


class LogLines(ComputedSequence[Line]):
    """The first lines of a story's log; `chosen` are the places of those that pass a filter."""

    def __init__(self, story: Story, count: int, chosen: Sequence[int] | None = None) -> None:
        self.story = story
        self.chosen = chosen
        self.length = count if chosen is None else bisect_left(chosen, count)

    def __len__(self) -> int:
        return self.length

    def entry(self, index: int) -> StoryLine:
        """Return the entry of a line."""
        return self.story.entries[index if self.chosen is None else self.chosen[index]]

    def item(self, index: int) -> Line:
        """Return the line at an index."""
        return log_line(self.story, self.entry(index))


class LiveLog(ComputedSequence[Line]):
    """A log, and below it the output of the command that runs now."""

    def __init__(self, log: LogLines, output: Iterable[bytes]) -> None:
        self.log = log
        text = b"".join(output)[-MOST_BYTES:].decode("utf-8", "replace")
        # A progress bar writes over its line.
        rows = [row.rstrip().rpartition("\r")[2] for row in text.split("\n")]
        self.output = [row for row in rows if row][-MOST_ROWS:]

    def __len__(self) -> int:
        return len(self.log) + len(self.output)

    def item(self, index: int) -> Line:
        """Return the line at an index."""
        if index < len(self.log):
            return self.log.item(index)
        text = self.output[index - len(self.log)]
        return (Piece("      | ", "faint"), Piece(printable(text)))


def log_line(story: Story, entry: StoryLine) -> Line:
    """Return a line of the log: step, resource, property, message."""
    style = LEVELS.get(entry.level, "")
    look = LOOKS["failed"] if entry.level == "err" else None
    glyph = Piece(f"{look.glyph if look else ' '} ", "failed")
    head = (Piece(f"{entry.step or '':>5} ", "faint"), glyph)
    if entry.node is None:
        return (*head, Piece(printable(entry.message), style))
    name = ref_pieces(printable(story.timeline.graph.names[entry.node]))
    part = f" {entry.part}" if entry.part else ""
    return (*head, *name, Piece(part, "dim"), Piece("  "), Piece(printable(entry.message), style))
