"""The application: it opens inputs, shows screens, and passes keys on to the actions."""

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
from textual.worker import get_current_worker

from analyzer.diagnostics import InputError
from analyzer.escape import safe
from tui.keys.actions import ACTIONS, BY_ID, Action
from tui.keys.context import Context
from tui.keys.keyboard import Keyboard
from tui.keys.keymap import SPOKEN, keys_of
from tui.keys.run_commands import RUN_COMMANDS
from tui.present.nodes import world_text
from tui.project.opening import open_project
from tui.project.project import Cancelled, Progress, Project, Request
from tui.project.repository import Repository, open_world
from tui.project.samples import project_here
from tui.run.branch import Prepared, prepare
from tui.run.controller import Controller
from tui.run.exploring import Exploring
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
from tui.screens.handlers import HANDLERS
from tui.screens.loading import Failure, Loading, message_of
from tui.theme import THEMES
from tui.widgets.painting import Visible

if TYPE_CHECKING:
    from analyzer.session.searching import ExploredWorld
    from tui.widgets.prompt import Prompt

# Reads an input; its progress may raise Cancelled.
Reading = Callable[[Progress], Project | Repository]

# One for all, as Textual caches filtered lines by filter.
VISIBLE = Visible()

# Actions whose keys work in dialogs too, where they are no letters.
ANYWHERE = {"quit", "suspend"}
# Actions that say nothing where they are not possible: escape stops whatever goes on.
QUIET = {"stop", "node-stop"}
# Signals that ask a program to end.
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


# The exit code of an input that cannot be read.
UNREADABLE = 2


def start(path: str | None, options: Mapping[str, object]) -> int:
    """Run the application until it exits; return the exit code.

    `options` are those of the command `tui`, by name.
    """
    # The command line keeps the garbage collector off, as its other commands are short.
    gc.enable()
    app = CatgraphApp(Request(path, options) if path else None, {**options, "here": True})
    app.run()
    return app.return_code or app.refused


def screen(name: str, context: Context) -> View:
    """Return a screen; its module is imported when it is first shown."""
    module = import_module(f"tui.screens.{name}")
    found: View = getattr(module, f"{name.capitalize()}Screen")(context)
    return found


class CatgraphApp(App[int]):
    """Steps through a run."""

    # Pictures are made without the messages that pass.
    quiet = False

    CSS_PATH: ClassVar = ["catgraph.tcss", "views.tcss"]
    TITLE = "catgraph"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar = []

    def __init__(
        self, request: Request | None = None, options: Mapping[str, object] | None = None
    ) -> None:
        super().__init__()
        self.request = request
        # Whether what was opened last cannot be compiled.
        self.refused = 0
        self.controller = Controller(self.post_message)
        self.runner = Runner(self, self.controller, self.show_bars)
        self.context = Context(
            self,
            self.controller,
            self.runner,
            options or {},
            self.action_act,
            self.open,
            self.open_world,
            self.explore,
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

    def configure(self, config: Any) -> None:
        """Take the keys and the theme of a project.

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
            self.request = Request(here, options) if here else None
        self.switch_mode("welcome")
        if self.request:
            self.open(self.request)

    def on_unmount(self) -> None:
        """Release the host."""
        self.controller.close_real_run()

    # ------------------------------------------------------------------ keys

    async def on_event(self, event: events.Event) -> None:
        """Queue keys, and pass other events on at once."""
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            if self.runner.working and getattr(event, "key", "") in self.context.keys["interrupt"]:
                self.keyboard.waiting.clear()
                self.runner.interrupt()
            else:
                self.keyboard.take(event)
        else:
            await super().on_event(event)

    def prompt(self) -> Prompt | None:
        """Return the line to type in of the screen that is up, None under a dialog."""
        view = self.screen
        return view.prompt if isinstance(view, View) and view.is_there else None

    def steady_keys(self) -> tuple[str, ...]:
        """Return the keys that may be held down, as they open nothing."""
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
        """Return the method of the focused widget, of what it is in, or of the screen."""
        at: object = self.screen.focused or self.view
        while isinstance(at, Widget):
            if hasattr(at, action.method):
                found: Callable[[], None] = getattr(at, action.method)
                return found
            at = at.parent
        return getattr(self.view, action.method, None)

    # ------------------------------------------------------------------ opening

    def open(self, request: Request) -> None:
        """Open an input in a thread; the old project stays until the new one is there."""
        if self.runner.is_busy():
            return
        again = partial(self.open, request)
        self.open_with(Loading(request.path), partial(open_project, request), again)

    def open_world(self, name: str, world: ExploredWorld) -> None:
        """Open a node of the repository in a world."""
        exploring = self.controller.exploring
        if exploring is None or self.runner.is_busy():
            return
        title = f"{name} in the world {world_text(world.world)}"
        read = partial(open_world, exploring.repository, name, world)
        self.open_with(Loading(title), read, partial(self.open_world, name, world))

    def open_with(self, loading: Loading, read: Reading, again: Callable[[], None]) -> None:
        """Read an input in a thread, and show its progress."""
        self.push_screen(loading)
        work = partial(self.opening, loading, read, again)
        self.run_worker(work, thread=True, group="open", exclusive=True)

    def opening(self, loading: Loading, read: Reading, again: Callable[[], None]) -> None:
        """Read an input; pass its project or its error on."""
        worker = get_current_worker()

        def progress(stage: str) -> None:
            if worker.is_cancelled:
                raise Cancelled
            self.call_from_thread(loading.show_stage, stage)

        try:
            found = read(progress)
            prepared = None if isinstance(found, Repository) else prepare(found)
            progress("showing")
        except Cancelled:
            return
        except Exception as error:
            # Of several worlds some may be refused.
            self.refused = (
                0 if self.controller.exploring else getattr(error, "exit_code", UNREADABLE)
            )
            self.call_from_thread(self.opened, loading, again, None, None, message_of(error))
            return
        self.refused = 0
        self.call_from_thread(self.opened, loading, again, found, prepared, "")

    def opened(
        self,
        loading: Loading,
        again: Callable[[], None],
        found: Project | Repository | None,
        prepared: Prepared | None,
        error: str,
    ) -> None:
        """Show the project, the repository or the error, unless you gave up waiting."""
        if loading not in self.screen_stack:
            return
        loading.dismiss(None)
        if found is not None:
            try:
                self.configure(found.config)
            except InputError as wrong:
                error, found = str(wrong), None
        if found is None:
            self.push_screen(Failure(loading.path, error), partial(self.after_failure, again))
        elif isinstance(found, Repository):
            self.show_repository(found)
        else:
            self.show_project(found, prepared)

    def show_repository(self, repository: Repository) -> None:
        """Show the table of nodes, and explore them."""
        if self.controller.exploring is not None:
            self.controller.exploring.stop()
        self.controller.exploring = Exploring(repository, self.post_message)
        self.show_screen("nodes")
        self.explore(self.controller.exploring)

    def explore(self, exploring: Exploring) -> None:
        """Explore the nodes that are missing."""
        self.run_worker(exploring.explore(), group="explore", exclusive=True)

    def show_project(self, project: Project, prepared: Prepared | None) -> None:
        """Show a project; the table of nodes stays if the project is a world of it."""
        if not project.is_world and self.controller.exploring is not None:
            self.controller.exploring.stop()
            self.controller.exploring = None
        if self.view is None or self.view.ID in ("welcome", "nodes"):
            self.switch_mode("run")
        self.controller.open(project, prepared)
        for text in project.warnings[:3]:
            self.controller.notify(text, "warning")

    def after_failure(self, again: Callable[[], None], wanted: str | None) -> None:
        """Try again, or open another input."""
        if wanted == "again":
            again()
        elif wanted == "open":
            open_input(self.context)

    # ------------------------------------------------------------------ showing

    @property
    def view(self) -> View | None:
        """Return the screen that is up, below any dialog."""
        return next((s for s in reversed(self.screen_stack) if isinstance(s, View)), None)

    def show_screen(self, name: str) -> None:
        """Show a screen."""
        if self.view is None or name != self.view.ID:
            self.switch_mode(name)

    def update_view(self) -> None:
        """Show the changes on the screen that is up."""
        if self.view:
            self.view.catch_up()

    def show_bars(self) -> None:
        """Draw the bars of the screen that is up."""
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
        # Under a dialog only a toast can be seen; it is hidden on the other screens.
        self.notify(text, severity=severity, markup=False, timeout=4)
        if self.view is not None and not self.quiet:
            self.view.show_notice(text, severity)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return the filters that lines of all widgets pass through."""
        return [*super().get_line_filters(), VISIBLE]
