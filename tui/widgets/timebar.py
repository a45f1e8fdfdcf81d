"""The timeline of a run; a click goes to a step."""

from __future__ import annotations

from textual import events
from textual.message import Message
from textual.strip import Strip

from tui.present.pieces import Line, Piece
from tui.present.timebar import bar, step_of
from tui.run.story import Story
from tui.widgets.painting import Painted


class TimeBar(Painted):
    """Draws two lines: the marks of steps, and the position with the breakpoints."""

    class Sought(Message):
        """A step was clicked."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.story: Story | None = None
        self.position = 0
        self.steps = 0
        self.stops: frozenset[int] = frozenset()
        self._drawn: tuple[tuple[object, ...], tuple[Line, Line]] | None = None

    def show(self, story: Story, position: int, steps: int, stops: frozenset[int]) -> None:
        """Show a run at a step."""
        self.story, self.position, self.steps, self.stops = story, position, steps, stops
        self._drawn = None
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw one of the lines."""
        width = self.size.width
        base = self.rich_style
        if self.story is None or width < 3 or y > 1:
            return Strip.blank(width, base)
        if self._drawn is None or self._drawn[0] != (width,):
            lines = bar(self.story, self.position, self.steps, width - 2, self.stops)
            self._drawn = ((width,), lines)
        return self.strip((Piece(" "), *self._drawn[1][y]), width, base)

    def on_click(self, event: events.Click) -> None:
        """Go to the step that was clicked."""
        if self.story is not None:
            cell = max(0, min(event.x - 1, self.size.width - 3))
            self.post_message(self.Sought(step_of(cell, self.steps, self.size.width - 2)))
