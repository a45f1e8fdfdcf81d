"""A panel that is as high as its lines."""

from __future__ import annotations

from collections.abc import Sequence

from textual.geometry import Size
from textual.strip import Strip

from tui.present.pieces import Line
from tui.widgets.painting import Painted


class Panel(Painted):
    """Shows lines of pieces; hidden without any."""

    DEFAULT_CSS = "Panel { display: none; }"

    lines: Sequence[Line] = ()

    def show(self, lines: Sequence[Line]) -> None:
        """Show lines; only another number of them needs a new layout."""
        if lines == self.lines:
            return
        has_other_height = len(lines) != len(self.lines)
        self.lines = lines
        self.display = bool(lines)
        self.refresh(layout=has_other_height)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return how many lines there are."""
        return len(self.lines)

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        pieces = self.lines[y] if y < len(self.lines) else ()
        return self.strip(pieces, self.size.width, self.rich_style)
