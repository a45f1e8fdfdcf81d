"""The screen Nodes: the nodes of a repository by their worlds; enter opens a world."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Container, Vertical

from tui.present.fit import clean
from tui.present.nodes import NodeRow, NodeTable, in_full, summary
from tui.present.pieces import Line, line
from tui.run.exploring import ExploringRun
from tui.screens.base import View
from tui.widgets.bars import Bar
from tui.widgets.rows import Rows

if TYPE_CHECKING:
    from tui.keys.context import KeyContext
    from tui.project.repository import NodeResult

# From this width on, the details of a row are next to the table.
WIDE = 130


class NodesScreen(View):
    """Shows the table of nodes and worlds, and the row under the cursor in full."""

    ID = "nodes"
    FILTERED = ("nodes",)
    AUTO_FOCUS = "#nodes"

    def __init__(self, context: KeyContext) -> None:
        super().__init__(context)
        self.exploring: ExploringRun | None = None
        self.table: NodeTable | None = None
        self.version = -1
        # The nodes whose worlds are shown, and those that were opened because they have a cycle.
        self.opened: set[str] = set()
        self.known: set[str] = set()

    def panes(self) -> ComposeResult:
        """Yield the panes."""
        yield Bar(id="nodes-sum")
        with Container(id="nodes-both"):
            with Vertical(id="nodes-table"):
                yield Bar(id="nodes-head")
                yield Rows(id="nodes", empty=" no node has all words of the filter")
            yield Rows(id="node")

    # ------------------------------------------------------------------ showing

    def catch_up(self) -> None:
        """Show the nodes that were explored since the screen was last shown."""
        exploring = self.controller.exploring
        if self.is_there and exploring is not None:
            if exploring is not self.exploring:
                self.exploring, self.table, self.version = exploring, None, -1
                self.opened, self.known, self.filters = set(), set(), {}
            if exploring.version != self.version:
                self.version = exploring.version
                self.open_cycles(exploring)
                self.show_table()
        super().catch_up()

    def open_cycles(self, exploring: ExploringRun) -> None:
        """Show the worlds of nodes that turned out to have a cycle, and those of the only node."""
        only = len(exploring.repository.names) == 1
        for name in exploring.results.keys() - self.known:
            self.known.add(name)
            if only or any(world.state == "cycle" for world in exploring.results[name].worlds):
                self.opened.add(name)

    def show_table(self, at: NodeRow | None = None) -> None:
        """Show the table; the cursor stays on its row unless another is given."""
        exploring = self.exploring
        if exploring is None:
            return
        rows = self.query_one("#nodes", Rows)
        at = at or self.here
        wanted = self.filters.get("nodes", "")
        names = exploring.repository.names
        self.table = NodeTable(
            names,
            exploring.results,
            self.opened,
            wanted,
            exploring.current,
            rows.size.width or self.size.width,
        )
        place = self.table.place(at) if at else 0
        moved = rows.cursor != place or not rows.lines
        rows.show(self.table, place if moved else None)
        self.query_one("#nodes-head", Bar).show(self.table.head())
        words = f"/{clean(wanted)}/ " if wanted else ""
        state = line((words + self.progress(exploring), "dim"))
        self.query_one("#nodes-sum", Bar).show(summary(exploring.results, names), state)
        self.show_row()

    def progress(self, exploring: ExploringRun) -> str:
        """Return the activity: exploring, stopped, or nothing."""
        if exploring.current:
            return "exploring, esc stops "
        return "stopped, r continues " if exploring.missing else ""

    @property
    def here(self) -> NodeRow | None:
        """Return the row under the cursor."""
        at = self.query_one("#nodes", Rows).cursor
        return self.table.rows[at] if self.table and at < len(self.table) else None

    @property
    def result(self) -> NodeResult | None:
        """Return the node under the cursor, once it is explored."""
        here = self.here
        return self.exploring.results.get(here.node) if self.exploring and here else None

    def show_row(self) -> None:
        """Show the row under the cursor in full."""
        pane, here = self.query_one("#node", Rows), self.here
        lines: list[Line] = []
        if here is not None and self.exploring is not None:
            folder = self.exploring.repository.request.path
            lines = in_full(self.result, here.world, max(30, pane.size.width - 2), folder)
        pane.show([line(" ", *row) for row in lines], 0)

    def filter_pane(self, pane: str, text: str) -> None:
        """Show only the nodes that have all words of a text."""
        self.filters[pane] = text
        self.show_table()

    def on_resize(self) -> None:
        """Put the panes side by side where there is room, and fit the columns."""
        super().on_resize()
        self.set_class(self.size.width >= WIDE, "wide")
        self.call_after_refresh(self.show_table)

    # ------------------------------------------------------------------ actions

    def on_rows_highlighted(self, event: Rows.Highlighted) -> None:
        """Show the row under the cursor in full; its node is explored next."""
        if event.rows.id == "nodes":
            here = self.here
            if self.exploring is not None and here is not None:
                self.exploring.wanted = here.node
            self.show_row()

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """Open the world."""
        self.do_node_open()

    def do_node_open(self) -> None:
        """Open the world under the cursor, or show the worlds of a node with several."""
        here, result = self.here, self.result
        if here is None:
            return
        if result is None:
            self.controller.notify(f"{here.node} is not explored yet")
        elif result.explored is None:
            self.controller.notify(f"{here.node} could not be explored", "warning")
        elif here.world is None and len(result.worlds) != 1:
            self.do_node_worlds()
        else:
            self.context.open_world(here.node, result.worlds[here.world or 0])

    def do_node_worlds(self) -> None:
        """Show or hide the worlds of the node under the cursor."""
        here, result = self.here, self.result
        if here is None or result is None or len(result.worlds) < 2:
            self.controller.notify("this node has no further worlds to show")
            return
        self.opened ^= {here.node}
        self.show_table(NodeRow(here.node))

    def do_node_next(self) -> None:
        """Go to the next node with a cycle."""
        self.jump(1)

    def do_node_previous(self) -> None:
        """Go to the previous node with a cycle."""
        self.jump(-1)

    def jump(self, step: int) -> None:
        """Go from one node with a cycle to another."""
        rows = self.query_one("#nodes", Rows)
        place = self.table.next_cycle(rows.cursor, step) if self.table else None
        if place is None:
            self.controller.notify("no more nodes with a cycle")
        else:
            rows.move(place)

    def do_node_stop(self) -> None:
        """Stop exploring; the results so far stay."""
        if self.exploring is not None:
            self.exploring.stop()

    def do_node_again(self) -> None:
        """Explore the nodes that are missing, or else the node under the cursor again."""
        if self.exploring is not None and not self.exploring.current:
            here = self.here
            if here is not None and not self.exploring.missing:
                del self.exploring.results[here.node]
                self.exploring.wanted = here.node
            self.context.explore(self.exploring)
