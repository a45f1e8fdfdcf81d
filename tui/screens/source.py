"""The screen Source."""

from __future__ import annotations

from textual.app import ComposeResult

from tui.present.pieces import ref_pieces
from tui.screens.base import View
from tui.widgets.rows import Rows


class SourceScreen(View):
    """The selection."""

    ID = "source"

    def panes(self) -> ComposeResult:
        """Yield the panes."""
        yield Rows(id="source")

    def show_selection(self) -> None:
        """Show the selected resource."""
        self.query_one("#source", Rows).show([ref_pieces(str(self.controller.selection))])
