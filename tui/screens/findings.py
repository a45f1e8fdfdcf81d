"""The screen Findings."""

from __future__ import annotations

from textual.app import ComposeResult

from tui.present.pieces import ref_pieces
from tui.screens.base import View
from tui.widgets.rows import Rows


class FindingsScreen(View):
    """The selection."""

    ID = "findings"

    def panes(self) -> ComposeResult:
        """Yield the panes."""
        yield Rows(id="findings")

    def show_selection(self) -> None:
        """Show the selected resource."""
        self.query_one("#findings", Rows).show([ref_pieces(str(self.controller.selection))])
