"""The changes of a run, step by step, so that a timeline can move in both directions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from analyzer.frontends.cfengine.policy.unknown import Unknown, unmarked
from analyzer.frontends.cfengine.policy.variables import Content

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.agent.frames import Frame

KINDS = CLASS, PRIVATE, VARIABLE, HANDLE = "class", "private", "variable", "handle"
# What a mark begins: the time before the first pass, a call of a bundle, a pass of one, a look at
# a promise; `return` is where a promise goes on whose bundle was done, `settle` a further round of
# variables, `leave` the end of a call of a bundle.
PREPARE, ENTER, PASS, LOOK, RETURN, SETTLE, LEAVE, END = (
    *("prepare", "enter", "pass", "look", "return", "settle", "leave", "end"),
)


@dataclass(frozen=True, slots=True)
class Change:
    """A class, private class, variable or handle by its key, before and after; None: not set."""

    kind: str
    key: tuple[str, ...]
    before: Content | None
    after: Content | None


@dataclass(slots=True)
class Mark:
    """The beginning of a step: the number of its event, and the count of earlier changes."""

    kind: str
    frame: Frame | None
    number: int
    event: int | None
    change: int


@dataclass(slots=True)
class Journal:
    """The marks and changes of a run in their order."""

    marks: list[Mark] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)

    def mark(
        self, kind: str, frame: Frame | None = None, number: int = 0, event: int | None = None
    ) -> None:
        """Record the beginning of a step."""
        self.marks.append(Mark(kind, frame, number, event, len(self.changes)))

    def note(
        self, kind: str, key: tuple[str, ...], before: Content | None, after: Content | None
    ) -> None:
        """Record a change, unless both values are equal."""
        before, after = shown(before), shown(after)
        if before != after:
            self.changes.append(Change(kind, key, before, after))

    def unmark(self) -> None:
        """Remove the last step if it has no changes."""
        if self.marks and self.marks[-1].change == len(self.changes):
            self.marks.pop()


def shown(value: Content | None) -> Content | None:
    """Return a value as it is shown: an unknown one by its reason."""
    if isinstance(value, Unknown):
        return f"unknown: {value.why}"
    if isinstance(value, str):
        return unmarked(value)
    if type(value) is list:
        return [unmarked(item) if isinstance(item, str) else item for item in value]
    return value
