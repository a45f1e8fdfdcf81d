"""The first screen if you named no input: the tour, and the samples."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from tui.present.pieces import BLANK, Line, line
from tui.project.project import OpenRequest
from tui.project.samples import samples
from tui.screens.base import View
from tui.widgets.rows import Rows

HELLO = (
    "See what Puppet will do to a host, before it does: step through the run, forwards and"
    " backwards. Nothing on this host is changed."
)


class WelcomeScreen(View):
    """Lists the inputs that you can open."""

    ID = "welcome"
    AUTO_FOCUS = "#welcome"

    def panes(self) -> ComposeResult:
        """Yield the introduction and the list."""
        with Vertical(id="welcome-box"):
            yield Static("catgraph", id="welcome-title")
            yield Static(HELLO, id="welcome-hello", markup=False)
            yield Rows(id="welcome")

    def on_mount(self) -> None:
        """Fill the list."""
        self.inputs: list[str] = []
        lines: list[Line] = []

        def add(chosen: str, *parts: str | tuple[str, str]) -> None:
            self.inputs.append(chosen)
            lines.append(line(*parts) if parts else BLANK)

        add("tour", ("Tour", "strong"), ("          two minutes", "dim"))
        add("tour-broken", ("Tour", "strong"), ("          of a catalog with a cycle", "dim"))
        add(
            "open",
            ("Open ...", "strong"),
            ("      a catalog, manifests, a report, a journal, a policy", "dim"),
        )
        add("")
        add("", ("Samples", "title"))
        found = samples()
        width = max((len(one.name) for one in found), default=0) + 2
        for one in found:
            add(one.path, (f"{one.name:<{width}}", "accent"), (one.shows, "dim"))
        rows = self.query_one("#welcome", Rows)
        rows.passed = frozenset(i for i, chosen in enumerate(self.inputs) if not chosen)
        rows.show(lines, 0)
        super().on_mount()

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """Open the chosen input."""
        chosen = self.inputs[event.index]
        if chosen in ("tour", "tour-broken", "open"):
            self.context.act(chosen)
        elif chosen:
            self.context.open(OpenRequest(chosen, self.context.options))
