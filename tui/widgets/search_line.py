"""The line to search a list: '/' shows it, enter goes back to the list, escape ends the search."""

from __future__ import annotations

from textual import events
from textual.widgets import Input

from tui.widgets.rows import Rows


class SearchLine(Input):
    """Goes to the next line that has the words as you type; 'n' and 'N' in the list continue."""

    DEFAULT_CSS = "SearchLine { display: none; }"

    def __init__(self) -> None:
        super().__init__(id="search-line", compact=True, placeholder="search")
        self.rows: Rows | None = None

    def ask(self, rows: Rows) -> None:
        """Show the line, with the words that were searched for last."""
        self.rows = rows
        self.value = rows.sought
        self.display = True
        self.focus()

    def leave(self) -> None:
        """Hide the line, and go back to the list."""
        self.display = False
        if self.rows is not None:
            self.rows.focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Go to the next line that has the words."""
        event.stop()
        if self.display and self.rows is not None:
            self.rows.seek(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go back to the list."""
        event.stop()
        self.leave()

    def on_key(self, event: events.Key) -> None:
        """End the search at escape."""
        if event.key == "escape" and self.rows is not None:
            event.stop()
            self.rows.sought = ""
            self.leave()
