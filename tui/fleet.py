"""`catgraph tui SOURCE`: the causes of a fleet, their nodes, and the run of a node."""

from __future__ import annotations

import gc
from collections.abc import Mapping, Sequence
from dataclasses import replace
from time import monotonic
from typing import ClassVar

from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.filter import LineFilter
from textual.worker import get_current_worker

from analyzer.diagnostics import InputError
from analyzer.fleet.engine import Engine
from analyzer.fleet.executors import Opener
from analyzer.fleet.questions.cycles import Cycles
from analyzer.fleet.report import report_of
from analyzer.fleet.run import Fleet, FleetProgress
from analyzer.fleet.store import ResultStore, default_path
from analyzer.fleet.values import CatalogSource, IndexedNode
from analyzer.processes import new_processes
from analyzer.source import Span
from tui.app import VISIBLE, CatgraphApp
from tui.present.fleet import FleetTable
from tui.present.pieces import line, printable
from tui.project.catalog import built
from tui.project.project import OpenRequest, Project
from tui.project.project import Progress as Stage
from tui.run.threads import for_worker
from tui.screens.loading import Loading
from tui.theme import THEMES
from tui.widgets.bars import Bar
from tui.widgets.rows import Rows
from tui.widgets.search_line import SearchLine

HINTS = (
    ("enter", "nodes of a cause; run of a node"),
    ("/", "search"),
    ("q", "quit; from a run, back to here"),
)


def start(source: CatalogSource, question: Cycles, options: Mapping[str, object]) -> int:
    """Show the causes, and the nodes that you open, until you quit; return the exit code.

    Raises:
        InputError: the source cannot be read.
    """
    gc.enable()
    # It takes over the standard error, which has no file number once the screens are shown.
    new_processes()
    table: FleetTable | None = None
    while True:
        app = FleetApp(source, question, table, options)
        node = app.run()
        if app.error is not None:
            raise app.error
        table = app.table
        if node is None or table is None:
            return app.return_code or 0
        NodeApp(source, table.keys[node], node, options).run()


class FleetApp(App[str]):
    """Asks all nodes for cycles, and shows the causes; its result is the node to open."""

    CSS_PATH: ClassVar = ["catgraph.tcss", "views.tcss"]
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar = [Binding("q,ctrl+q,ctrl+c", "quit", priority=True)]

    def __init__(
        self,
        source: CatalogSource,
        question: Cycles,
        table: FleetTable | None,
        options: Mapping[str, object],
    ) -> None:
        super().__init__()
        self.source, self.question, self.table = source, question, table
        self.error: InputError | None = None
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = f"catgraph-{options.get('theme') or 'dark'}"

    def compose(self) -> ComposeResult:
        """Yield the list between its bars."""
        yield Bar(id="top")
        yield Rows(id="causes", empty=" asking the nodes ...")
        yield SearchLine()
        yield Bar(id="hints")

    def on_mount(self) -> None:
        """Show the causes, or ask for them in a thread."""
        hints = [part for key, text in HINTS for part in ((f" {key} ", "key"), f"{text}  ")]
        self.query_one("#hints", Bar).show(line(*hints))
        self.query_one("#causes", Rows).focus()
        if self.table is not None:
            self.call_after_refresh(self.show_table)
        else:
            self.run_worker(for_worker(self.ask), thread=True)

    def ask(self) -> None:
        """Ask all nodes; earlier results are used again."""
        worker = get_current_worker()

        def show(progress: FleetProgress) -> None:
            if worker.is_cancelled:
                raise KeyboardInterrupt
            text = f"{progress.done:,} of {progress.total:,} nodes"
            self.call_from_thread(self.show_top, text)

        opener, began = Opener(), monotonic()
        try:
            with ResultStore(default_path()) as store:
                engine = Engine(opener, opener.count)
                causes, progress = Fleet(self.source, self.question, store, engine, show=show).run()
        except InputError as error:
            self.error = error
            self.call_from_thread(self.exit, None, 2)
            return
        if worker.is_cancelled:
            return
        report = report_of("cycles", self.source.name, causes, progress, monotonic() - began)
        keys = dict(causes.ledger.names())
        self.table = FleetTable(replace(report, nodes=tuple(keys)), keys)
        self.call_from_thread(self.show_table)

    def show_top(self, text: str) -> None:
        """Show a text next to the name of the source."""
        name = (printable(self.source.name), "dim")
        self.query_one("#top", Bar).show(line((" catgraph ", "title"), name), line(f"{text} "))

    def show_table(self) -> None:
        """Show the causes."""
        if self.table is not None:
            self.query_one("#causes", Rows).show(self.table, self.table.cursor)
            self.show_top(self.table.report.summary)

    def on_key(self, event: events.Key) -> None:
        """Search the causes."""
        rows = self.query_one("#causes", Rows)
        if event.key == "slash" and rows.has_focus:
            self.query_one(SearchLine).ask(rows)

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """Show or hide the nodes of a cause; open a node."""
        if self.table is None:
            return
        self.table.cursor = event.index
        number, node = self.table.rows[event.index]
        if node is not None:
            self.exit(node)
            return
        self.table.toggle(number)
        self.show_table()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return the filters for the lines of all widgets."""
        return [*super().get_line_filters(), VISIBLE]


class NodeApp(CatgraphApp):
    """Steps through the run of one node of a source."""

    def __init__(
        self, source: CatalogSource, key: str, title: str, options: Mapping[str, object]
    ) -> None:
        super().__init__(None, options)
        self.source, self.key, self.node = source, key, title

    def on_mount(self) -> None:
        """Open the node."""
        super().on_mount()
        self.open_node()

    def open_node(self) -> None:
        """Fetch and open the node in a thread."""
        self.opening.open_with(Loading(self.node), self.read, self.open_node)

    def read(self, progress: Stage) -> Project:
        """Return the project of the node.

        Raises:
            Exception: the source has no catalog of the node; the error has the reason.
        """
        progress("fetching")
        for _, found in self.source.fetch((IndexedNode(self.key, ""),)):
            if isinstance(found, Exception):
                raise found
            return built(OpenRequest(self.node, self.context.options), found, "catalog", progress)
        raise InputError("the source did not return this node", Span(self.node))
