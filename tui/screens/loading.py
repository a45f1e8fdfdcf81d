"""The dialogs while an input is opened, and after it could not be opened."""

from __future__ import annotations

from time import monotonic
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from analyzer.diagnostics import InputError
from analyzer.escape import joined
from tui.present.glyphs import turning
from tui.present.pieces import line, printable, wrapped
from tui.screens.dialogs import Dialog, room
from tui.widgets.painting import entitle
from tui.widgets.rows import Rows
from tui.widgets.search_line import SearchLine


class Loading(ModalScreen[None]):
    """Shows the progress; escape cancels."""

    BINDINGS: ClassVar = [("escape", "cancel", "cancel")]

    def __init__(self, path: str, title: str = "") -> None:
        super().__init__()
        self.path = path
        self.heading = title or f"Opening {path}"
        self.stage = "reading"
        self.began = monotonic()
        self.done: list[str] = []

    def compose(self) -> ComposeResult:
        """Yield the box."""
        with Vertical(id="dialog", classes="small") as box:
            entitle(box, self.heading, "esc: cancel")
            yield Static("", id="loading", markup=False)

    def on_mount(self) -> None:
        """Start drawing."""
        self.set_interval(0.1, self.draw)
        self.draw()

    def show_stage(self, stage: str) -> None:
        """Show the next stage."""
        if self.stage != stage:
            self.done.append(self.stage)
            self.stage = stage
        self.draw()

    def draw(self) -> None:
        """Draw the stages that are done, and the current one."""
        if not self.query("#loading"):
            return
        seconds = monotonic() - self.began
        sign = turning(seconds)
        rows = [f"\N{CHECK MARK} {one}" for one in self.done]
        rows.append(
            f"{sign} {self.stage}  {seconds:.1f} s" if seconds > 1 else f"{sign} {self.stage}"
        )
        self.query_one("#loading", Static).update(joined(rows))

    def action_cancel(self) -> None:
        """Cancel."""
        self.app.workers.cancel_group(self.app, "open")
        self.dismiss(None)


class Failure(Dialog[str | None]):
    """Shows why an input cannot be opened, with the source line."""

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
                f"Cannot open {self.path}",
                "/: search, r: try again, o: open another input, esc: close",
            )
            yield Rows(id="dialog-rows")
            yield SearchLine()

    def on_mount(self) -> None:
        """Show the message."""
        self.on_resize()
        self.query_one(Rows).focus()

    def on_resize(self) -> None:
        """Wrap the message."""
        first, *more = self.message.split("\n")
        lines = wrapped(line((printable(first), "failed")), room(self.size.width))
        self.query_one(Rows).show([*lines, *(line(printable(text)) for text in more)])

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """Close."""
        self.dismiss(None)


def message_of(error: Exception) -> str:
    """Return the message that is shown for an error."""
    if isinstance(error, InputError):
        return str(error)
    if isinstance(error, OSError):
        return f"{error.filename or 'the input'}: {error.strerror or error}"
    return f"internal error, please report it: {type(error).__name__}: {error}"
