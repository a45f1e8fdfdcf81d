"""The first screen where nothing was named to open: samples, the tour, the project here."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from tui.present.pieces import BLANK, Line, line
from tui.project.opening import Request
from tui.project.samples import samples
from tui.screens.base import View
from tui.widgets.rows import Rows

HELLO = (
    "Walk through what Puppet will do to a machine, before it does: forwards and backwards, one"
    " resource at a time. Nothing is touched."
)


class WelcomeScreen(View):
    """What can be opened."""

    ID = "welcome"
    AUTO_FOCUS = "#welcome"

    def panes(self) -> ComposeResult:
        """Yield the hello and the list."""
        with Vertical(id="welcome-box"):
            yield Static("catgraph", id="welcome-title")
            yield Static(HELLO, id="welcome-hello", markup=False)
            yield Rows(id="welcome")

    def on_mount(self) -> None:
        """Fill the list."""
        self.doings: list[str] = []
        lines: list[Line] = []

        def add(doing: str, *parts: str | tuple[str, str]) -> None:
            self.doings.append(doing)
            lines.append(line(*parts) if parts else BLANK)

        add("tour", ("Guided tour", "strong"), ("   two minutes", "dim"))
        add(
            "open",
            ("Open ...", "strong"),
            ("      a catalog, manifests, a report, a policy", "dim"),
        )
        add("")
        add("", ("Samples", "title"))
        found = samples()
        width = max((len(one.name) for one in found), default=0) + 2
        for one in found:
            add(one.path, (f"{one.name:<{width}}", "accent"), (one.shows, "dim"))
        rows = self.query_one("#welcome", Rows)
        rows.passed = frozenset(i for i, doing in enumerate(self.doings) if not doing)
        rows.show(lines, 0)
        super().on_mount()

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """Open it."""
        doing = self.doings[event.index]
        if doing == "tour":
            self.catgraph.do_tour()
        elif doing == "open":
            self.catgraph.do_open()
        elif doing:
            self.catgraph.open(Request(doing, self.catgraph.options))
