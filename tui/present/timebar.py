"""The timeline of a run as text: a mark for each step, and the current position."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise
from typing import TYPE_CHECKING

from tui.present.glyphs import BREAK, LOOKS
from tui.present.pieces import Line, Piece
from tui.run.story import GRADES

if TYPE_CHECKING:
    from tui.run.story import Story

UNKNOWN, QUIET, STEERED = "\N{MIDDLE DOT}", "\N{BOX DRAWINGS LIGHT HORIZONTAL}", "\N{BLACK DIAMOND}"
# Columns that the sign of a pass needs.
ROOM = 3
CURSOR = "\N{BLACK UP-POINTING SMALL TRIANGLE}"
LOOK = {grade: (LOOKS[grade].glyph, LOOKS[grade].style) for grade in GRADES if grade in LOOKS}
LOOK["steered"] = (STEERED, "mark")
LOOK["unchanged"] = (QUIET, "dim")
ORDER = {grade: number for number, grade in enumerate(GRADES)}


def length(story: Story, resources: int) -> int:
    """Return how many steps the run has, at least."""
    return max(len(story.grades) - 1, resources)


def cell_of(step: int, steps: int, width: int) -> int:
    """Return the column of a step."""
    return min(width - 1, step * width // (steps + 1)) if steps else 0


def step_of(cell: int, steps: int, width: int) -> int:
    """Return the first step of a column."""
    return min(steps, -(-cell * (steps + 1) // width)) if width else 0


def bar(
    story: Story, position: int, steps: int, width: int, stops: Collection[int]
) -> tuple[Line, Line]:
    """Return the marks, and below them position, breakpoints and passes; later steps are faint."""
    here = cell_of(position, steps, width)
    if steps < width:
        marks = spread(story, position, steps, width)
    else:
        found = worst(story, steps, width)
        marks = [mark(grade, cell > here) for cell, grade in enumerate(found)]
    below = [Piece(" ")] * width
    # Too many passes would hide everything else.
    few = len(story.passes) * ROOM <= width
    for step, sign in story.passes.items() if few else ():
        below[cell_of(step, steps, width)] = Piece(sign[:1], "faint")
    for step in stops:
        below[cell_of(step, steps, width)] = Piece(BREAK, "breakpoint")
    below[here] = Piece(CURSOR, "next")
    return tuple(marks), tuple(below)


def worst(story: Story, steps: int, width: int) -> list[int]:
    """Return the most severe grade of the steps of each column, -1 without a known step."""
    begins = [-(-cell * (steps + 1) // width) for cell in range(width + 1)]
    columns = (story.grades[begin:end] for begin, end in pairwise(begins))
    return [min(map(ORDER.__getitem__, some), default=-1) for some in columns]


def spread(story: Story, position: int, steps: int, width: int) -> list[Piece]:
    """Return the marks of a short run: each step has several columns, the first has its mark."""
    marks = []
    for cell in range(width):
        step = cell * (steps + 1) // width
        is_first = cell == 0 or (cell - 1) * (steps + 1) // width != step
        known = step < len(story.grades)
        if not known:
            marks.append(Piece(UNKNOWN if is_first else " ", "faint"))
            continue
        grade = story.grades[step] if is_first else "unchanged"
        marks.append(mark(GRADES.index(grade), step > position))
    return marks


def mark(found: int, is_ahead: bool) -> Piece:
    """Return the mark of a column."""
    if found < 0:
        return Piece(UNKNOWN, "faint")
    glyph, style = LOOK[GRADES[found]]
    return Piece(glyph, "faint" if is_ahead else style)
