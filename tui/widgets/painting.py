"""From pieces with names of styles to what a terminal shows."""

from __future__ import annotations

from collections.abc import Iterable

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from tui.present.pieces import STYLES, Piece

COMPONENTS = {f"piece--{name}" for name in STYLES}


class Painted(Widget):
    """A widget that draws pieces; `catgraph.tcss` says how a style looks."""

    COMPONENT_CLASSES = COMPONENTS

    def piece_style(self, name: str) -> Style:
        """Return the style of a name, without a background of its own."""
        return self.get_component_rich_style(f"piece--{name}", partial=True) if name else Style()

    def strip(self, pieces: Iterable[Piece], width: int, base: Style, start: int = 0) -> Strip:
        """Return a line cut to a width from a column on, and filled up."""
        segments = [Segment(text, base + self.piece_style(style)) for text, style in pieces if text]
        found = Strip(segments)
        return found.crop_extend(start, start + width, base)
