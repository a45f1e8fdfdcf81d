"""The selections before and after the one in view."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analyzer.model.refs import ResourceRef

# The most earlier selections that are kept.
REMEMBERED = 200


class History:
    """Selections that `-` and `=` go to."""

    def __init__(self) -> None:
        self.past: list[ResourceRef] = []
        self.future: list[ResourceRef] = []

    def add(self, left: ResourceRef) -> None:
        """Remember a selection that was left for a new one."""
        self.past = [*self.past[-REMEMBERED:], left]
        self.future = []

    def revisit(self, here: ResourceRef, *, back: bool) -> ResourceRef | None:
        """Return the selection before or after, None if there is none; remember this one."""
        before, after = (self.past, self.future) if back else (self.future, self.past)
        if not before:
            return None
        after.append(here)
        return before.pop()
