"""The messages that the controller sends to the screens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from analyzer.model.refs import ResourceRef
    from tui.project.project import Project


class ProjectOpened(Message):
    """Another project is open."""

    def __init__(self, project: Project) -> None:
        super().__init__()
        self.project = project


class WorldsChanged(Message):
    """A node of the repository was explored, or the exploration began or ended."""

    def can_replace(self, message: Message) -> bool:
        """Return whether a message replaces this one: only the last of many is needed."""
        return isinstance(message, WorldsChanged)


class SelectionChanged(Message):
    """Another resource is selected; `by` names the pane or command that selected it."""

    def __init__(self, ref: ResourceRef | None, by: str = "") -> None:
        super().__init__()
        self.ref = ref
        self.by = by

    def can_replace(self, message: Message) -> bool:
        """Return whether a message replaces this one: only the last of many is needed."""
        return isinstance(message, SelectionChanged)


class RunChanged(Message):
    """The position in the run, its branch or its breakpoints changed."""

    def can_replace(self, message: Message) -> bool:
        """Return whether a message replaces this one: only the last of many is needed."""
        return isinstance(message, RunChanged)


class Notice(Message):
    """A short text to show: a result, or the reason why an action cannot be carried out."""

    def __init__(self, text: str, severity: str = "information") -> None:
        super().__init__()
        self.text = text
        self.severity = severity
