"""The base of all screens: bars, prompt, filters, and updates after the controller's messages."""

from __future__ import annotations

from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual.app import ComposeResult
from textual.screen import Screen
from textual.widget import Widget

from tui.keys.actions import ACTIONS, actions_of
from tui.keys.hints import hints
from tui.keys.palette import PaletteTarget, palette
from tui.keys.typed_commands import perform
from tui.present.status import notice_lines, top_line
from tui.screens.dialogs import SHOWN_FOR, Finder
from tui.screens.handlers import COMMANDS
from tui.screens.help import HelpScreen
from tui.screens.jump import Jump
from tui.widgets.bars import Bar
from tui.widgets.panel import Panel
from tui.widgets.prompt import Prompt
from tui.widgets.rows import Rows

# The screens by the keys that show them, from 0 on; Nodes exists only for a repository.
TITLES = {
    "nodes": "Nodes",
    "run": "Run",
    "graph": "Graph",
    "findings": "Findings",
    "source": "Source",
    "report": "Report",
    "against": "Compare",
}
PANES = {pane for action in ACTIONS for pane in action.panes}

if TYPE_CHECKING:
    from collections.abc import Callable

    from tui.keys.context import KeyContext
    from tui.project.project import Project


class View(Screen[None]):
    """A screen of the project. A subclass sets ID, and overrides `panes` and some of `show_*`.

    `show_project`, `show_run` and `show_selection` are called on a change while the screen is
    shown, or when it is shown after a change. The hints depend on the focused widget whose id is
    the name of a pane in the action table.
    """

    ID: ClassVar[str] = ""
    # The panes that can be filtered.
    FILTERED: ClassVar[tuple[str, ...]] = ()
    # The keys of screens come from the action table; Textual's are disabled.
    BINDINGS: ClassVar = []

    def __init__(self, context: KeyContext) -> None:
        super().__init__()
        self.context = context
        self.controller = context.controller
        self.seen: dict[str, int] = {}
        self.filters: dict[str, str] = {}
        # A short text with its severity, and until when it is shown.
        self.notice: tuple[str, str, float] = "", "", 0.0

    def compose(self) -> ComposeResult:
        """Yield the panes between the bars."""
        yield Bar(id="top")
        yield from self.panes()
        yield Panel(id="tour")
        yield Panel(id="notice")
        yield Prompt()
        yield Bar(id="hints")

    @property
    def prompt(self) -> Prompt:
        """Return the input line."""
        return self.query_one(Prompt)

    def command_name(self) -> str:
        """Return the name of the view for the command that prints its content."""
        return self.ID

    @property
    def filtered_pane(self) -> str:
        """Return the id of the focused pane if it can be filtered, else an empty text."""
        return self.pane if self.pane in self.FILTERED else ""

    def filter_pane(self, pane: str, text: str) -> None:
        """Show only the lines of a pane that have all words of a text; `filters` has the texts."""

    def panes(self) -> ComposeResult:
        """Yield the widgets between the bars."""
        yield from ()

    @property
    def is_there(self) -> bool:
        """Return whether the widgets exist: a screen that is being removed has none."""
        return self.is_mounted and bool(self.query("#hints"))

    # ------------------------------------------------------------------ showing

    def show_project(self, project: Project) -> None:
        """Show the project."""

    def show_run(self) -> None:
        """Show the run."""

    def show_selection(self) -> None:
        """Show the selection."""

    def catch_up(self) -> None:
        """Show the changes since the screen was last shown."""
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
        top = top_line(self.controller, TITLES, self.ID, self.size.width)
        self.query_one("#top", Bar).show(*top)
        found, parts = hints(
            actions_of(self.ID), self.context.keys, self.pane, self.controller, self.size.width
        )
        self.query_one("#hints", Bar).show(found, (), parts)
        text, severity, until = self.notice
        shown = notice_lines(text, severity, self.size.width) if monotonic() < until else []
        self.query_one("#notice", Panel).show(shown)
        tour = self.context.tour
        lines = tour.lines(self.context.keys, self.size.width) if tour else []
        self.query_one("#tour", Panel).show(lines)
        self.set_class(bool(lines), "touring")

    def show_notice(self, text: str, severity: str) -> None:
        """Show a short text for some seconds, above the hints, where it covers nothing."""
        self.notice = text, severity, monotonic() + SHOWN_FOR
        self.show_bars()
        self.set_timer(SHOWN_FOR + 0.1, self.show_bars)

    @property
    def pane(self) -> str:
        """Return the id of the focused pane, as in the action table."""
        at: Widget | None = self.focused
        while at is not None and at is not self:
            if at.id in PANES:
                return str(at.id)
            at = cast("Widget | None", at.parent)
        return ""

    def on_mount(self) -> None:
        """Show the project, and follow the focus."""
        self.watch(self, "focused", self.follow_focus, init=False)
        self.call_after_refresh(self.catch_up)

    def follow_focus(self) -> None:
        """Show the hints of the focused pane; close the prompt if it lost the focus."""
        at = self.focused
        if self.is_there and at is not None and not self.prompt.has(at):
            self.prompt.leave()
        self.show_bars()

    def on_screen_resume(self) -> None:
        """Show the changes."""
        self.call_after_refresh(self.catch_up)

    def on_resize(self) -> None:
        """Fit the bars to the width."""
        self.call_after_refresh(self.show_bars)

    # ------------------------------------------------------------------ actions

    def ask(self, sign: str, text: str, done: Callable[[str | None], None], **options: Any) -> None:
        """Ask for a line at the bottom; restore the focus afterwards, unless it has moved."""
        if self.prompt.display:
            return
        before = self.focused

        def finished(text: str | None) -> None:
            gone_on = self.focused is not None and not self.prompt.has(self.focused)
            if before is not None and before.is_attached and not gone_on:
                before.focus()
            done(text)

        self.prompt.ask(sign, text, finished, **options)

    def do_command(self) -> None:
        """Ask for a command."""

        def done(text: str | None) -> None:
            if text:
                perform(self.context, text, COMMANDS)

        self.ask(":", "", done, words=[*COMMANDS, *self.context.keys])

    def do_filter(self) -> None:
        """Ask for a filter of the pane with the focus."""
        pane = self.filtered_pane
        if not pane:
            self.search()
            return

        def done(text: str | None) -> None:
            self.filter_pane(pane, "" if text is None else text)

        before = self.filters.get(pane, "")
        self.ask("/", before, done, changed=lambda text: self.filter_pane(pane, text), keeps=True)

    def search(self) -> None:
        """Ask for words, and go to the next line of the focused list that contains them."""
        rows = self.focused
        if not isinstance(rows, Rows):
            self.controller.notify("this pane has no lines to search")
            return

        def done(text: str | None) -> None:
            if not rows.seek(text or ""):
                self.controller.notify(f"no line has '{text}'", "warning")
                rows.sought = ""

        self.ask("/", rows.sought, done, changed=rows.seek, keeps=True)

    def do_unfilter(self) -> None:
        """Show all lines of the focused pane again, or else of all panes."""
        found = [pane for pane, text in self.filters.items() if text]
        for pane in [self.pane] if self.pane in found else found:
            self.filter_pane(pane, "")
            self.filters[pane] = ""
        self.show_bars()

    def do_palette(self) -> None:
        """Find a resource or an action."""

        def chosen(target: PaletteTarget | None) -> None:
            if target is None:
                return
            if target.action:
                self.app.call_later(self.app.run_action, f"act('{target.action}')")
            else:
                self.controller.select(target.ref, "palette")

        source = partial(palette, self.controller, self.ID, self.context.keys)
        self.app.push_screen(Finder("Find", source), chosen)

    def do_jump(self) -> None:
        """Show a letter on each pane; the next key moves the focus there."""
        panes = [w for w in self.focus_chain if w.id and w.region.height]

        def go(pane: Widget | None) -> None:
            if pane is not None:
                pane.focus()

        self.app.push_screen(Jump(panes), go)

    def do_help(self) -> None:
        """Show all keys."""
        self.app.push_screen(HelpScreen(self.ID, self.context.keys))
