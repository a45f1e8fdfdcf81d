"""Opens inputs in threads, with their progress or error on the screen."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from textual.worker import get_current_worker

from analyzer.config import Config
from analyzer.diagnostics import InputError
from tui.present.nodes import world_text
from tui.project.opening import open_project
from tui.project.project import Cancelled, OpenRequest, Progress, Project
from tui.project.repository import OpenRepository, open_world
from tui.run.branch import Prepared, prepare
from tui.run.exploring import ExploringRun
from tui.run.threads import for_worker
from tui.screens.loading import Failure, Loading, message_of

if TYPE_CHECKING:
    from textual.app import App

    from analyzer.worlds.explored import ExploredWorld
    from tui.run.controller import Controller
    from tui.run.runner import Runner

# Reads an input; its progress may raise Cancelled.
Reading = Callable[[Progress], Project | OpenRepository]

# The exit code of an input that cannot be read.
UNREADABLE = 2


class Opening:
    """Opens inputs for one application; `refused` is the exit code of the last one, 0 if it opened.

    `configure` takes a configuration, `shown` returns the name of the current screen, and `ask`
    asks for another input.
    """

    def __init__(
        self,
        app: App[int],
        controller: Controller,
        runner: Runner,
        configure: Callable[[Config | None], None],
        shown: Callable[[], str],
        ask: Callable[[], None],
    ) -> None:
        self.app = app
        self.controller = controller
        self.runner = runner
        self.configure = configure
        self.shown = shown
        self.ask = ask
        self.refused = 0

    def open(self, request: OpenRequest) -> None:
        """Open an input in a thread; the old project stays until the new one is ready."""
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
        self.app.push_screen(loading)
        work = for_worker(partial(self.read, loading, read, again))
        self.app.run_worker(work, thread=True, group="open", exclusive=True)

    def read(self, loading: Loading, read: Reading, again: Callable[[], None]) -> None:
        """Read an input; pass its project or its error on."""
        worker = get_current_worker()

        def progress(stage: str) -> None:
            if worker.is_cancelled:
                raise Cancelled
            self.app.call_from_thread(loading.show_stage, stage)

        try:
            found = read(progress)
            prepared = None if isinstance(found, OpenRepository) else prepare(found)
            progress("showing")
        except Cancelled:
            return
        except Exception as error:
            # If there are several worlds, some may be refused.
            self.refused = (
                0 if self.controller.exploring else getattr(error, "exit_code", UNREADABLE)
            )
            self.app.call_from_thread(self.finish, loading, again, None, None, message_of(error))
            return
        self.refused = 0
        self.app.call_from_thread(self.finish, loading, again, found, prepared, "")

    def finish(
        self,
        loading: Loading,
        again: Callable[[], None],
        found: Project | OpenRepository | None,
        prepared: Prepared | None,
        error: str,
    ) -> None:
        """Show the project, the repository or the error, unless you cancelled."""
        if loading not in self.app.screen_stack:
            return
        loading.dismiss(None)
        if found is not None:
            try:
                self.configure(found.config)
            except InputError as wrong:
                error, found = str(wrong), None
        if found is None:
            self.app.push_screen(Failure(loading.path, error), partial(self.after_failure, again))
        elif isinstance(found, OpenRepository):
            self.show_repository(found)
        else:
            self.show_project(found, prepared)

    def show_repository(self, repository: OpenRepository) -> None:
        """Show the table of nodes, and explore them."""
        if self.controller.exploring is not None:
            self.controller.exploring.stop()
        self.controller.exploring = ExploringRun(repository, self.app.post_message)
        if self.shown() != "nodes":
            self.app.switch_mode("nodes")
        self.explore(self.controller.exploring)

    def explore(self, exploring: ExploringRun) -> None:
        """Explore the nodes that are missing."""
        self.app.run_worker(exploring.explore(), group="explore", exclusive=True)

    def show_project(self, project: Project, prepared: Prepared | None) -> None:
        """Show a project; the table of nodes stays if the project is a world of it."""
        if not project.is_world and self.controller.exploring is not None:
            self.controller.exploring.stop()
            self.controller.exploring = None
        if self.shown() in ("", "welcome", "nodes"):
            self.app.switch_mode("run")
        self.controller.open(project, prepared)
        for text in project.warnings[:3]:
            self.controller.notify(text, "warning")

    def after_failure(self, again: Callable[[], None], wanted: str | None) -> None:
        """Try again, or open another input."""
        if wanted == "again":
            again()
        elif wanted == "open":
            self.ask()
