"""The methods of the actions that all screens have."""

from __future__ import annotations

import asyncio
import os
import socket
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any

from textual.app import App
from textual.widget import Widget

from analyzer.apply.commands import Command, GoTo, Restart, StepBack, Walk
from tui import exporting
from tui.commands import COMMANDS, perform
from tui.hosts import planned
from tui.kinds import kinds_of
from tui.messages import Told
from tui.opening import Request
from tui.palette import Target, palette
from tui.present.pieces import line, printable
from tui.present.plan import plan_lines
from tui.samples import TOUR, sample, samples
from tui.screens.dialogs import Ask, Choice, Finder, Reader, chooser
from tui.screens.help import HelpScreen
from tui.screens.jump import Jump
from tui.screens.loading import Loading
from tui.tour import Tour

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tui.controller import Controller
    from tui.screens.base import View

# Seconds that a run goes on by itself before the screen is drawn, and that it rests then; drawing
# takes at most one part in so many of the time.
SLICE, REST, SHARE = 0.05, 0.01, 4


class Doing(App[int]):
    """What the application does when asked to."""

    controller: Controller
    keys: dict[str, tuple[str, ...]]
    options: Mapping[str, Any]
    tour: Tour | None = None
    stop_wanted = False
    working = False

    if TYPE_CHECKING:

        @property
        def view(self) -> View | None:
            """The view that is up."""

        def open(self, request: Request) -> None:
            """Open something."""

        def follow(self) -> None:
            """Let the view that is up show what has changed."""

    # ------------------------------------------------------------------ the run

    def carry(self, command: Command) -> None:
        """Carry out a command; in a thread where the run looks at a host and goes on."""
        if self.working:
            self.controller.tell(Told("the step is still being made", "warning"))
        elif self.controller.kind.looks and not isinstance(command, StepBack | GoTo | Restart):
            self.run_worker(self.carrying(command), group="run")
        else:
            self.controller.do(command)

    async def carrying(self, command: Command) -> None:
        """Carry out a command in a thread."""
        self.working = True
        try:
            await asyncio.to_thread(self.controller.do, command)
        finally:
            self.working = False

    def walk(self, command: Walk) -> None:
        """Let the run go on by itself; `stop` ends it."""
        if self.is_going_on():
            return
        self.stop_wanted = False
        self.run_worker(self.walking(command), group="run")

    async def walking(self, command: Walk) -> None:
        """Go on step by step, and let the screen be drawn now and then."""
        steps = self.controller.walk(command)
        looks = self.controller.kind.looks
        until = monotonic() + SLICE
        try:
            while not self.stop_wanted:
                at = await asyncio.to_thread(next, steps, None) if looks else next(steps, None)
                if at is None:
                    return
                if looks or monotonic() > until:
                    drawn = monotonic()
                    self.controller.run_changed()
                    await asyncio.sleep(REST)
                    seconds = monotonic() - drawn
                    until = monotonic() + max(SLICE, SHARE * seconds)
        finally:
            steps.close()

    def is_going_on(self) -> bool:
        """Tell whether a run goes on by itself, and say so."""
        going = self.working or self.controller.busy
        if going:
            self.controller.tell(Told("the run is going on: esc stops it", "warning"))
        return going

    def do_stop(self) -> None:
        """Stop a run that goes on by itself."""
        self.stop_wanted = True

    def do_kind(self) -> None:
        """Choose another kind of run."""
        if self.controller.project is None:
            return
        choices = [
            Choice(line((f"{kind.title:<24}", "strong"), (kind.help, "dim")), kind.id)
            for kind in kinds_of(self.controller.project)
        ]
        self.push_screen(chooser("Begin a run", choices), self.begin)

    def begin(self, kind: str | None) -> None:
        """Begin a run of a kind; a real one is planned and confirmed before."""
        project = self.controller.project
        if not kind or project is None or self.is_going_on():
            return
        if kind not in {one.id for one in kinds_of(project)}:
            known = ", ".join(one.id for one in kinds_of(project))
            self.controller.tell(Told(f"a run of this is {known}: not {kind}", "warning"))
        elif kind == "real":
            self.run_worker(self.planning(), group="run")
        else:
            self.start(kind)

    def start(self, kind: str) -> None:
        """Begin a run; what hinders it is told."""
        from analyzer.apply.state_folder import BusyError

        try:
            self.controller.start(kind)
        except (BusyError, OSError) as error:
            self.controller.tell(Told(str(error), "error"))
        if self.controller.held is not None:
            self.controller.tell(Told(f"journal: {self.controller.held.journal}"))

    async def planning(self) -> None:
        """Look at this machine, show what a real run would do, and ask for the word."""
        project = self.controller.project
        if project is None:
            return
        loading = Loading("this machine")
        loading.doing = "looking at what would be changed"
        self.push_screen(loading)
        timeline = await asyncio.to_thread(planned, project)
        if not loading.is_current:
            return
        loading.dismiss(None)
        lines = plan_lines(timeline)
        title = f"What a real run would do to {socket.gethostname()} (esc to go on)"
        self.push_screen(Reader(title, lines), lambda _: self.confirm())

    def confirm(self) -> None:
        """Let a real run begin only when the name of the machine is typed."""
        name = socket.gethostname()

        def check(text: str) -> str:
            return "" if text.strip() == name else f"that is not '{name}': esc leaves it"

        def go(text: str | None) -> None:
            if text is not None:
                self.start("real")

        words = f"Each step will change this machine. Type its name, {name}, to begin."
        self.push_screen(Ask("A real run", words, check=check, danger=True), go)

    # ------------------------------------------------------------------ finding

    def do_earlier(self) -> None:
        """Select what was selected before."""
        self.controller.revisit(back=True)

    def do_later(self) -> None:
        """Select what was selected after that."""
        self.controller.revisit(back=False)

    def do_select_container(self) -> None:
        """Select what contains the selection."""
        node = self.controller.selected_node
        graph = self.controller.timeline.graph
        parent = None if node is None else graph.parent(node)
        if parent is None:
            self.controller.tell(Told(f"nothing contains {self.controller.selection}"))
        else:
            self.controller.select(graph.refs[parent], "container")

    def do_command(self) -> None:
        """Ask for a command."""
        if self.view is None:
            return
        words = [*COMMANDS, *(action for action in self.keys)]

        def done(text: str | None) -> None:
            self.restore_focus()
            if text:
                perform(self, text)  # type: ignore[arg-type]

        self.ask(":", "", done, words=words)

    def do_filter(self) -> None:
        """Ask for a filter of the pane with the focus."""
        view = self.view
        pane = view.filtered_pane if view else ""
        if view is None or not pane:
            self.controller.tell(Told("this pane has no filter"))
            return
        before = view.filters.get(pane, "")

        def done(text: str | None) -> None:
            self.restore_focus()
            view.filter_pane(pane, "" if text is None else text)

        self.ask("/", before, done, lambda text: view.filter_pane(pane, text))

    def ask(self, sign: str, text: str, done: Any, changed: Any = None, words: Any = ()) -> None:
        """Ask for a line at the bottom; the focus comes back afterwards."""
        if self.view is not None:
            self.asked_from = self.view.focused
            self.view.prompt.ask(sign, text, done, changed or (lambda _: None), words)

    def restore_focus(self) -> None:
        """Give the focus back to where it was."""
        if self.asked_from is not None and self.asked_from.is_attached:
            self.asked_from.focus()

    asked_from: Widget | None = None

    def do_palette(self) -> None:
        """Find a resource or an action."""
        screen = self.view.ID if self.view else "run"

        def chosen(target: Target | None) -> None:
            if target is None:
                return
            if target.action:
                self.call_later(self.run_action, f"act('{target.action}')")
            else:
                self.controller.select(target.ref, "palette")

        source = partial(palette, self.controller, screen, self.keys)
        self.push_screen(Finder("Find", source), chosen)

    def do_jump(self) -> None:
        """Show letters over the panes."""
        panes = [w for w in self.screen.focus_chain if w.id and w.region.height]

        def go(pane: Widget | None) -> None:
            if pane is not None:
                pane.focus()

        self.push_screen(Jump(panes), go)

    # ------------------------------------------------------------------ files

    def do_open(self) -> None:
        """Ask what to open: a sample, or a path."""
        choices = [Choice(line(("a path ...", "accent")), "")]
        choices += [
            Choice(line((f"{one.name:<32}", "strong"), (one.shows, "dim")), one.path)
            for one in samples()
        ]

        def chosen(path: str | None) -> None:
            if path:
                self.open(Request(path, self.options))
            elif path == "":
                self.ask_path()

        self.push_screen(chooser("Open", choices, typing=True), chosen)

    def ask_path(self) -> None:
        """Ask for a path."""

        def check(text: str) -> str:
            there = os.path.exists(os.path.expanduser(text.strip()))
            return "" if text.strip() and there else "there is no such file or folder"

        def go(text: str | None) -> None:
            if text:
                self.open(Request(os.path.expanduser(text.strip()), self.options))

        words = "A catalog, manifests, a control repo, a report, a log, or a policy (.cf)."
        self.push_screen(Ask("Open", words, check=check), go)

    def do_export(self) -> None:
        """Ask what to write."""
        choices = [
            Choice(line((f".{ending:<6}", "strong"), (what, "dim")), ending)
            for ending, (what, _) in exporting.FORMATS.items()
        ]

        def chosen(ending: str | None) -> None:
            if ending:
                name = f"catgraph.{ending}"
                self.push_screen(Ask("Write to", "The name of the file.", name), self.export_to)

        self.push_screen(chooser("Export", choices), chosen)

    def export_to(self, path: str | None) -> None:
        """Write a file."""
        if not path:
            return
        try:
            exporting.export(self.controller, path)
        except exporting.ExportError as error:
            self.controller.tell(Told(str(error), "error"))
        else:
            self.controller.tell(Told(f"written: {path}"))

    def do_copy(self) -> None:
        """Copy the first cycle as markdown."""
        self.copy_cycle(1)

    def copy_cycle(self, number: int) -> None:
        """Copy a cycle as markdown to the clipboard (OSC 52)."""
        try:
            found = exporting.cycles_markdown(self.controller, number)
        except exporting.ExportError as error:
            self.controller.tell(Told(str(error), "warning"))
            return
        self.copy_to_clipboard(found)
        title = printable(found.strip().split("\n")[0].lstrip("# "))
        self.controller.tell(Told(f"copied as markdown: {title}"))

    # ------------------------------------------------------------------ the application

    def do_theme(self) -> None:
        """Change between light and dark."""
        self.theme = "catgraph-light" if self.theme == "catgraph-dark" else "catgraph-dark"

    def do_tour(self) -> None:
        """Begin the tour on its sample, or end it."""
        if self.tour is not None:
            self.tour = None
            self.follow()
            return
        found = sample(TOUR)
        if found is None:
            self.controller.tell(Told("the sample catalogs are not here", "error"))
            return
        self.tour = Tour()
        self.open(Request(found.path, self.options))

    def do_help(self) -> None:
        """Show all keys."""
        self.push_screen(HelpScreen(self.view.ID if self.view else "run", self.keys))

    def do_quit(self) -> None:
        """Leave; a real run that is not at its end is not left by one key."""
        controller = self.controller
        if controller.project is None or not controller.kind.changes:
            self.exit(0)
        elif self.working or controller.busy:
            self.stop_wanted = True
            words = "this machine is being changed: the run stops after the resource in hand"
            controller.tell(Told(words, "warning"))
        elif controller.timeline.state.phase == "running" and controller.timeline.position:
            stay, leave = line("stay"), line("leave: what is done stays")
            choices = [Choice(stay, False), Choice(leave, True)]
            self.push_screen(chooser("The real run is not at its end", choices), self.leave)
        else:
            self.exit(0)

    def leave(self, wanted: bool | None) -> None:
        """Leave if that is wanted."""
        if wanted:
            self.exit(0)
