"""The application: its screens, its keys, its colours, and what it does with each action."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

from textual.app import App
from textual.binding import Binding, BindingsMap
from textual.widget import Widget

from analyzer.diagnostics import InputError
from tui.actions import ACTIONS, BY_ID
from tui.controller import Controller
from tui.keymap import SPOKEN, keys_of
from tui.messages import ProjectOpened, RunChanged, SelectionChanged, Told
from tui.opening import Request, open_project
from tui.present.pieces import Line, line
from tui.project import Project
from tui.screens import SCREENS, make
from tui.screens.base import View
from tui.screens.help import HelpScreen


class CatgraphApp(App[int]):
    """Walks through a run."""

    CSS_PATH = "catgraph.tcss"
    TITLE = "catgraph"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar = []

    def __init__(
        self, request: Request | None = None, options: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__()
        self.options = options or {}
        self.request = request
        self.controller = Controller(self.post_message)
        self.keys = keys_of(None)
        self._bindings = BindingsMap(list(self.key_bindings()))
        for name in SCREENS:
            self.add_mode(name, partial(make, name))

    def key_bindings(self) -> list[Binding]:
        """Return the keys of all actions; which of them hold is seen when one is pressed."""
        by_key: dict[str, list[str]] = {}
        for action in ACTIONS:
            for key in self.keys[action.id]:
                by_key.setdefault(SPOKEN.get(key, key), []).append(action.id)
        return [Binding(key, f"act('{' '.join(ids)}')", show=False) for key, ids in by_key.items()]

    def on_mount(self) -> None:
        """Show the first screen, and open what was asked for."""
        self.switch_mode("run")
        if self.request:
            self.open(self.request)

    # ------------------------------------------------------------------ opening

    def open(self, request: Request) -> None:
        """Open something, in a thread of its own."""
        self.run_worker(partial(self.opening, request), thread=True, group="open", exclusive=True)

    def opening(self, request: Request) -> None:
        """Read an input; its project or its error is passed on."""
        try:
            project = open_project(request)
        except (InputError, OSError) as error:
            self.call_from_thread(self.notify, str(error), severity="error", markup=False)
            return
        self.call_from_thread(self.controller.open, project)

    # ------------------------------------------------------------------ messages

    @property
    def view(self) -> View | None:
        """The view that is up, below any dialog."""
        return next((s for s in reversed(self.screen_stack) if isinstance(s, View)), None)

    def follow(self) -> None:
        """Let the view that is up show what has changed."""
        if self.view:
            self.view.catch_up()

    def on_project_opened(self, message: ProjectOpened) -> None:
        """Show another project."""
        self.follow()

    def on_run_changed(self, message: RunChanged) -> None:
        """Show the run."""
        self.follow()

    def on_selection_changed(self, message: SelectionChanged) -> None:
        """Show the selection."""
        self.follow()

    def on_told(self, message: Told) -> None:
        """Show a line for the person."""
        severity: Any = message.severity
        self.notify(message.text, severity=severity, markup=False, timeout=4)

    # ------------------------------------------------------------------ actions

    def action_act(self, ids: str) -> None:
        """Carry out the first action of some that the screen has."""
        view = self.view
        for id in ids.split():
            action = BY_ID[id]
            if action.where and (view is None or view.ID not in action.where):
                continue
            reason = action.when(self.controller)
            if reason:
                self.on_told(Told(reason, "warning"))
                return
            self.carry_out(action.method)
            return

    def carry_out(self, method: str) -> None:
        """Call the method of the focused widget, what it is in, the screen or the application."""
        at: Any = self.screen.focused or self.view
        while at is not None:
            if hasattr(at, method):
                getattr(at, method)()
                return
            at = at.parent if isinstance(at, Widget) else None

    def do_quit(self) -> None:
        """Leave."""
        self.exit(0)

    def do_help(self) -> None:
        """Show all keys."""
        self.push_screen(HelpScreen(self.view.ID if self.view else "run"))

    def do_run_screen(self) -> None:
        """Show the run."""
        self.switch_mode("run")

    def do_graph_screen(self) -> None:
        """Show the graph."""
        self.switch_mode("graph")

    def do_findings_screen(self) -> None:
        """Show the findings."""
        self.switch_mode("findings")

    def do_source_screen(self) -> None:
        """Show the source."""
        self.switch_mode("source")

    def do_report_screen(self) -> None:
        """Show the report."""
        self.switch_mode("report")

    # ------------------------------------------------------------------ the top line

    def top_line(self, screen: str, width: int) -> tuple[Line, Line, list[tuple[int, int, str]]]:
        """Return the line at the top: what is open, the screens, where the run stands."""
        project: Project | None = self.controller.project
        title = project.title if project else ""
        left = [*line((" catgraph ", "title"), f" {title}  ")]
        column = sum(len(piece.text) for piece in left)
        parts = []
        for number, (name, (shown, _, _)) in enumerate(SCREENS.items(), 1):
            text = f" {number} {shown} "
            left += line((text, "accent" if name == screen else "dim"))
            parts.append((column, column + len(text), f"{name}-screen"))
            column += len(text)
        right = line()
        if project:
            timeline = self.controller.timeline
            right = line((f"step {timeline.position} ", "strong"))
        return tuple(left), right, parts
