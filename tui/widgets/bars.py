"""The bars: the status line at the top, and the hints at the bottom."""

from __future__ import annotations

from textual import events
from textual.strip import Strip

from tui.present.pieces import Line
from tui.widgets.painting import Painted


class Bar(Painted):
    """One line of pieces; `parts` are the columns that carry out an action when clicked."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.left: Line = ()
        self.right: Line = ()
        self.parts: list[tuple[int, int, str]] = []

    def show(
        self, left: Line, right: Line = (), parts: list[tuple[int, int, str]] | None = None
    ) -> None:
        """Show pieces at both ends; `parts` are columns from, up to, and an action's id."""
        if (left, right) != (self.left, self.right):
            self.left, self.right, self.parts = left, right, parts or []
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw the line: the left end is cut to keep the right end."""
        base, width = self.rich_style, self.size.width
        room = width - sum(len(piece.text) for piece in self.right)
        if y or room < 0:
            return self.strip(self.left if not y else (), width, base)
        found = self.strip(self.left, room, base), self.strip(self.right, width - room, base)
        return Strip.join(found)

    def on_click(self, event: events.Click) -> None:
        """Carry out the action that was clicked."""
        for start, end, action in self.parts:
            if start <= event.x < end:
                self.app.call_later(self.app.run_action, f"act('{action}')")
