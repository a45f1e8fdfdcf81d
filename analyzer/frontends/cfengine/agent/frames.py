"""A call of a bundle: the bundle, and the state that is private to the call."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count

from analyzer.frontends.cfengine.agent.buffers import Buffer
from analyzer.frontends.cfengine.policy.classes import Private
from analyzer.frontends.cfengine.policy.unknown import Unknown
from analyzer.frontends.cfengine.syntax.ast import Bundle

serials = count()


@dataclass(slots=True)
class Frame:
    """A call of a bundle: its private classes first, then those that it inherits.

    `owners` are the calls to which these belong, by number. `within` is the calling promise's
    event, `file` what an edit bundle edits,
    `buffer` its lines. `left` says that a class has ended it.
    """

    bundle: Bundle
    private: list[Private] = field(default_factory=lambda: [Private()])
    owners: tuple[int, ...] = field(default_factory=lambda: (next(serials),))
    within: int | None = None
    file: str = ""
    depth: int = 1
    left: bool = False
    buffer: Buffer | None = None
    # Why it may have been ended.
    doubt: Unknown | None = None

    def inner(self, bundle: Bundle, within: int | None, file: str, *, inherit: bool) -> Frame:
        """Return a call of a bundle from this one."""
        private: list[Private] = [Private(), *(self.private if inherit else [])]
        owners = (next(serials), *(self.owners if inherit else ()))
        return Frame(bundle, private, owners, within, file, self.depth + 1)
