"""One call of a bundle: whose promises are evaluated, and what only they see."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

from analyzer.frontends.cfengine.syntax.ast import Bundle

serials = count()


@dataclass(slots=True)
class Frame:
    """One call of a bundle: its private classes first, then those it inherits.

    `owners` are the calls to which these belong, by number. `within` is the calling promise's
    event, `file` what an edit bundle edits. `left` says that a class has ended it.
    """

    bundle: Bundle
    private: list[set[str]] = field(default_factory=lambda: [set()])
    owners: tuple[int, ...] = field(default_factory=lambda: (next(serials),))
    within: int | None = None
    file: str = ""
    depth: int = 1
    left: bool = False

    def inner(self, bundle: Bundle, within: int | None, file: str, *, inherit: bool) -> Frame:
        """Return a call of a bundle from this one."""
        private: list[set[str]] = [set(), *(self.private if inherit else [])]
        owners = (next(serials), *(self.owners if inherit else ()))
        return Frame(bundle, private, owners, within, file, self.depth + 1)
