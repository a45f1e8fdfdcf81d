"""The cycles of a graph: edges on the left, the statement of one on the right, and the cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from tui.present.cycle_walk import DECLARED, Walk, cut_lines, place_text, said_lines, walk_rows
from tui.present.snippet import Snippets
from tui.widgets.painting import entitle
from tui.widgets.rows import Rows

if TYPE_CHECKING:
    from analyzer.source import Span
    from tui.run.controller import Controller


class CyclePane(Vertical):
    """Shows the cycles of a graph, edge by edge."""

    def __init__(self, controller: Controller, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.controller = controller
        self.walks: tuple[Walk, ...] = ()
        self.number = 0
        self.at = 0
        self.edges: list[int] = []
        self.snippets: Snippets | None = None

    def compose(self) -> ComposeResult:
        """Yield the parts."""
        with Horizontal():
            yield Rows(id="walk", empty=" finding cycles ...")
            yield Rows(id="statement")
        yield Rows(id="cut")

    def short(self, file: str) -> str:
        """Return the displayed name of a file."""
        return self.snippets.texts.short(file) if self.snippets else file

    @property
    def walk(self) -> Walk | None:
        """Return the cycle that is shown."""
        return self.walks[self.number] if self.walks else None

    def show(self, walks: tuple[Walk, ...], ref: str, snippets: Snippets) -> None:
        """Show the cycles of a graph, that of a resource first."""
        self.walks, self.snippets = walks, snippets
        on = [n for n, walk in enumerate(walks) if walk.of_ref(ref) is not None]
        self.number = on[0] if on else 0
        walk = self.walk
        self.go((walk.of_ref(ref) or 0) if walk else 0)

    def go(self, at: int, row: int | None = None) -> None:
        """Go to an edge of the cycle; `row` is the line of the cursor, if known."""
        walk = self.walk
        if walk is None or not walk.edges:
            self.query_one("#walk", Rows).show([])
            return
        self.at = at % len(walk.edges)
        walk_list = self.query_one("#walk", Rows)
        rows = walk_rows(walk, self.at, self.short, walk_list.size.width or 40)
        self.edges = [edge for _, edge in rows]
        cursor = 2 * self.at + 1 if row is None else row
        walk_list.show([text for text, _ in rows], cursor)
        entitle(walk_list, walk.title)
        self.show_statement()

    def show_statement(self) -> None:
        """Show the statement that makes the edge, and the cut that breaks the cycle."""
        walk, pane = self.walk, self.query_one("#statement", Rows)
        if walk is None or self.snippets is None:
            return
        edge = walk.edges[self.at]
        found, cursor = self.snippets.around(edge.place, max(5, pane.size.height))
        pane.show(found, cursor)
        entitle(pane, DECLARED * edge.declared + place_text(edge.place, self.short))
        self.query_one("#cut", Rows).show(
            [*said_lines(walk, self.at), *cut_lines(walk, self.short)], 0
        )

    def on_resize(self) -> None:
        """Fit the parts to the size."""
        self.call_after_refresh(lambda: self.go(self.at, self.query_one("#walk", Rows).cursor))

    def on_rows_highlighted(self, event: Rows.Highlighted) -> None:
        """Go to the edge under the cursor."""
        event.stop()
        if event.rows.id == "walk":
            self.go(self.edges[event.index], event.index)

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """Open the manifest at the edge."""
        event.stop()
        self.do_graph_centre()

    # ------------------------------------------------------------------ actions

    @property
    def place(self) -> Span | None:
        """Return the place of the statement that makes the edge."""
        return self.walk.edges[self.at].place if self.walk else None

    def do_cycle_next(self) -> None:
        """Go to the next edge."""
        self.go(self.at + 1)

    def do_cycle_previous(self) -> None:
        """Go to the previous edge."""
        self.go(self.at - 1)

    def do_cycle_cut(self) -> None:
        """Go to the next edge that the cut removes."""
        found = self.walk.next_cut(self.at) if self.walk else None
        if found is not None:
            self.go(found)

    def do_cycle_other(self) -> None:
        """Show the next cycle."""
        if len(self.walks) < 2:
            self.controller.notify("there is only one cycle")
        else:
            self.number = (self.number + 1) % len(self.walks)
            self.go(0)

    def special_copy(self) -> tuple[str, str] | None:
        """Return the cycle as Markdown."""
        return ("cycle as Markdown", as_markdown(self.walk)) if self.walk else None

    def command_name(self) -> str:
        """Return the name of the view for the command that prints its content."""
        return "cycle"

    def statement_place(self) -> Span | None:
        """Return the place of the statement that makes the edge."""
        return self.place

    def do_graph_centre(self) -> None:
        """Select the resource that the edge begins at."""
        if self.walk:
            self.controller.select(self.walk.edges[self.at].source, "graph")


def as_markdown(walk: Walk) -> str:
    """Return a cycle as Markdown, for an issue."""
    from analyzer.export.reports.cycles_markdown import cycle_section

    return "\n".join(cycle_section(walk.cycle, walk.number, walk.total)).strip() + "\n"
