"""The screen Report: the totals of the run, its slowest resources, and its log."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from analyzer.diagnostics import InputError
from tui.present.fit import clean, length, wrapped
from tui.present.pieces import line, plain
from tui.present.policy_report import of_agent
from tui.present.report_page import ReportPage, page, title, totals
from tui.present.run_facts import (
    NO_SECONDS,
    NOT_MEASURED,
    RunFacts,
    chain,
    filtered,
    of_recorded,
    of_run,
    of_timeline,
)
from tui.project.catalog import statement_of
from tui.run.agent_timeline import AgentTimeline
from tui.run.threads import in_thread
from tui.screens.base import View
from tui.widgets.bars import Bar
from tui.widgets.rows import Rows

if TYPE_CHECKING:
    from tui.keys.context import KeyContext
    from tui.project.project import Project


# Columns of the totals, without their border and scroll bar.
TOTALS = 27


# The names of the kinds of run.
RUNS = {
    "simulated": "simulated run",
    "host": "noop run on this host",
    "real": "real run on this host",
    "recorded": "recorded run",
    "agent": "simulated run of the agent",
}


class ReportScreen(View):
    """Shows totals on the left, sections on the right."""

    ID = "report"
    FILTERED = ("report",)
    AUTO_FOCUS = "#report"

    def __init__(self, context: KeyContext) -> None:
        super().__init__(context)
        self.page = ReportPage()
        self.facts: RunFacts | None = None

    def panes(self) -> ComposeResult:
        """Yield the panes."""
        yield Bar(id="run-of")
        with Horizontal():
            yield Rows(id="totals")
            with Vertical():
                yield Rows(id="report")
                yield Rows(id="whole")

    # ------------------------------------------------------------------ showing

    def show_project(self, project: Project) -> None:
        """Clear the old report."""
        self.facts = None
        self.filters = {}
        self.query_one("#run-of", Bar).show(line((" reading the run ...", "dim")))

    def show_run(self) -> None:
        """Summarise the run in a thread, because a large one takes long."""
        project = self.controller.project
        if project is None:
            return
        recorded = self.controller.kind.fixed and project.kind == "report"
        if recorded and self.facts is not None and self.facts.recorded:
            return
        # The run may go on meanwhile, so a copy of it is summarised.
        kind = self.controller.kind
        why = NO_SECONDS if kind.id == "simulated" else NOT_MEASURED
        timeline = self.controller.timeline.fork()
        now = partial(of_timeline, timeline, RUNS[kind.id], why)
        if isinstance(timeline, AgentTimeline):
            now = partial(of_agent, timeline)
        make = partial(facts_of, project) if recorded else now
        real = self.controller.real_run
        if project.run is not None or real is not None:
            make = partial(timed, make, project, real.journal if real else "")
        self.run_worker(self.sum_up(project, make), group="report", exclusive=True)

    async def sum_up(self, project: Project, make: Callable[[], RunFacts]) -> None:
        """Summarise a run, and show the result."""
        try:
            facts = await in_thread(make)
        except InputError as error:
            self.refused(str(error))
        else:
            self.show_facts(project, facts)

    def refused(self, why: str) -> None:
        """Show why there is no report."""
        self.query_one("#run-of", Bar).show(line((f" {clean(why)}", "failed")))

    def show_facts(self, project: Project, facts: RunFacts) -> None:
        """Show the facts of the run."""
        if project is not self.controller.project:
            return
        facts = replace(facts, incomplete=statement_of(project.graph))
        self.facts = facts
        self.query_one("#totals", Rows).show(totals(facts, TOTALS), 0)
        self.show_page()

    def show_page(self) -> None:
        """Show the sections that pass the filter."""
        if self.facts is None:
            return
        wanted = self.filters.get("report", "")
        self.page = page(filtered(self.facts, wanted))
        right = line((f"/{clean(wanted)}/ ", "accent")) if wanted else ()
        self.query_one("#run-of", Bar).show(title(self.facts, self.size.width - 30), right)
        self.query_one("#report", Rows).show(self.page)
        self.show_whole()

    def show_whole(self) -> None:
        """Show the line under the cursor in full, if it is cut above."""
        rows, pane = self.query_one("#report", Rows), self.query_one("#whole", Rows)
        room = max(20, pane.size.width - 1)
        row = self.page[rows.cursor] if rows.cursor < len(self.page) else ()
        lines = wrapped(plain(row).strip(), room) if length(row) > rows.size.width else []
        pane.show([line(text) for text in lines], 0)

    def on_resize(self) -> None:
        """Wrap the lines."""
        super().on_resize()
        self.call_after_refresh(self.show_whole)

    def filter_pane(self, pane: str, text: str) -> None:
        """Show only the lines that have all words of a text."""
        self.filters[pane] = text
        self.show_page()

    # ------------------------------------------------------------------ actions

    def on_rows_highlighted(self, event: Rows.Highlighted) -> None:
        """Select the resource of the line under the cursor."""
        self.show_whole()
        ref = self.ref_at(event.index) if event.rows.id == "report" else None
        project = self.controller.project
        found = project.graph.find(ref) if project and ref else None
        if found is not None:
            self.controller.select(found, "report")

    def ref_at(self, place: int) -> str | None:
        """Return the resource of a line."""
        return self.page.made(place)[1] if place < len(self.page) else None

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """Show the run at the resource."""
        self.do_report_run()

    def do_report_run(self) -> None:
        """Show the selection in the run."""
        self.app.switch_mode("run")

    def do_report_graph(self) -> None:
        """Show the selection in the graph."""
        self.app.switch_mode("graph")

    def do_report_next(self) -> None:
        """Go to the next section."""
        self.jump(1)

    def do_report_previous(self) -> None:
        """Go to the previous section."""
        self.jump(-1)

    def jump(self, step: int) -> None:
        """Go from one section to another; its head becomes the first line."""
        rows = self.query_one("#report", Rows)
        found = self.page.beyond(rows.cursor, step)
        if found is None:
            self.controller.notify(f"this is the {'last' if step > 0 else 'first'} section")
            return
        rows.move(found)
        rows.scroll_to(y=found, animate=False)


def facts_of(project: Project) -> RunFacts:
    """Return the facts of a recorded run.

    Raises:
        InputError: the report cannot be read.
    """
    from analyzer.apply.report.runs import load, read_report
    from analyzer.session.inputs import read_input

    data = read_input(project.path)
    graph = project.graph if project.has_catalog else None
    report = read_report(data, project.path)
    if report is None:
        return of_run(load(data, project.path), graph, {})
    return of_recorded(report, project.path, graph)


def timed(make: Callable[[], RunFacts], project: Project, journal: str) -> RunFacts:
    """Return the facts of a run with its times, from its journal or from the recorded run."""
    from analyzer.apply.report.runs import load
    from analyzer.session.inputs import read_input

    facts = make()
    run = load(read_input(journal), journal) if journal else project.run
    if run is None or not run.measured or facts.run is not None:
        return facts
    found, why = chain(run, project.graph)
    return replace(facts, run=run, timing=found, no_chain=why)
