"""Dialogs: choose one of some options, find one of many, type a line, read a text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from analyzer.escape import safe, shown
from tui.present.pieces import DialogChoice, Line, T, plain, wrapped
from tui.widgets.painting import entitle
from tui.widgets.rows import Rows
from tui.widgets.search_line import SearchLine

# Seconds.
SHOWN_FOR = 4.0


def room(width: int) -> int:
    """Return the width of lines in a dialog, by the width of the screen."""
    return max(20, min(width * 84 // 100, 110) - 8)


class Dialog(ModalScreen[T]):
    """A dialog with a list, which '/' searches."""

    # The keys at the lower edge, while a notice replaces them.
    below: str | None = None

    def on_key(self, event: events.Key) -> None:
        """Show the search line."""
        if event.key == "slash" and self.query(SearchLine):
            event.stop()
            self.query_one(SearchLine).ask(self.query_one(Rows))

    def show_notice(self, text: str) -> None:
        """Show a short text for some seconds instead of the keys, where it covers nothing."""
        for box in self.query("#dialog"):
            if self.below is None:
                self.below = box.border_subtitle
            box.border_subtitle = Content(shown(text))
            self.set_timer(SHOWN_FOR, partial(setattr, box, "border_subtitle", self.below))


class Finder(Dialog[T | None]):
    """Finds one of many options while you type; `source` returns the matches of a text."""

    def __init__(
        self, title: str, source: Callable[[str], Sequence[DialogChoice[T]]], *, typing: bool = True
    ) -> None:
        super().__init__()
        self.heading = title
        self.source = source
        self.typing = typing
        self.found: Sequence[DialogChoice[T]] = ()

    def compose(self) -> ComposeResult:
        """Yield the input line and the matches."""
        with Vertical(id="dialog") as box:
            hint = "" if self.typing else "/: search, "
            entitle(box, self.heading, f"{hint}enter: choose, esc: close")
            if self.typing:
                yield Input(id="dialog-line", compact=True, placeholder="type to find")
            yield Rows(id="dialog-rows", empty="no match")
            if not self.typing:
                yield SearchLine()

    def on_mount(self) -> None:
        """Show all choices."""
        self.find("")
        self.query_one("#dialog-line" if self.typing else "#dialog-rows").focus()

    def find(self, text: str) -> None:
        """Show the matches of a text."""
        self.found = self.source(text)
        self.query_one(Rows).show([one.line for one in self.found], 0)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show other matches."""
        event.stop()
        self.find(event.value)

    def choose(self) -> None:
        """Choose the line under the cursor."""
        if self.found:
            self.dismiss(self.found[self.query_one(Rows).cursor].value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Choose the line under the cursor."""
        event.stop()
        self.choose()

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """Choose the line."""
        self.choose()

    def on_key(self, event: events.Key) -> None:
        """Move in the list from the input line too; close at escape."""
        super().on_key(event)
        rows = self.query_one(Rows)
        if event.key == "escape":
            event.stop()
            self.dismiss(None)
        elif self.typing and event.key in ("up", "down", "pageup", "pagedown"):
            event.stop()
            getattr(rows, f"key_{event.key}")()


def chooser(title: str, choices: Sequence[DialogChoice[T]], *, typing: bool = False) -> Finder[T]:
    """Return a dialog to choose one of some options."""

    def source(text: str) -> Sequence[DialogChoice[T]]:
        words = text.lower().split()
        return [one for one in choices if all(w in plain(one.line).lower() for w in words)]

    return Finder(title, source, typing=typing)


class Ask(ModalScreen[str | None]):
    """Asks for a line; `check` returns the error in it, empty if there is none."""

    def __init__(
        self,
        title: str,
        text: str,
        value: str = "",
        check: Callable[[str], str] = lambda text: "",
        danger: bool = False,
    ) -> None:
        super().__init__(classes="danger" if danger else None)
        self.heading = title
        self.text = text
        self.value = value
        self.check = check

    def compose(self) -> ComposeResult:
        """Yield the text, the line, and the error."""
        with Vertical(id="dialog", classes="small") as box:
            entitle(box, self.heading, "enter: continue, esc: close")
            yield Static(safe(self.text), markup=False, id="dialog-text")
            yield Input(self.value, id="dialog-line", compact=True)
            yield Static("", markup=False, id="dialog-wrong")

    def on_mount(self) -> None:
        """Focus the line."""
        self.query_one(Input).focus()

    def on_resize(self) -> None:
        """Keep the line in view, if the text is longer than the screen."""
        self.call_after_refresh(self.query_one(Input).scroll_visible, animate=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Accept the line, or show the error in it."""
        event.stop()
        wrong = self.check(event.value)
        if wrong:
            self.query_one("#dialog-wrong", Static).update(shown(wrong))
            box = self.query_one("#dialog")
            self.call_after_refresh(box.scroll_end, animate=False)
        else:
            self.dismiss(event.value)

    def on_key(self, event: events.Key) -> None:
        """Close at escape."""
        if event.key == "escape":
            event.stop()
            self.dismiss(None)


class Reader(Dialog[str | None]):
    """Shows lines to read; enter returns the reference of a line from `refs`.

    Without references, enter closes too.
    """

    BINDINGS: ClassVar = [("escape,q", "dismiss(None)", "close")]
    KEYS: ClassVar[str] = "/: search, esc: close"

    def __init__(self, title: str, lines: Sequence[Line], refs: Sequence[str] = ()) -> None:
        super().__init__()
        self.heading = title
        self.lines = lines
        self.refs = refs

    def compose(self) -> ComposeResult:
        """Yield the lines."""
        with Vertical(id="dialog", classes="fitting") as box:
            entitle(box, self.heading, self.KEYS)
            yield Rows(id="dialog-rows")
            yield SearchLine()

    def on_mount(self) -> None:
        """Show the lines."""
        self.fill(0)
        self.query_one(Rows).focus()

    def on_resize(self) -> None:
        """Wrap the lines; the cursor stays on its line."""
        rows = self.query_one(Rows)
        at = self.shown[rows.cursor][1] if self.shown else 0
        self.fill(next((n for n, (_, line) in enumerate(self.shown) if line == at), 0))

    def fill(self, cursor: int) -> None:
        """Wrap the lines to the width, and show them."""
        width = room(self.size.width)
        self.shown = [(row, at) for at, one in enumerate(self.lines) for row in wrapped(one, width)]
        rows = self.query_one(Rows)
        rows.styles.height = len(self.shown)
        rows.show([row for row, _ in self.shown], cursor)

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """Choose the line."""
        self.choose(event.index)

    def choose(self, index: int) -> None:
        """Return the reference of a line."""
        at = self.shown[index][1]
        if not self.refs:
            self.dismiss(None)
        elif at < len(self.refs) and self.refs[at]:
            self.dismiss(self.refs[at])


class Agree(Reader):
    """Shows lines to agree to: enter returns a text, escape None."""

    KEYS = "/: search, enter: continue, esc: cancel"

    def choose(self, index: int) -> None:
        """Agree, on any line."""
        self.dismiss("agreed")
