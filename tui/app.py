"""The application: its screens, its keys, its colours, and what it does with each action."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar

from textual import events
from textual.binding import Binding, BindingsMap
from textual.filter import LineFilter
from textual.widget import Widget
from textual.worker import get_current_worker

from analyzer.diagnostics import CompileError, InputError
from analyzer.escape import safe
from tui.doing import Doing
from tui.keys.actions import ACTIONS, BY_ID
from tui.keys.keyboard import Keyboard
from tui.keys.keymap import SPOKEN, keys_of
from tui.present.pieces import Line
from tui.present.status import Parts, top_line
from tui.project.opening import Cancelled, Request, open_project
from tui.project.project import Project
from tui.project.samples import project_here
from tui.run.branch import Prepared, prepare
from tui.run.controller import Controller
from tui.run.messages import ProjectOpened, RunChanged, SelectionChanged, Told
from tui.screens import SCREENS, make
from tui.screens.base import View
from tui.screens.loading import Failure, Loading
from tui.theme import THEMES
from tui.widgets.painting import Visible

# One for all, as lines remember what a filter made of them.
VISIBLE = Visible()

# Actions whose keys hold in dialogs too, where they are no letters.
ANYWHERE = {"quit", "suspend"}
# What ends a program politely.
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class CatgraphApp(Doing):
    """Walks through a run."""

    CSS_PATH: ClassVar = ["catgraph.tcss", "views.tcss"]
    TITLE = "catgraph"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar = []

    def __init__(
        self, request: Request | None = None, options: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__()
        self.options = options or {}
        self.request = request
        # Whether what was opened last cannot be compiled.
        self.refused = False
        self.controller = Controller(self.post_message)
        self.keyboard = Keyboard(self, super().on_event, self.steady_keys)
        self.configure(None)
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = f"catgraph-{self.options.get('theme') or 'dark'}"
        for name in (*SCREENS, "welcome"):
            self.add_mode(name, partial(make, name))

    def configure(self, config: Any) -> None:
        """Take the keys and colours of a project.

        Raises:
            InputError: the file has a key that cannot be.
        """
        self.keys = dict(keys_of(config))
        self._bindings = BindingsMap(list(self.key_bindings()))
        theme = config.tui.get("theme") if config else None
        if theme and not self.options.get("theme"):
            self.theme = f"catgraph-{theme}"

    def key_bindings(self) -> list[Binding]:
        """Return the keys of all actions; which of them hold is seen when one is pressed."""
        by_key: dict[str, list[str]] = {}
        for action in ACTIONS:
            for key in self.keys[action.id]:
                by_key.setdefault(SPOKEN.get(key, key), []).append(action.id)
        return [
            Binding(
                key,
                f"act('{' '.join(ids)}')",
                show=False,
                priority="ctrl+" in key and bool(ANYWHERE & set(ids)),
            )
            for key, ids in by_key.items()
        ]

    def on_mount(self) -> None:
        """Show the first screen, and open what was asked for."""
        for number in () if self.is_headless else SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                asyncio.get_running_loop().add_signal_handler(number, self.on_signal, number)
        if self.request is None:
            here = project_here(os.getcwd()) if self.options.get("here") else None
            self.request = Request(here, self.options) if here else None
        self.switch_mode("welcome")
        if self.request:
            self.open(self.request)

    def on_unmount(self) -> None:
        """Let go of what is held."""
        self.controller.release()

    # ------------------------------------------------------------------ what is typed

    async def on_event(self, event: events.Event) -> None:
        """Hand keys on one at a time; all else at once."""
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            if self.working and getattr(event, "key", "") in self.keys["interrupt"]:
                self.keyboard.waiting.clear()
                self.do_interrupt()
            else:
                self.keyboard.take(event)
        else:
            await super().on_event(event)

    def steady_keys(self) -> tuple[str, ...]:
        """Return the keys that may be held down, as they open nothing."""
        return (*self.keys["step"], *self.keys["back"])

    def on_paste(self, event: events.Paste) -> None:
        """Say that a text which no line took is not taken for keys either."""
        words = "pasted text is not taken for keys: ':' begins a command, '/' a filter"
        self.on_told(Told(words, "warning"))

    # ------------------------------------------------------------------ opening

    def open(self, request: Request) -> None:
        """Open something, in a thread of its own; what is open stays until that is done."""
        if self.is_going_on():
            return
        loading = Loading(request.path)
        self.push_screen(loading)
        work = partial(self.opening, request, loading)
        self.run_worker(work, thread=True, group="open", exclusive=True)

    def opening(self, request: Request, loading: Loading) -> None:
        """Read an input; its project or its error is passed on."""
        worker = get_current_worker()

        def progress(doing: str) -> None:
            if worker.is_cancelled:
                raise Cancelled
            self.call_from_thread(loading.tell, doing)

        try:
            project = open_project(request, progress)
            prepared = prepare(project)
            progress("showing")
        except Cancelled:
            return
        except Exception as error:
            self.refused = isinstance(error, CompileError)
            self.call_from_thread(self.opened, loading, request, None, said_of(error))
            return
        self.refused = False
        self.call_from_thread(self.opened, loading, request, (project, prepared), "")

    def opened(
        self,
        loading: Loading,
        request: Request,
        found: tuple[Project, Prepared] | None,
        error: str,
    ) -> None:
        """Show what was opened, or why it cannot be; nothing if the person gave up."""
        if loading not in self.screen_stack:
            return
        loading.dismiss(None)
        if found is not None:
            try:
                self.configure(found[0].config)
            except InputError as wrong:
                error, found = str(wrong), None
        if found is None:
            self.push_screen(Failure(request.path, error), partial(self.after_failure, request))
            return
        if self.view is None or self.view.ID == "welcome":
            self.switch_mode("run")
        self.controller.open(*found)
        for text in found[0].warnings[:3]:
            self.on_told(Told(text, "warning"))

    def after_failure(self, request: Request, wanted: str | None) -> None:
        """Try again, or open something else."""
        if wanted == "again":
            self.open(request)
        elif wanted == "open":
            self.do_open()

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

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return what lines of all widgets pass through."""
        return [*super().get_line_filters(), VISIBLE]

    def on_told(self, message: Told) -> None:
        """Show a line for the person."""
        severity: Any = message.severity
        self.notify(safe(message.text), severity=severity, markup=False, timeout=4)

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
                if id != "stop":
                    self.on_told(Told(reason, "warning"))
                return
            self.carry_out(action.method)
            if self.tour is not None and self.tour.saw(id):
                self.follow()
            return

    def carry_out(self, method: str) -> None:
        """Call the method of the focused widget, what it is in, the screen or the application."""
        at: Any = self.screen.focused or self.view
        while isinstance(at, Widget):
            if hasattr(at, method):
                getattr(at, method)()
                return
            at = at.parent
        getattr(self.view if hasattr(self.view, method) else self, method)()

    def show_mode(self, name: str) -> None:
        """Show a screen."""
        if self.view is None or name != self.view.ID:
            self.switch_mode(name)

    def do_run_screen(self) -> None:
        """Show the run."""
        self.show_mode("run")

    def do_graph_screen(self) -> None:
        """Show the graph."""
        self.show_mode("graph")

    def do_findings_screen(self) -> None:
        """Show the findings."""
        self.show_mode("findings")

    def do_source_screen(self) -> None:
        """Show the source."""
        self.show_mode("source")

    def do_report_screen(self) -> None:
        """Show the report."""
        self.show_mode("report")

    def top_line(self, screen: str, width: int) -> tuple[Line, Line, Parts]:
        """Return the line at the top."""
        titles = {name: title for name, (title, _, _) in SCREENS.items() if name != "welcome"}
        return top_line(self.controller, titles, screen, width)


def said_of(error: Exception) -> str:
    """Return an error as it is told."""
    if isinstance(error, InputError):
        return str(error)
    if isinstance(error, OSError):
        return f"{error.filename or 'it'}: {error.strerror or error}"
    return f"internal error, please report it: {type(error).__name__}: {error}"
