"""A dialog that asks for a line of text."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static


class Prompt(ModalScreen[str | None]):
    """Asks for a line; gives it back, None where the person does not want to say."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", show=False)]

    def __init__(self, question: str, value: str = "") -> None:
        super().__init__()
        self.question = question
        self.value = value

    def compose(self) -> ComposeResult:
        """Lay the dialog out."""
        with Vertical(id="prompt"):
            yield Static(self.question, markup=False)
            yield Input(self.value, id="answer")
            yield Static("enter takes it, escape leaves", id="prompt-keys", markup=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Give back what was typed."""
        self.dismiss(event.value.strip() or None)

    def action_leave(self) -> None:
        """Give back nothing."""
        self.dismiss(None)
