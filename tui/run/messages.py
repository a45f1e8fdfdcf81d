"""What the controller tells the screens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from analyzer.model.refs import ResourceRef
    from tui.project.project import Project


class ProjectOpened(Message):
    """Another catalog, report or policy is open."""

    def __init__(self, project: Project) -> None:
        super().__init__()
        self.project = project


class SelectionChanged(Message):
    """Another resource is the one that all screens show; `by` is who chose it."""

    def __init__(self, ref: ResourceRef | None, by: str = "") -> None:
        super().__init__()
        self.ref = ref
        self.by = by

    def can_replace(self, message: Message) -> bool:
        """Let only the last of many count."""
        return isinstance(message, SelectionChanged)


class RunChanged(Message):
    """The cursor of the run is elsewhere, or its future, branch or breakpoints are others."""

    def can_replace(self, message: Message) -> bool:
        """Let only the last of many count."""
        return isinstance(message, RunChanged)


class Told(Message):
    """A line for the person: what was done, or why something cannot be done."""

    def __init__(self, text: str, severity: str = "information") -> None:
        super().__init__()
        self.text = text
        self.severity = severity
