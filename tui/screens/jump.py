"""Letters over the panes: the next key moves the focus to one of them."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.geometry import Size
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Static

LETTERS = "asdfghjklqwertyuiop"


class Jump(ModalScreen[Widget | None]):
    """Returns the pane whose letter is pressed."""

    def __init__(self, panes: list[Widget]) -> None:
        super().__init__()
        self.panes = dict(zip(LETTERS, panes, strict=False))
        self.seen: Size | None = None

    def compose(self) -> ComposeResult:
        """Yield a letter at the corner of each pane."""
        for letter, pane in self.panes.items():
            label = Static(f" {letter} ", classes="jump", markup=False)
            label.styles.offset = (pane.region.x + 2, pane.region.y)
            yield label

    def on_key(self, event: events.Key) -> None:
        """Go to the pane of the letter, or cancel at any other key."""
        event.stop()
        self.dismiss(self.panes.get(event.key))

    def on_click(self) -> None:
        """Cancel."""
        self.dismiss(None)

    def on_resize(self, event: events.Resize) -> None:
        """Cancel, as the panes have moved."""
        if self.seen not in (None, event.size):
            self.dismiss(None)
        self.seen = event.size
