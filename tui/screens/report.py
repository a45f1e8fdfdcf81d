"""The screen Report."""

from __future__ import annotations

from textual.app import ComposeResult

from tui.present.pieces import ref_pieces
from tui.screens.base import View
from tui.widgets.rows import Rows


class ReportScreen(View):
    """The selection."""

    ID = "report"

    def panes(self) -> ComposeResult:
        """Yield the panes."""
        yield Rows(id="report")

    def show_selection(self) -> None:
        """Show the selected resource."""
        self.query_one("#report", Rows).show([ref_pieces(str(self.controller.selection))])
