"""The changes of a promise that may not run: they hold in the promise, and are unknown later."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from analyzer.frontends.cfengine.policy.unknown import Unknown
from analyzer.frontends.cfengine.policy.variables import Content, Key

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.policy.classes import Private


@dataclass(slots=True)
class Doubt:
    """The state before the changes of a promise, and why it may not run."""

    why: Unknown
    variables: dict[Key, Content | None] = field(default_factory=dict)
    classes: dict[tuple[str, str], bool] = field(default_factory=dict)
    private: dict[tuple[int, str], tuple[Private, bool]] = field(default_factory=dict)
    handles: set[str] = field(default_factory=set)
    locks: list[tuple[object, ...]] = field(default_factory=list)

    def note_private(self, classes: Private, name: str) -> None:
        """Record whether a class of a call is set, before that changes."""
        self.private.setdefault((id(classes), name), (classes, name in classes))

    def add_to(self, outer: Doubt) -> None:
        """Record the changes in the doubt around this one."""
        for key, value in self.variables.items():
            outer.variables.setdefault(key, value)
        for name, was_set in self.classes.items():
            outer.classes.setdefault(name, was_set)
        for place, before in self.private.items():
            outer.private.setdefault(place, before)
        outer.handles |= self.handles
        outer.locks += self.locks
