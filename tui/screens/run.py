"""The screen Run: what is next and what waits, what contains what, what happened."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal

from analyzer.apply.commands import Step, StepBack
from tui.present.pieces import line, printable, ref_pieces
from tui.screens.base import View
from tui.widgets.rows import Rows


class RunScreen(View):
    """A run at one of its steps."""

    ID = "run"
    AUTO_FOCUS = "#frontier"

    def panes(self) -> ComposeResult:
        """Yield the panes."""
        with Horizontal():
            yield Rows(id="frontier", empty="nothing is ready")
            yield Rows(id="log", empty="nothing has happened yet")

    def show_run(self) -> None:
        """Show the run as it is now."""
        timeline = self.controller.timeline
        self.ready = timeline.ready()
        self.query_one("#frontier", Rows).show([ref_pieces(str(ref)) for ref in self.ready])
        found = [line(printable(one.console())) for one in timeline.log()]
        self.query_one("#log", Rows).show(found, len(found) - 1)

    def on_rows_highlighted(self, event: Rows.Highlighted) -> None:
        """Select the resource under the cursor."""
        if event.rows.id == "frontier":
            self.controller.select(self.ready[event.index], "frontier")

    def do_step(self) -> None:
        """Apply the next resource."""
        self.controller.do(Step())

    def do_back(self) -> None:
        """Go back a step."""
        self.controller.do(StepBack())
