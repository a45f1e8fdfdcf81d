"""The details of the selection in tabs, one of them open."""

from __future__ import annotations

from types import ModuleType

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.strip import Strip

from analyzer.source import Span
from tui.present import detail
from tui.present.detail import DetailSubject, Shown
from tui.present.pieces import Line, Piece, plain, wrapped
from tui.run.agent_timeline import AgentTimeline
from tui.widgets.painting import Painted, entitle
from tui.widgets.rows import Rows

# Tabs whose lines are not wrapped.
WHOLE = ("parameters", "diff", "source")

# The characters that titles may have, the widest first, and abbreviations by title.
WIDTHS = (10, 6, 3)
SHORT = {
    "Parameters": {6: "Params", 3: "Par"},
    "Edges": {3: "Edg"},
    "Events": {3: "Evt"},
    "Diff": {3: "Dif"},
    "Source": {3: "Src"},
}


class TabLine(Painted):
    """The names of the tabs; a click opens one."""

    class Picked(Message):
        """A tab was clicked."""

        def __init__(self, tab: str) -> None:
            super().__init__()
            self.tab = tab

    open = ""
    titles: tuple[tuple[str, str], ...] = ()

    def parts(self) -> list[tuple[str, str]]:
        """Return the tabs with their titles, which are short on a narrow screen."""
        parts: list[tuple[str, str]] = []
        for most in WIDTHS:
            titles = (
                (id, SHORT.get(title, {}).get(most, title[:most])) for id, title in self.titles
            )
            parts = [(id, f" {title} ") for id, title in titles]
            if sum(len(text) for _, text in parts) <= self.size.width:
                break
        return parts

    def render_line(self, y: int) -> Strip:
        """Draw the names."""
        pieces = [Piece(text, "here" if id == self.open else "dim") for id, text in self.parts()]
        return self.strip(pieces, self.size.width, self.rich_style)

    def on_click(self, event: events.Click) -> None:
        """Open the tab that was clicked."""
        column = 0
        for id, text in self.parts():
            if column <= event.x < column + len(text):
                self.post_message(self.Picked(id))
            column += len(text)


class Detail(Vertical):
    """Shows the selection; each tab is made when it is opened."""

    class Followed(Message):
        """A reference in a tab was chosen."""

        def __init__(self, ref: str) -> None:
            super().__init__()
            self.ref = ref

    class Opened(Message):
        """A line about a place was chosen."""

        def __init__(self, place: Span) -> None:
            super().__init__()
            self.place = place

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.tab = "parameters"
        self.subject: DetailSubject | None = None
        self.about: ModuleType = detail
        self.shown = Shown([])
        self.tabs = TabLine()
        self.rows = Rows(id="detail-rows", empty="no resource is selected")

    def compose(self) -> ComposeResult:
        """Yield the names of the tabs and the open tab."""
        yield self.tabs
        yield self.rows

    def show(self, subject: DetailSubject | None) -> None:
        """Show a resource; if it is the same, keep the scroll position."""
        same = bool(self.subject and subject and self.subject.node == subject.node)
        self.subject = subject
        self.about = detail
        if subject is not None and isinstance(subject.timeline, AgentTimeline):
            from tui.present import policy_detail

            self.about = policy_detail
        self.draw(keep=same)

    def open(self, tab: str) -> None:
        """Open a tab."""
        self.tab = tab
        self.draw(keep=False)

    def turn(self, step: int) -> None:
        """Open the next or the previous tab."""
        names = list(self.about.TABS)
        self.open(names[(names.index(self.tab) + step) % len(names)])

    def draw(self, *, keep: bool) -> None:
        """Make the open tab."""
        self.tabs.open = self.tab
        self.tabs.titles = tuple((id, title) for id, (title, _) in self.about.TABS.items())
        self.tabs.refresh()
        if self.subject is None:
            self.shown = Shown([])
        else:
            self.shown = self.fitted(self.about.TABS[self.tab][1](self.subject))
            entitle(self, plain(self.about.head(self.subject)))
        self.rows.show(self.shown.lines, None if keep else 0)
        if not keep and self.shown.top:
            height = max(4, self.rows.size.height)
            self.rows.show(self.shown.lines, self.shown.top)
            self.rows.scroll_to(y=max(0, self.shown.top - height // 2), animate=False)

    def fitted(self, found: Shown) -> Shown:
        """Return the lines wrapped, except those of files."""
        width = self.rows.scrollable_content_region.width - 1
        if self.tab in WHOLE or width < 20:
            return found
        lines: list[Line] = []
        refs: list[str] = []
        for at, one in enumerate(found.lines):
            rows = wrapped(one, width)
            lines += rows
            refs += [found.refs[at] if at < len(found.refs) else ""] * len(rows)
        return Shown(lines, refs)

    def on_resize(self) -> None:
        """Wrap the lines."""
        if self.subject is not None:
            self.draw(keep=True)

    def on_tab_line_picked(self, event: TabLine.Picked) -> None:
        """Open the tab that was clicked."""
        self.open(event.tab)

    def on_rows_chosen(self, event: Rows.Chosen) -> None:
        """Follow the reference of a line, or open its place."""
        place = self.shown.places.get(event.index)
        if place is not None:
            self.post_message(self.Opened(place))
            return
        ref = self.shown.refs[event.index] if event.index < len(self.shown.refs) else ""
        if ref:
            self.post_message(self.Followed(ref))
