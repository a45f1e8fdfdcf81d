"""The application: it shows screens, and passes keys on to the actions."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.app import App
from textual.binding import Binding, BindingsMap
from textual.filter import LineFilter
from textual.widget import Widget

from analyzer.config import Config
from analyzer.escape import safe
from tui.keys.actions import ACTIONS, BY_ID, Action
from tui.keys.context import KeyContext
from tui.keys.keyboard import Keyboard
from tui.keys.keymap import SPOKEN, keys_of
from tui.keys.run_commands import RUN_COMMANDS
from tui.project.project import OpenRequest
from tui.project.samples import project_here
from tui.run.controller import Controller
from tui.run.messages import (
    Notice,
    ProjectOpened,
    RunChanged,
    SelectionChanged,
    WorldsChanged,
)
from tui.run.runner import Runner
from tui.screens.app_dialogs import open_input
from tui.screens.base import TITLES, View
from tui.screens.dialogs import Dialog
from tui.screens.handlers import HANDLERS
from tui.screens.opening import Opening
from tui.theme import THEMES
from tui.widgets.painting import Visible

if TYPE_CHECKING:
    from tui.widgets.prompt import Prompt

# One filter for all widgets, as Textual caches filtered lines by filter.
VISIBLE = Visible()

# Actions whose keys work in dialogs too, unless they are letters.
ANYWHERE = {"quit", "suspend"}
# Actions that show no notice if they are impossible: escape stops whatever is going on.
QUIET = {"stop", "node-stop"}
# Signals that ask a program to end.
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def start(path: str | None, options: Mapping[str, object]) -> int:
    """Run the application until it exits; return the exit code.

    `options` are those of the command `tui`, by name.
    """
    # The command line keeps the garbage collector off, as its other commands are short.
    gc.enable()
    app = CatgraphApp(OpenRequest(path, options) if path else None, {**options, "here": True})
    app.run()
    return app.return_code or app.opening.refused


def screen(name: str, context: KeyContext) -> View:
    """Return a screen; its module is imported when it is first shown."""
    module = import_module(f"tui.screens.{name}")
    found: View = getattr(module, f"{name.capitalize()}Screen")(context)
    return found


class CatgraphApp(App[int]):
    """Steps through a run."""

    # Pictures are made without temporary messages.
    quiet = False

    CSS_PATH: ClassVar = ["catgraph.tcss", "views.tcss"]
    TITLE = "catgraph"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar = []

    def __init__(
        self, request: OpenRequest | None = None, options: Mapping[str, object] | None = None
    ) -> None:
        super().__init__()
        self.request = request
        self.controller = Controller(self.post_message)
        self.runner = Runner(self, self.controller, self.show_bars)
        self.opening = Opening(
            self,
            self.controller,
            self.runner,
            self.configure,
            lambda: self.view.ID if self.view else "",
            lambda: open_input(self.context),
        )
        self.context = KeyContext(
            self,
            self.controller,
            self.runner,
            options or {},
            self.action_act,
            self.opening.open,
            self.opening.open_world,
            self.opening.explore,
            self.update_view,
            keys_of(None),
        )
        self.keyboard = Keyboard(self, super().on_event, self.prompt, self.steady_keys)
        self.configure(None)
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = f"catgraph-{self.context.options.get('theme') or 'dark'}"
        for name in (*TITLES, "welcome"):
            self.add_mode(name, partial(screen, name, self.context))

    def configure(self, config: Config | None) -> None:
        """Apply the keys and the theme of a project.

        Raises:
            InputError: the configuration is wrong.
        """
        self.context.keys = keys_of(config)
        self._bindings = BindingsMap(list(self.key_bindings()))
        theme = config.tui.get("theme") if config else None
        if theme and not self.context.options.get("theme"):
            self.theme = f"catgraph-{theme}"

    def key_bindings(self) -> list[Binding]:
        """Return the keys of all actions; `action_act` chooses among those of one key."""
        by_key: dict[str, list[str]] = {}
        for action in ACTIONS:
            for key in self.context.keys[action.id]:
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
        """Show the first screen, and open the input."""
        for number in () if self.is_headless else SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                loop = asyncio.get_running_loop()
                loop.add_signal_handler(number, self.runner.on_signal, number)
        if self.request is None:
            options = self.context.options
            here = project_here(os.getcwd()) if options.get("here") else None
            self.request = OpenRequest(here, options) if here else None
        self.switch_mode("welcome")
        if self.request:
            self.opening.open(self.request)

    def on_unmount(self) -> None:
        """Release the host."""
        self.controller.close_real_run()

    # ------------------------------------------------------------------ keys

    async def on_event(self, event: events.Event) -> None:
        """Queue keys, except those that stop a run, and pass other events on at once."""
        if not isinstance(event, events.Key | events.Paste) or event.is_forwarded:
            await super().on_event(event)
            return
        key = getattr(event, "key", "")
        if self.runner.working and key in self.context.keys["interrupt"]:
            self.keyboard.waiting.clear()
            self.runner.interrupt()
        elif self.stops_run(key):
            self.runner.stop()
        else:
            self.keyboard.take(event)

    def stops_run(self, key: str) -> bool:
        """Return whether a key stops the run now: no dialog or prompt takes it."""
        prompt = self.prompt()
        is_free = prompt is not None and not prompt.display and not self.keyboard.waiting
        return self.runner.working and is_free and key in self.context.keys["stop"]

    def prompt(self) -> Prompt | None:
        """Return the input line of the current screen, None under a dialog."""
        view = self.screen
        return view.prompt if isinstance(view, View) and view.is_there else None

    def steady_keys(self) -> tuple[str, ...]:
        """Return the keys that may be held down, because they open no dialog."""
        return (*self.context.keys["step"], *self.context.keys["back"])

    def on_paste(self, event: events.Paste) -> None:
        """Refuse a pasted text that no input line took."""
        words = "pasted text is not run as keys: press ':' for a command or '/' for a filter first"
        self.controller.notify(words, "warning")

    def action_act(self, ids: str) -> None:
        """Carry out the first of some actions that the screen has."""
        view = self.view
        for id in ids.split():
            action = BY_ID[id]
            if action.where and (view is None or view.ID not in action.where):
                continue
            reason = action.when(self.controller)
            if reason and id in QUIET:
                continue
            if reason:
                self.controller.notify(reason, "warning")
                return
            if id in RUN_COMMANDS:
                self.runner.carry_out(RUN_COMMANDS[id](self.controller))
            else:
                self.call(action)
            if self.context.tour is not None and self.context.tour.saw(id):
                self.update_view()
            return
        self.refuse(ids.split())

    def refuse(self, ids: list[str]) -> None:
        """Show a notice that names the screens on which a key works."""
        places = {name: None for id in ids for name in BY_ID[id].where}
        if self.view is not None and places and self.view.ID not in places and not QUIET & set(ids):
            names = " or ".join(TITLES.get(name, name) for name in places)
            title = BY_ID[ids[0]].title
            self.controller.notify(f"'{title}' is a key of the screen {names}", "warning")

    def call(self, action: Action) -> None:
        """Show the screen of an action, or call its method or function."""
        method = self.method_of(action)
        if action.shows:
            self.show_screen(action.shows)
        elif method is not None:
            method()
        else:
            HANDLERS[action.id](self.context)

    def method_of(self, action: Action) -> Callable[[], None] | None:
        """Return the method of the focused widget, of a widget around it, or of the screen."""
        at: object = self.screen.focused or self.view
        while isinstance(at, Widget):
            if hasattr(at, action.method):
                found: Callable[[], None] = getattr(at, action.method)
                return found
            at = at.parent
        return getattr(self.view, action.method, None)

    # ------------------------------------------------------------------ showing

    @property
    def view(self) -> View | None:
        """Return the current screen, below any dialog."""
        return next((s for s in reversed(self.screen_stack) if isinstance(s, View)), None)

    def show_screen(self, name: str) -> None:
        """Show a screen."""
        if self.view is None or name != self.view.ID:
            self.switch_mode(name)

    def update_view(self) -> None:
        """Show the changes on the current screen."""
        if self.view:
            self.view.catch_up()

    def show_bars(self) -> None:
        """Draw the bars of the current screen."""
        if self.view:
            self.view.show_bars()

    def on_project_opened(self, message: ProjectOpened) -> None:
        """Show another project."""
        self.update_view()

    def on_run_changed(self, message: RunChanged) -> None:
        """Show the run."""
        self.update_view()

    def on_worlds_changed(self, message: WorldsChanged) -> None:
        """Show the nodes that were explored."""
        self.update_view()

    def on_selection_changed(self, message: SelectionChanged) -> None:
        """Show the selection."""
        self.update_view()

    def on_notice(self, message: Notice) -> None:
        """Show a short text."""
        severity: Any = message.severity
        text = safe(message.text)
        # A record: toasts are not shown, as they would cover something.
        self.notify(text, severity=severity, markup=False, timeout=4)
        if self.view is not None and not self.quiet:
            self.view.show_notice(text, severity)
            if isinstance(self.screen, Dialog):
                self.screen.show_notice(text)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return the filters for the lines of all widgets."""
        return [*super().get_line_filters(), VISIBLE]
