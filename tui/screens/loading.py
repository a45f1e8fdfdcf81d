"""What is shown while something is opened, and where it cannot be."""

from __future__ import annotations

from time import monotonic
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from analyzer.escape import joined
from tui.present.glyphs import turning
from tui.present.pieces import line, printable, wrapped
from tui.screens.dialogs import room
from tui.widgets.painting import entitle
from tui.widgets.rows import Rows


class Loading(ModalScreen[None]):
    """Says what is being done; escape gives up."""

    BINDINGS: ClassVar = [("escape", "cancel", "cancel")]

    def __init__(self, path: str, doing: str = "") -> None:
        super().__init__()
        self.heading = doing or f"Opening {path}"
        self.doing = "reading"
        self.began = monotonic()
        self.done: list[str] = []

    def compose(self) -> ComposeResult:
        """Yield the box."""
        with Vertical(id="dialog", classes="small") as box:
            entitle(box, self.heading, "esc cancels")
            yield Static("", id="loading", markup=False)

    def on_mount(self) -> None:
        """Go on drawing."""
        self.set_interval(0.1, self.draw)
        self.draw()

    def tell(self, doing: str) -> None:
        """Say what is being done now."""
        if self.doing != doing:
            self.done.append(self.doing)
            self.doing = doing
        self.draw()

    def draw(self) -> None:
        """Draw what was done and what is being done."""
        if not self.query("#loading"):
            return
        seconds = monotonic() - self.began
        sign = turning(seconds)
        rows = [f"\N{CHECK MARK} {one}" for one in self.done]
        rows.append(
            f"{sign} {self.doing}  {seconds:.1f} s" if seconds > 1 else f"{sign} {self.doing}"
        )
        self.query_one("#loading", Static).update(joined(rows))

    def action_cancel(self) -> None:
        """Give up."""
        self.app.workers.cancel_group(self.app, "open")
        self.dismiss(None)


class Failure(ModalScreen[str | None]):
    """Says why something cannot be opened, with the line of the source."""

    BINDINGS: ClassVar = [
        ("r", "dismiss('again')", "again"),
        ("o", "dismiss('open')", "open"),
        ("escape,q", "dismiss(None)", "close"),
    ]

    def __init__(self, path: str, message: str) -> None:
        super().__init__()
        self.path = path
        self.message = message

    def compose(self) -> ComposeResult:
        """Yield the message."""
        with Vertical(id="dialog", classes="error") as box:
            entitle(
                box,
                f"{self.path} cannot be opened",
                "r tries again, o opens something else, esc closes",
            )
            yield Rows(id="dialog-rows")

    def on_mount(self) -> None:
        """Show the message as it is."""
        self.on_resize()
        self.query_one(Rows).focus()

    def on_resize(self) -> None:
        """Break the message anew."""
        first, *more = self.message.split("\n")
        lines = wrapped(line((printable(first), "failed")), room(self.size.width))
        self.query_one(Rows).show([*lines, *(line(printable(text)) for text in more)])

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """Close: it was read."""
        self.dismiss(None)
