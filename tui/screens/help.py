"""The help: all actions with their keys, by group."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import ComposeResult
from textual.screen import ModalScreen

from tui.present.help import help_lines
from tui.widgets.rows import Rows

if TYPE_CHECKING:
    from tui.app import CatgraphApp


class HelpScreen(ModalScreen[None]):
    """All actions of a screen, over it."""

    BINDINGS: ClassVar = [("escape,question_mark,q", "dismiss", "close")]

    def __init__(self, screen: str) -> None:
        super().__init__()
        self.of = screen

    def compose(self) -> ComposeResult:
        """Yield the list."""
        rows = Rows(help_lines(self.of, cast("CatgraphApp", self.app).keys), id="help")
        rows.border_title = "keys"
        yield rows

    def on_mount(self) -> None:
        """Show the lines."""
        rows = self.query_one("#help", Rows)
        rows.show(rows.lines)
        rows.focus()
