"""The picture of a resource's neighbourhood, in which a cursor moves from cell to cell."""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from tui.present.columns import Cell
from tui.present.drawing import Drawing
from tui.present.pieces import Piece
from tui.widgets.painting import Painted


class Neighbourhood(ScrollView, Painted, can_focus=True):
    """Draws the rows of a picture that are in view; a low picture is centred."""

    COMPONENT_CLASSES: ClassVar = {"rows--cursor", "rows--idle-cursor"}

    class Pointed(Message):
        """The cursor is on another cell."""

        def __init__(self, cell: Cell) -> None:
            super().__init__()
            self.cell = cell

    class Chosen(Message):
        """A cell was double-clicked."""

        def __init__(self, cell: Cell) -> None:
            super().__init__()
            self.cell = cell

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.drawing: Drawing | None = None
        self.cell: Cell | None = None
        self.note = ""

    def show(self, drawing: Drawing | None, cell: Cell | None = None, note: str = "") -> None:
        """Show another picture with the cursor on a cell, or a note in its place."""
        self.drawing, self.note = drawing, note
        self.cell = cell or (drawing.picture.focus if drawing else None)
        self.virtual_size = Size(0, drawing.picture.height if drawing else 0)
        self.reveal()
        self.refresh()

    @property
    def top(self) -> int:
        """Return the row of the picture in the widget's first line; negative if it is centred."""
        if self.drawing is None:
            return 0
        spare = self.size.height - self.drawing.picture.height
        return -(spare // 2) if spare > 0 else self.scroll_offset.y

    def reveal(self) -> None:
        """Scroll so that the cell under the cursor is in view, with some rows around it."""
        height = self.size.height
        if not height or self.cell is None:
            return
        margin = min(2, height // 3)
        row, top = self.cell.row, self.scroll_offset.y
        if self.cell.role == "focus":
            self.scroll_to(y=max(0, row - height // 2), animate=False)
        elif row < top + margin:
            self.scroll_to(y=max(0, row - margin), animate=False)
        elif row >= top + height - margin:
            self.scroll_to(y=row - height + 1 + margin, animate=False)

    def on_resize(self) -> None:
        """Keep the cursor in view."""
        self.call_after_refresh(self.reveal)

    # ------------------------------------------------------------------ drawing

    def render_line(self, y: int) -> Strip:
        """Draw one line of the view."""
        width, base = self.size.width, self.rich_style
        if self.drawing is None:
            text = f"  {self.note}" if y == 0 else ""
            return self.strip((Piece(text, "dim"),), width, base)
        row = y + self.top
        if not 0 <= row < self.drawing.picture.height:
            return self.strip((), width, base)
        found = self.strip(self.drawing.line(row), width, base)
        if self.cell is None or self.cell.row != row:
            return found
        start, _ = self.drawing.spans()[self.cell.column]
        end = min(start + self.drawing.room_of(self.cell), width)
        over = self.cursor_style(idle=not self.has_focus)
        cells = Strip(
            Segment(text, (style or base) + over) for text, style, _ in found.crop(start, end)
        )
        return Strip.join([found.crop(0, start), cells, found.crop(end, width)])

    # ------------------------------------------------------------------ the cursor

    def point(self, cell: Cell | None) -> None:
        """Put the cursor on a cell, and post a message."""
        if cell is not None and cell is not self.cell:
            self.cell = cell
            self.reveal()
            self.refresh()
            self.post_message(self.Pointed(cell))

    def along(self, step: int) -> None:
        """Go up or down in the column."""
        if self.drawing is None or self.cell is None:
            return
        column = self.drawing.picture.columns[self.cell.column]
        place = column.index(self.cell) + step
        self.point(column[max(0, min(place, len(column) - 1))])

    def across(self, step: int) -> None:
        """Go to the next column: along an edge if there is one, else to the nearest cell."""
        if self.drawing is None or self.cell is None:
            return
        column = self.drawing.picture.columns.get(self.cell.column + step)
        if not column:
            return
        joined = [c for c in column if c in self.cell.children or c is self.cell.parent]
        row = self.cell.row
        self.point(min(joined or column, key=lambda c: (c.role != "focus", abs(c.row - row))))

    def key_up(self) -> None:
        """Go up."""
        self.along(-1)

    def key_down(self) -> None:
        """Go down."""
        self.along(1)

    def key_left(self) -> None:
        """Go to the dependencies."""
        self.across(-1)

    def key_right(self) -> None:
        """Go to the dependents."""
        self.across(1)

    key_k, key_j, key_h, key_l = key_up, key_down, key_left, key_right

    def key_pageup(self) -> None:
        """Go up a page."""
        self.along(-max(1, self.size.height - 1))

    def key_pagedown(self) -> None:
        """Go down a page."""
        self.along(max(1, self.size.height - 1))

    def key_home(self) -> None:
        """Go to the first cell of the column."""
        self.along(-self.virtual_size.height)

    def key_end(self) -> None:
        """Go to the last cell of the column."""
        self.along(self.virtual_size.height)

    def on_click(self, event: events.Click) -> None:
        """Put the cursor where the mouse is; a second click chooses."""
        if self.drawing is None:
            return
        row = event.y + self.top
        for column, (start, room) in self.drawing.spans().items():
            cell = self.drawing.at[column].get(row)
            if cell is not None and start <= event.x < start + room:
                if cell is self.cell and event.chain > 1:
                    self.post_message(self.Chosen(cell))
                self.point(cell)
