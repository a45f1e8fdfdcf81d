"""What is open and selected, and the carrying out of commands; tells of changes in messages."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from analyzer.apply.commands import Command, CommandError
from analyzer.apply.timeline import Timeline
from tui.messages import ProjectOpened, RunChanged, SelectionChanged, Told

if TYPE_CHECKING:
    from textual.message import Message

    from analyzer.model.refs import ResourceRef
    from analyzer.source import Span
    from tui.project import Project


class Controller:
    """The one state behind all screens; `tell` passes a message on.

    `versions` count the changes of project, run and selection: what is not on view looks at them
    when it comes up.
    """

    def __init__(self, tell: Callable[[Message], object]) -> None:
        self.tell = tell
        self.project: Project | None = None
        self.selection: ResourceRef | None = None
        # The place of a manifest that the screen Source is to show when it comes up.
        self.place: Span | None = None
        self._timeline: Timeline | None = None
        self.versions = {"project": 0, "run": 0, "selection": 0}

    @property
    def timeline(self) -> Timeline:
        """The run that is gone through.

        Raises:
            RuntimeError: nothing is open.
        """
        if self._timeline is None:
            raise RuntimeError("nothing is open")
        return self._timeline

    # ------------------------------------------------------------------ what is open

    def open(self, project: Project) -> None:
        """Take a project in the place of the one that is open."""
        self.project = project
        self._timeline = Timeline(project.runs, settings=project.settings)
        self.selection = None
        self.versions["project"] += 1
        self.versions["run"] += 1
        self.tell(ProjectOpened(project))
        node = self.timeline.next
        first = project.runs.refs[node] if node is not None else None
        self.select(first or next(iter(project.runs.refs), None), "opening")

    # ------------------------------------------------------------------ the selection

    def select(self, ref: ResourceRef | str | None, by: str = "") -> None:
        """Make a resource or container the one that all screens show.

        A text is looked up as people write it; what is not there is told of.
        """
        if isinstance(ref, str) and self.project:
            try:
                ref = self.project.runs.refs[self.project.runs.find(ref)]
            except KeyError as error:
                self.tell(Told(str(error.args[0]), "warning"))
                return
        if ref != self.selection and not isinstance(ref, str):
            self.selection = ref
            self.versions["selection"] += 1
            self.tell(SelectionChanged(ref, by))

    @property
    def selected_node(self) -> int | None:
        """The vertex of the selection in `project.runs`."""
        if self.project is None or self.selection is None:
            return None
        return self.project.runs.find(str(self.selection))

    # ------------------------------------------------------------------ the run

    def do(self, command: Command) -> bool:
        """Carry out a command; return whether that was possible, what hinders is told."""
        try:
            self.timeline.do(command)
        except CommandError as error:
            self.tell(Told(str(error), "warning"))
            return False
        self.run_changed()
        return True

    def run_changed(self) -> None:
        """Tell that the run looks otherwise."""
        self.versions["run"] += 1
        self.tell(RunChanged())
