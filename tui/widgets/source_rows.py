"""The lines of a manifest, with a gutter that does not scroll sideways."""

from __future__ import annotations

from textual.strip import Strip

from tui.present.source_page import Page
from tui.widgets.rows import Rows


class SourceRows(Rows):
    """A list of lines with a gutter."""

    page: Page | None = None

    def show_page(self, page: Page | None, cursor: int = 0) -> None:
        """Show a manifest."""
        self.page = page
        self.show(page if page is not None else (), cursor)

    def render_line(self, y: int) -> Strip:
        """Draw one line of the view: the gutter, then the text."""
        index = y + self.scroll_offset.y
        page = self.page
        if page is None or index >= len(page):
            return super().render_line(y)
        base = self.rich_style + self.line_style(index)
        wide = min(page.gutter_width, self.size.width)
        gutter = self.strip(page.gutter(index), wide, base)
        text = self.strip(page[index], self.size.width - wide, base, self.shift)
        return Strip.join([gutter, text])

    def slide(self, columns: int) -> None:
        """Scroll long lines sideways, up to the end of the longest."""
        room = self.size.width - (self.page.gutter_width if self.page else 0)
        longest = self.page.text.width if self.page else 0
        self.shift = max(0, min(self.shift + columns, longest - room))
        self.refresh()

    def centre(self) -> None:
        """Scroll so that the line under the cursor is in the middle."""
        if self.size.height:
            self.scroll_to(y=max(0, self.cursor - self.size.height // 2), animate=False)
        else:
            self.call_after_refresh(self.centre)
