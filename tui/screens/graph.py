"""The screen Graph: dependencies and dependents of the selection, and the cycles."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical

from analyzer.frontends.source_texts import Texts
from tui.present.columns import Cell, Key, picture
from tui.present.cycle_walk import Walk, walks
from tui.present.drawing import Drawing
from tui.present.fit import clean, shorten
from tui.present.neighbour_rows import LEGEND, about
from tui.present.pieces import Line, Piece, line
from tui.present.snippet import Snippets
from tui.present.states import States
from tui.project.neighbours import Surroundings
from tui.run.threads import in_thread
from tui.screens.base import View
from tui.widgets.bars import Bar
from tui.widgets.cycle_pane import CyclePane
from tui.widgets.neighbourhood import Neighbourhood
from tui.widgets.rows import Rows

if TYPE_CHECKING:
    from tui.keys.context import KeyContext
    from tui.project.project import Project

# Columns of the screen that one more column of the picture needs on both sides.
WIDE = 52
DEEPEST = 6


class GraphScreen(View):
    """Shows the dependencies of the selection on the left, its dependents on the right."""

    ID = "graph"
    FILTERED = ("around",)
    AUTO_FOCUS = "#around"

    def __init__(self, context: KeyContext) -> None:
        super().__init__(context)
        self.around: Surroundings | None = None
        self.texts = Texts("")
        self.snippets = Snippets(self.texts)
        self.focus_on: int | None = None
        self.opened: set[Key] = set()
        self.deeper = 0
        self.walks: tuple[Walk, ...] | None = None

    def panes(self) -> ComposeResult:
        """Yield the panes."""
        yield Bar(id="trail")
        with Vertical(id="near"):
            yield Neighbourhood(id="around")
            yield Rows(id="edge")
        yield CyclePane(self.controller, id="cycle")

    # ------------------------------------------------------------------ showing

    def show_project(self, project: Project) -> None:
        """Show another graph, once a thread has prepared it."""
        self.around = None
        self.walks = None
        self.texts = Texts(project.path)
        self.snippets = Snippets(self.texts)
        self.focus_on, self.deeper, self.filters = None, 0, {}
        self.opened.clear()
        self.show_cycles(False)
        self.query_one("#around", Neighbourhood).show(None, note="reading the graph ...")
        self.run_worker(self.prepare(project), group="near", exclusive=True)

    async def prepare(self, project: Project) -> None:
        """Compute the data for all pictures, then show the first picture."""
        around = project.edges
        await in_thread(around.prepare)
        if project is self.controller.project:
            self.around = around
            self.show_selection()

    def catch_up(self) -> None:
        """Show the changes, and the cycle that another screen asked for."""
        super().catch_up()
        if self.is_mounted and self.controller.project:
            wanted, self.controller.wants_cycle = self.controller.wants_cycle, False
            if wanted and not self.cycle_mode:
                self.do_graph_cycles()

    def show_selection(self) -> None:
        """Centre the selection."""
        node = self.controller.selected_node
        if self.around is None or node is None:
            return
        if node >= self.around.graph.vertices:
            text = (
                f"{self.controller.selection} was generated during the run: it is not in the graph"
            )
            self.query_one("#around", Neighbourhood).show(None, note=clean(text))
            return
        self.focus_on = node
        self.draw()
        if self.cycle_mode:
            self.show_cycle_of(str(self.controller.selection))

    def show_run(self) -> None:
        """Show the current states."""
        self.redraw()

    @property
    def depth(self) -> int:
        """Return the columns on each side: as many as fit, and the requested ones."""
        return max(1, min(DEEPEST, (self.size.width - 2 * WIDE) // WIDE + 1 + self.deeper))

    def draw(self, keep: Cell | None = None) -> None:
        """Draw the neighbourhood; the cursor stays on `keep`, else it is in the centre."""
        around, focus = self.around, self.focus_on
        if around is None or focus is None:
            return
        found = picture(around, focus, self.depth, self.depth, self.opened, keep=self.keep(around))
        place = self.query_one("#around", Neighbourhood)
        room = max(40, place.size.width or self.size.width)
        drawing = Drawing(found, around, room, States(self.controller.branch).piece)
        same = [c for c in found.cells() if keep and keep.vertex in c.members]
        column = keep.column if keep else 0
        cell = min(same, key=lambda c: abs(c.column - column)) if same else found.focus
        place.show(drawing, cell)
        self.show_about(cell)
        self.show_trail()

    def keep(self, around: Surroundings) -> Callable[[int], bool] | None:
        """Return the filter as a function of resources, None for all."""
        words = self.filters.get("around", "").lower().split()
        if not words:
            return None
        refs = around.graph.provenance.refs
        return lambda vertex: all(word in str(refs[vertex]).lower() for word in words)

    def filter_pane(self, pane: str, text: str) -> None:
        """Show only the neighbours that have all words of a text."""
        self.filters[pane] = text
        self.redraw()

    def show_about(self, cell: Cell) -> None:
        """Show the edge between the cell under the cursor and the centre."""
        if self.around:
            rows = about(cell, self.around, self.texts)
            self.query_one("#edge", Rows).show(rows, 0)

    def show_trail(self) -> None:
        """Show the earlier selections, and the legend."""
        pieces = [Piece(" ")]
        for ref in self.controller.history.past[-2:]:
            pieces += line((shorten(str(ref), 24), "dim"), (" ▸ ", "faint"))
        pieces.append(Piece(shorten(str(self.controller.selection), 40), "strong"))
        wanted = self.filters.get("around", "")
        if wanted:
            pieces.append(Piece(f"  /{clean(wanted)}/", "accent"))
        legend: Line = (*LEGEND, Piece(" ")) if self.size.width >= 100 else ()
        self.query_one("#trail", Bar).show(tuple(pieces), legend)

    def on_resize(self) -> None:
        """Draw again for another width."""
        super().on_resize()
        self.call_after_refresh(self.redraw)

    def redraw(self) -> None:
        """Draw the neighbourhood again."""
        self.draw(self.query_one("#around", Neighbourhood).cell)

    def on_neighbourhood_pointed(self, event: Neighbourhood.Pointed) -> None:
        """Show the cell under the cursor."""
        self.show_about(event.cell)

    def on_neighbourhood_chosen(self, event: Neighbourhood.Chosen) -> None:
        """Centre the cell that was chosen."""
        self.do_graph_centre()

    # ------------------------------------------------------------------ actions

    def do_graph_centre(self) -> None:
        """Centre the cell under the cursor, or expand a group."""
        cell = self.query_one("#around", Neighbourhood).cell
        if cell is None or self.around is None:
            return
        if cell.is_fold:
            self.do_graph_fold()
        elif cell.role != "focus":
            self.controller.select(self.around.graph.provenance.refs[cell.vertex], "graph")

    def do_graph_fold(self) -> None:
        """Expand a group, or collapse the group of the cell."""
        cell = self.query_one("#around", Neighbourhood).cell
        if cell is None or cell.key is None:
            self.controller.notify("no group to expand or collapse here")
            return
        self.opened ^= {cell.key}
        self.draw(cell)

    def do_graph_deeper(self) -> None:
        """Show one more column on each side."""
        self.deeper += self.depth < DEEPEST
        self.redraw()

    def do_graph_shallower(self) -> None:
        """Show one column less on each side."""
        self.deeper -= self.depth > 1
        self.redraw()

    # ------------------------------------------------------------------ cycles

    @property
    def cycle_mode(self) -> bool:
        """Return whether a cycle is shown."""
        return self.query_one("#cycle", CyclePane).display

    def show_cycles(self, on: bool) -> None:
        """Show the cycles, or the neighbourhood."""
        self.query_one("#cycle", CyclePane).display = on
        self.query_one("#near", Vertical).display = not on
        self.query_one("#walk" if on else "#around").focus()

    def do_graph_cycles(self) -> None:
        """Show the cycles of the graph, or the neighbourhood again."""
        self.show_cycles(not self.cycle_mode)
        if not self.cycle_mode:
            return
        if self.walks is None and self.controller.project:
            work = self.find_cycles(self.controller.project)
            self.run_worker(work, group="cycles", exclusive=True)
        else:
            self.show_cycle_of(str(self.controller.selection))

    async def find_cycles(self, project: Project) -> None:
        """Find the cycles, and show them."""
        found = await in_thread(partial(walks, project.graph))
        if project is self.controller.project:
            self.walks = found
            self.show_cycle_of(str(self.controller.selection))

    def show_cycle_of(self, ref: str) -> None:
        """Show the cycle of a resource, else the first."""
        if self.walks is not None:
            self.query_one("#cycle", CyclePane).show(self.walks, ref, self.snippets)

    # In the neighbourhood, the keys for cycles open the cycles.
    do_cycle_next = do_cycle_previous = do_cycle_cut = do_cycle_other = do_graph_cycles
