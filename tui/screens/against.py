"""The screen Compare: how this catalog differs from another one, and both runs side by side."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical

from tui.present.against import Differences, PairLines, differences, explained, summary
from tui.present.fit import clean
from tui.present.pieces import BLANK, Line, has_words, line, plain
from tui.run.paired_runs import TurnPair, pairs_of
from tui.run.threads import in_thread
from tui.screens.base import View
from tui.widgets.bars import Bar
from tui.widgets.rows import Rows

if TYPE_CHECKING:
    from tui.keys.context import KeyContext
    from tui.project.project import Project


class AgainstScreen(View):
    """Shows the differences on top, the steps of both runs below."""

    ID = "against"
    FILTERED = ("differences", "pairs")
    AUTO_FOCUS = "#pairs"

    def __init__(self, context: KeyContext) -> None:
        super().__init__(context)
        self.found = Differences([], [], {})
        self.all: list[TurnPair] = []
        self.pairs: list[TurnPair] = []
        self.shown: list[int] = []

    def panes(self) -> ComposeResult:
        """Yield the panes."""
        yield Bar(id="compared")
        yield Rows(id="differences")
        with Vertical(id="runs"):
            yield Bar(id="pairs-head")
            yield Rows(id="pairs")
            yield Rows(id="pair")

    # ------------------------------------------------------------------ showing

    def show_project(self, project: Project) -> None:
        """Compare the catalogs and the runs in a thread."""
        self.filters = {}
        self.found, self.all, self.pairs = Differences([], [], {}), [], []
        other = project.other
        self.query_one("#differences", Rows).show([])
        self.query_one("#pairs", Rows).show([])
        nothing = "nothing to compare with: use 'catgraph tui INPUT --against REV'"
        text = "comparing ..." if other else nothing
        self.query_one("#compared", Bar).show(line((f" {text}", "dim")))
        if other is not None:
            self.run_worker(self.compare(project, other), group="against", exclusive=True)

    async def compare(self, project: Project, other: Project) -> None:
        """Compare, and show the result."""
        found = await in_thread(partial(differences, other, project))
        pairs = await in_thread(partial(pairs_of, other, project))
        if project is not self.controller.project:
            return
        self.found, self.all = found, pairs
        self.query_one("#compared", Bar).show(
            line(" ", (f"A {clean(other.title)}", "removed"), "   ", (self.name_here, "added"))
        )
        self.show_differences()
        self.show_pairs()
        self.to_difference(1, start=-1)

    @property
    def name_here(self) -> str:
        """Return the name of the open project."""
        project = self.controller.project
        return f"B {clean(project.title)}" if project else "B"

    @property
    def names(self) -> tuple[str, str]:
        """Return the names of both sides."""
        project = self.controller.project
        other = project.other if project else None
        return (f"A {clean(other.title)}" if other else "A"), self.name_here

    def show_differences(self) -> None:
        """Show the differences that pass the filter."""
        wanted = self.filters.get("differences", "")
        lines = self.found.lines
        self.shown = [n for n, one in enumerate(lines) if has_words(plain(one), wanted)]
        rows = self.query_one("#differences", Rows)
        rows.show([lines[n] for n in self.shown], 0)

    def show_pairs(self, cursor: int | None = None) -> None:
        """Show the steps that pass the filter."""
        wanted = self.filters.get("pairs", "")
        self.pairs = [pair for pair in self.all if has_words(pair.name, wanted)]
        rows = self.query_one("#pairs", Rows)
        rows.show(PairLines(self.pairs, rows.size.width), cursor)
        self.show_pair()

    def show_pair(self) -> None:
        """Show the effects of the step under the cursor in both runs."""
        cursor = self.query_one("#pairs", Rows).cursor
        found = self.explained(cursor) if cursor < len(self.pairs) else [BLANK]
        self.query_one("#pair", Rows).show(found, 0)
        wanted = self.filters.get("pairs", "")
        right = line((f"/{clean(wanted)}/ ", "accent")) if wanted else ()
        left = (*line(" "), *summary(self.pairs, cursor)) if self.all else ()
        self.query_one("#pairs-head", Bar).show(left, right)

    def explained(self, cursor: int) -> list[Line]:
        """Return the effect of both runs on the resource of a step."""
        return explained(self.pairs[cursor], self.all, self.names)

    def on_resize(self) -> None:
        """Fit the columns."""
        super().on_resize()
        self.call_after_refresh(self.show_pairs)

    def filter_pane(self, pane: str, text: str) -> None:
        """Show only the lines that have all words of a text."""
        self.filters[pane] = text
        if pane == "differences":
            self.show_differences()
        else:
            self.show_pairs(0)

    # ------------------------------------------------------------------ actions

    def on_rows_highlighted(self, event: Rows.Highlighted) -> None:
        """Select the resource under the cursor, if the open catalog has it."""
        if event.rows.id == "pairs":
            self.show_pair()
            ref = self.pairs[event.index].name
        else:
            ref = self.found.refs.get(self.shown[event.index], "")
        project = self.controller.project
        found = project.graph.find(ref) if project and ref else None
        if found is not None:
            self.controller.select(found, "against")

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """Show the selection in the run."""
        self.app.switch_mode("run")

    def do_against_step(self) -> None:
        """Go to the next step of both runs."""
        rows = self.query_one("#pairs", Rows)
        rows.move(rows.cursor + 1)

    def do_against_back(self) -> None:
        """Go to the previous step of both runs."""
        rows = self.query_one("#pairs", Rows)
        rows.move(rows.cursor - 1)

    def do_against_next(self) -> None:
        """Go to the next difference."""
        self.to_difference(1)

    def do_against_previous(self) -> None:
        """Go to the previous difference."""
        self.to_difference(-1)

    def to_difference(self, step: int, start: int | None = None) -> None:
        """Go to the nearest step where the runs differ, or notify that there is none."""
        rows = self.query_one("#pairs", Rows)
        at = rows.cursor if start is None else start
        places = range(at + 1, len(self.pairs)) if step > 0 else range(at - 1, -1, -1)
        found = next((place for place in places if self.pairs[place].sign), None)
        if found is not None:
            rows.move(found)
            self.show_pair()
        elif start is None:
            which = "last" if step > 0 else "first"
            self.controller.notify(f"this is the {which} difference of the runs")
