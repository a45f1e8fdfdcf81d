"""Draws pieces in the styles that the theme gives their names."""

from __future__ import annotations

from collections.abc import Iterable

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.content import Content
from textual.filter import LineFilter
from textual.strip import Strip
from textual.widget import Widget

from analyzer.escape import safe, shown
from tui.present.glyphs import ELLIPSIS
from tui.present.pieces import FILL, Piece
from tui.theme import piece_style


def entitle(widget: Widget, title: str, below: str = "") -> None:
    """Set the titles in a widget's border as plain text, never as markup."""
    # Textual redraws the whole widget for a title, even if it is the same.
    for name, text in (("border_title", title), ("border_subtitle", below)):
        content = Content(shown(text))
        if getattr(widget, name) != content.markup:
            setattr(widget, name, content)


class Visible(LineFilter):
    """Escapes control characters in the lines of all widgets before they reach the terminal."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return segments with control characters escaped."""
        return [Segment(safe(text), style, control) for text, style, control in segments]


class Painted(Widget):
    """A widget that draws pieces."""

    def cursor_style(self, *, idle: bool) -> Style:
        """Return the style of the line under the cursor: reversed if there are few colours."""
        few = self.app.console.color_system in (None, "standard", "windows")
        if self.app.no_color or (few and not self.app.is_headless):
            return Style(bold=True) if idle else Style(reverse=True)
        name = "rows--idle-cursor" if idle else "rows--cursor"
        return self.get_component_rich_style(name, partial=True)

    def strip(self, pieces: Iterable[Piece], width: int, base: Style, start: int = 0) -> Strip:
        """Return a line cut to a width from a column on, and padded.

        Pieces after FILL are at the right end; a cut text ends in an ellipsis.
        """
        parts = list(pieces)
        if FILL in parts:
            at = parts.index(FILL)
            tail = self.segments(parts[at + 1 :], base)
            room = max(width // 3, width - tail.cell_length)
            left = self.cut(self.segments(parts[:at], base), room, base, start)
            return Strip.join((left, self.cut(tail, width - room, base, 0)))
        return self.cut(self.segments(parts, base), width, base, start)

    def segments(self, pieces: Iterable[Piece], base: Style) -> Strip:
        """Return pieces in their styles."""
        theme = self.app.theme
        return Strip(
            [Segment(text, base + piece_style(theme, style)) for text, style in pieces if text]
        )

    def cut(self, strip: Strip, width: int, base: Style, start: int) -> Strip:
        """Return a part of a strip: from a column on, with a given width."""
        if start or strip.cell_length <= width or width < 2:
            return strip.crop_extend(start, start + width, base)
        end = Strip([Segment(ELLIPSIS, base + piece_style(self.app.theme, "dim"))])
        return Strip.join((strip.crop_extend(0, width - 1, base), end))
