"""The objects that every screen and every action works with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.app import App

    from analyzer.worlds.explored import ExploredWorld
    from tui.keys.keymap import Keys
    from tui.keys.tour import Tour
    from tui.project.project import OpenRequest
    from tui.run.controller import Controller
    from tui.run.exploring import ExploringRun
    from tui.run.runner import Runner

READ_ONLY = "these screens are read-only: they start no run on the host, write and open no file"


@dataclass(slots=True)
class KeyContext:
    """The objects and functions that the application gives its screens.

    `act` carries out an action by its id, `open` opens an input, `refresh` updates the current
    screen. `open_world` opens a node in a world, `explore` continues an exploration. `options` are
    those of the command line.
    """

    app: App[int]
    controller: Controller
    runner: Runner
    options: Mapping[str, object]
    act: Callable[[str], None]
    open: Callable[[OpenRequest], None]
    open_world: Callable[[str, ExploredWorld], None]
    explore: Callable[[ExploringRun], None]
    refresh: Callable[[], None]
    keys: Keys
    tour: Tour | None = None

    def is_refused(self) -> bool:
        """Return whether the screens are read-only, with a notice if they are."""
        refused = bool(self.options.get("read_only"))
        if refused:
            self.controller.notify(READ_ONLY, "warning")
        return refused
