"""The screen Report: what the run came to, what took long, and what was logged."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Horizontal

from tui.messages import Told
from tui.present.pieces import line
from tui.present.report_page import ReportPage, page, title, totals
from tui.present.run_facts import RunFacts
from tui.screens.base import View
from tui.widgets.bars import Bar
from tui.widgets.rows import Rows

if TYPE_CHECKING:
    from tui.project import Project


class ReportScreen(View):
    """Totals on the left, sections on the right."""

    ID = "report"
    AUTO_FOCUS = "#report"

    def __init__(self) -> None:
        super().__init__()
        self.page = ReportPage()
        self.facts: RunFacts | None = None

    def panes(self) -> ComposeResult:
        """Yield the panes."""
        yield Bar(id="run-of")
        with Horizontal():
            yield Rows(id="totals")
            yield Rows(id="report")

    # ------------------------------------------------------------------ what is shown

    def show_project(self, project: Project) -> None:
        """Forget what was shown."""
        self.facts = None
        self.query_one("#run-of", Bar).show(line((" reading the run ...", "dim")))

    def show_run(self) -> None:
        """Sum up the run in a thread of its own: that takes a while in a large one."""
        project = self.controller.project
        if project is None or (self.facts is not None and self.facts.recorded):
            return
        work = partial(self.sum_up, project, self.controller.timeline)
        self.run_worker(work, thread=True, group="report", exclusive=True)
