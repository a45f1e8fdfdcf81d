"""A list of any length that draws only the lines in view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from tui.present.pieces import Line, Piece, has_words, plain, widest
from tui.widgets.painting import Painted


class Rows(ScrollView, Painted, can_focus=True):
    """Shows lines of pieces, one of them under the cursor.

    `lines` may be any sequence: a line is read when it is drawn. Left and right scroll long lines.
    The cursor skips the lines of `passed`: titles.
    """

    COMPONENT_CLASSES: ClassVar = {"rows--cursor", "rows--idle-cursor"}

    cursor: reactive[int] = reactive(0, init=False)

    class OfLine(Message):
        """Something about the line of an index."""

        def __init__(self, rows: Rows, index: int) -> None:
            super().__init__()
            self.rows = rows
            self.index = index

        @property
        def control(self) -> Rows:
            """Return the list widget."""
            return self.rows

    class Highlighted(OfLine):
        """The cursor moved to another line, by key or mouse."""

    class Chosen(OfLine):
        """A line was chosen: by enter, or a click on the line under the cursor."""

    def __init__(
        self, lines: Sequence[Line] = (), *, id: str | None = None, empty: str = ""
    ) -> None:
        super().__init__(id=id)
        self.lines: Sequence[Line] = lines
        self.empty = empty
        self.passed: frozenset[int] = frozenset()
        self.shift = 0
        self.unseen = False
        # The words that were searched for; 'n' and 'N' go on.
        self.sought = ""
        # The lines in view at the last `show`, by index.
        self.seen: dict[int, Line] = {}

    def on_resize(self) -> None:
        """Keep the line under the cursor in view, and undo the scrolling of lines that now fit."""
        self.call_after_refresh(self.reveal)
        self.call_after_refresh(self.slide, 0)

    def show(self, lines: Sequence[Line], cursor: int | None = None) -> None:
        """Show other lines; the cursor stays where it is unless a place is given."""
        self.lines = lines
        has_grown = self.grow()
        wanted = self.cursor if cursor is None else cursor
        before = self.cursor
        self.set_reactive(Rows.cursor, max(0, min(wanted, len(lines) - 1)))
        if cursor is not None:
            self.reveal()
            if has_grown:
                # The first lines that do not fit add a scroll bar: only then can the widget scroll.
                self.call_after_refresh(self.reveal)
        self.refresh_changed(moved={before, self.cursor} if before != self.cursor else set())

    def grow(self) -> bool:
        """Set the height to the number of lines; return whether that needs a new layout.

        A layout draws the whole screen, so it is avoided if only the scroll bar moves.
        """
        size = Size(0, len(self.lines))
        height = self.scrollable_content_region.height
        has_bar = size.height > height
        if not height or self.styles.is_auto_height or has_bar != self.show_vertical_scrollbar:
            self.virtual_size = size
            return True
        if size != self.virtual_size:
            self.set_reactive(Rows.virtual_size, size)
            self._scroll_update(size)
        return False

    def refresh_changed(self, moved: set[int]) -> None:
        """Draw the changed lines in view, and the lines between which the cursor `moved`."""
        top = self.scroll_offset.y
        window = range(top, min(top + self.size.height, len(self.lines)))
        before, self.seen = self.seen, {index: self.lines[index] for index in window}
        if not before or before.keys() != self.seen.keys():
            self.refresh()
            return
        for index, line in self.seen.items():
            if index in moved or line != before[index]:
                self.refresh_line(index)

    def reveal(self) -> None:
        """Scroll to the line under the cursor, now or once the widget has a size."""
        height = self.size.height
        self.unseen = not height
        if not height:
            return
        top = self.scroll_offset.y
        if self.cursor < top:
            self.scroll_to(y=self.cursor, animate=False)
        elif self.cursor >= top + height:
            self.scroll_to(y=self.cursor - height + 1, animate=False)

    def move(self, index: int) -> None:
        """Put the cursor on a line, and post a message."""
        last = len(self.lines) - 1
        index = max(0, min(index, last))
        step = 1 if index > self.cursor else -1
        while index in self.passed and 0 <= index + step <= last:
            index += step
        if self.lines and index != self.cursor and index not in self.passed:
            self.cursor = index
            self.post_message(self.Highlighted(self, index))

    def watch_cursor(self) -> None:
        """Draw the cursor at its new line."""
        self.reveal()
        self.refresh()

    # ------------------------------------------------------------------ drawing

    def render_line(self, y: int) -> Strip:
        """Draw one line of the view."""
        index = y + self.scroll_offset.y
        width = self.scrollable_content_region.width
        base = self.rich_style
        if index >= len(self.lines):
            text = self.empty if not self.lines and y == 0 else ""
            return self.strip((Piece(text, "dim"),), width, base)
        base += self.line_style(index)
        return self.strip(self.lines[index], width, base, self.shift)

    def line_style(self, index: int) -> Style:
        """Return the extra style of a line."""
        if index != self.cursor:
            return Style()
        return self.cursor_style(idle=not self.has_focus)

    # ------------------------------------------------------------------ keys and mouse

    def key_up(self) -> None:
        """Go up a line."""
        self.move(self.cursor - 1)

    def key_down(self) -> None:
        """Go down a line."""
        self.move(self.cursor + 1)

    def key_k(self) -> None:
        """Go up a line."""
        self.move(self.cursor - 1)

    def key_j(self) -> None:
        """Go down a line."""
        self.move(self.cursor + 1)

    def key_pageup(self) -> None:
        """Go up a page."""
        self.move(self.cursor - max(1, self.size.height - 1))

    def key_pagedown(self) -> None:
        """Go down a page."""
        self.move(self.cursor + max(1, self.size.height - 1))

    def key_home(self) -> None:
        """Go to the first line."""
        self.move(0)

    def key_end(self) -> None:
        """Go to the last line."""
        self.move(len(self.lines) - 1)

    # ------------------------------------------------------------------ searching

    def seek(self, words: str, step: int = 0) -> bool:
        """Go to the next line with all words, as in less; return whether there is one.

        A `step` of 0 begins at the line under the cursor. After the last line comes the first.
        """
        self.sought = words
        count = len(self.lines)
        if not words or not count:
            return not words
        for far in range(abs(step), count + abs(step)):
            at = (self.cursor + (far if step >= 0 else -far)) % count
            if at not in self.passed and has_words(plain(self.lines[at]), words):
                self.move(at)
                return True
        return False

    def key_n(self, event: events.Key) -> None:
        """Go to the next line with the words that were searched for."""
        self.seek_on(event, 1)

    def key_upper_n(self, event: events.Key) -> None:
        """Go to the previous line with the words that were searched for."""
        self.seek_on(event, -1)

    def seek_on(self, event: events.Key, step: int) -> None:
        """Continue a search, if there is one: otherwise the key has another action."""
        if self.sought:
            event.stop()
            self.seek(self.sought, step)

    def key_escape(self, event: events.Key) -> None:
        """End the search, if there is one."""
        if self.sought:
            event.stop()
            self.sought = ""

    # ------------------------------------------------------------------ moving sideways

    def key_left(self) -> None:
        """Scroll left."""
        self.slide(-8)

    def key_right(self) -> None:
        """Scroll right."""
        self.slide(8)

    def slide(self, columns: int) -> None:
        """Scroll sideways, no farther than the end of the longest line in view."""
        top, height = self.scroll_offset.y, self.size.height
        seen = self.lines[top : top + height]
        most = widest(seen) - self.scrollable_content_region.width
        shift = max(0, min(self.shift + columns, most))
        if shift != self.shift:
            self.shift = shift
            self.refresh()

    def key_enter(self, event: events.Key) -> None:
        """Choose the line under the cursor."""
        # Otherwise the action of the key would be carried out too.
        event.stop()
        if self.lines:
            self.post_message(self.Chosen(self, self.cursor))

    def on_click(self, event: events.Click) -> None:
        """Put the cursor under the mouse; a second click chooses."""
        index = event.y + self.scroll_offset.y
        if index < len(self.lines):
            if index == self.cursor and event.chain > 1:
                self.post_message(self.Chosen(self, index))
            self.move(index)
