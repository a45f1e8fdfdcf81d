"""The methods of the actions that all screens have."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Any

from textual.widget import Widget

from tui.keys.commands import COMMANDS, perform
from tui.keys.palette import Target, palette
from tui.keys.tour import Tour
from tui.present import exports as exporting
from tui.present.pieces import line, printable
from tui.project.opening import Request
from tui.project.samples import TOUR, sample, samples
from tui.run.messages import Told
from tui.run.runner import Running
from tui.screens.dialogs import Ask, Choice, Finder, chooser
from tui.screens.help import HelpScreen
from tui.screens.jump import Jump

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


class Doing(Running):
    """What the application does when asked to."""

    keys: dict[str, tuple[str, ...]]
    options: Mapping[str, Any]
    tour: Tour | None = None

    if TYPE_CHECKING:

        def open(self, request: Request) -> None:
            """Open something."""

        def follow(self) -> None:
            """Let the view that is up show what has changed."""

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
            view.filter_pane(pane, "" if text is None else text)

        self.ask("/", before, done, changed=lambda text: view.filter_pane(pane, text), keeps=True)

    def ask(self, sign: str, text: str, done: Callable[[str | None], None], **options: Any) -> None:
        """Ask for a line at the bottom; the focus comes back afterwards, unless it went on."""
        view = self.view
        if view is None or view.prompt.display:
            return
        before = view.focused

        def finished(text: str | None) -> None:
            gone_on = view.focused is not None and not view.prompt.has(view.focused)
            if before is not None and before.is_attached and not gone_on:
                before.focus()
            done(text)

        view.prompt.ask(sign, text, finished, **options)

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
