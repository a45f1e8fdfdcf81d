"""What all screens have: the bars, and the way from the controller's messages to what is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import ComposeResult
from textual.screen import Screen
from textual.widget import Widget

from tui.keys.actions import ACTIONS, actions_of
from tui.keys.hints import hints
from tui.widgets.bars import Bar
from tui.widgets.panel import Panel
from tui.widgets.prompt import Prompt

PANES = {pane for action in ACTIONS for pane in action.panes}

if TYPE_CHECKING:
    from tui.app import CatgraphApp
    from tui.project.project import Project
    from tui.run.controller import Controller


class View(Screen[None]):
    """One view of what is open. A subclass sets ID, and overrides `panes` and some of `show_*`.

    `show_project`, `show_run` and `show_selection` are called when it comes up and something was
    changed meanwhile, and when something changes while it is up; a screen that is not up is left
    alone. A widget whose id is a pane's name of the action table decides which keys are hinted at.
    """

    ID: ClassVar[str] = ""
    # The panes that can be filtered.
    FILTERED: ClassVar[tuple[str, ...]] = ()
    # Screens have keys of their own from the action table; Textual's are left out.
    BINDINGS: ClassVar = []

    def __init__(self) -> None:
        super().__init__()
        self.seen: dict[str, int] = {}
        self.filters: dict[str, str] = {}

    @property
    def catgraph(self) -> CatgraphApp:
        """The application."""
        return cast("CatgraphApp", self.app)

    @property
    def controller(self) -> Controller:
        """What is open and selected."""
        return self.catgraph.controller

    def compose(self) -> ComposeResult:
        """Put the bars around what the screen shows."""
        yield Bar(id="top")
        yield from self.panes()
        yield Panel(id="tour")
        yield Prompt()
        yield Bar(id="hints")

    @property
    def prompt(self) -> Prompt:
        """The line to type in."""
        return self.query_one(Prompt)

    @property
    def filtered_pane(self) -> str:
        """The id of the pane that a filter is for; empty if none has one."""
        return self.pane if self.pane in self.FILTERED else ""

    def filter_pane(self, pane: str, text: str) -> None:
        """Show only what has the words of a text in a pane; `filters` are the texts."""

    def panes(self) -> ComposeResult:
        """Yield what the screen shows between the bars."""
        yield from ()

    @property
    def is_there(self) -> bool:
        """Whether its parts are there: a screen that is taken down has none."""
        return self.is_mounted and bool(self.query("#hints"))

    # ------------------------------------------------------------------ what is shown

    def show_project(self, project: Project) -> None:
        """Show what is open now."""

    def show_run(self) -> None:
        """Show the run as it is now."""

    def show_selection(self) -> None:
        """Show the selected resource."""

    def catch_up(self) -> None:
        """Show what has changed since the screen was last up."""
        controller = self.controller
        if not self.is_there:
            return
        if controller.project is None:
            self.show_bars()
            return
        old, self.seen = self.seen, dict(controller.versions)
        if old.get("project") != self.seen["project"]:
            self.show_project(controller.project)
        if old.get("run") != self.seen["run"]:
            self.show_run()
        if old.get("selection") != self.seen["selection"]:
            self.show_selection()
        self.show_bars()

    # ------------------------------------------------------------------ the bars

    def show_bars(self) -> None:
        """Show the line at the top and the hints."""
        if not self.is_there:
            return
        self.query_one("#top", Bar).show(*self.catgraph.top_line(self.ID, self.size.width))
        found, parts = hints(
            actions_of(self.ID), self.catgraph.keys, self.pane, self.controller, self.size.width
        )
        self.query_one("#hints", Bar).show(found, (), parts)
        tour = self.catgraph.tour
        lines = tour.lines(self.catgraph.keys, self.size.width) if tour else []
        self.query_one("#tour", Panel).show(lines)

    @property
    def pane(self) -> str:
        """The id of the part that has the focus, as the action table names it."""
        at: Widget | None = self.focused
        while at is not None and at is not self:
            if at.id in PANES:
                return str(at.id)
            at = cast("Widget | None", at.parent)
        return ""

    def on_mount(self) -> None:
        """Show what is open, and follow the focus."""
        self.watch(self, "focused", self.follow_focus, init=False)
        self.call_after_refresh(self.catch_up)

    def follow_focus(self) -> None:
        """Show the keys of what has the focus; a line that is left for it is given up."""
        at = self.focused
        if self.is_there and at is not None and not self.prompt.has(at):
            self.prompt.leave()
        self.show_bars()

    def on_screen_resume(self) -> None:
        """Show what has changed meanwhile."""
        self.call_after_refresh(self.catch_up)

    def on_resize(self) -> None:
        """Fit the bars to the width."""
        self.call_after_refresh(self.show_bars)
