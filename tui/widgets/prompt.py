"""The input line at the bottom, for a filter or a command."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.suggester import SuggestFromList
from textual.widget import Widget
from textual.widgets import Input, Static


class Prompt(Horizontal):
    """Asks for a line at the bottom; it is hidden otherwise.

    `changed` is called with the text at every key, `done` with the line at enter, or with None at
    escape.
    """

    DEFAULT_CSS = "Prompt { display: none; }"

    def __init__(self) -> None:
        super().__init__(id="prompt")
        self.changed: Callable[[str], object] = lambda text: None
        self.done: Callable[[str | None], None] = lambda text: None
        self.keeps = False

    def compose(self) -> ComposeResult:
        """Yield the sign and the line."""
        yield Static("", id="prompt-sign", markup=False)
        yield Input(id="prompt-line", compact=True)

    def ask(
        self,
        sign: str,
        text: str,
        done: Callable[[str | None], None],
        changed: Callable[[str], object] = lambda text: None,
        words: Sequence[str] = (),
        keeps: bool = False,
    ) -> None:
        """Show the line with a text, which it `keeps` if you click elsewhere."""
        self.changed, self.done, self.keeps = changed, done, keeps
        self.query_one("#prompt-sign", Static).update(sign)
        line = self.query_one(Input)
        line.suggester = SuggestFromList(words, case_sensitive=False) if words else None
        line.value = text
        self.display = True
        line.focus()

    def close(self, text: str | None) -> None:
        """Hide the line, and call `done`."""
        if self.display:
            self.display = False
            self.done(text)

    def has(self, widget: Widget | None) -> bool:
        """Return whether a widget is part of the prompt."""
        return widget is not None and self in widget.ancestors

    def leave(self) -> None:
        """Close the line, as another widget has the focus."""
        self.close(self.query_one(Input).value if self.keeps else None)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Call `changed`."""
        event.stop()
        if self.display:
            self.changed(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Close with the line."""
        event.stop()
        self.close(event.value)

    def on_key(self, event: events.Key) -> None:
        """Close at escape; accept the suggestion at tab."""
        if event.key == "escape":
            event.stop()
            self.close(None)
        elif event.key == "tab":
            event.stop()
            event.prevent_default()
            line = self.query_one(Input)
            line.action_end()
            line.action_cursor_right()
