"""The events of a simulated run, in order."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.frontends.cfengine.syntax.ast import Bundle, Promise
from analyzer.source import Span

KEPT, REPAIRED, NOT_KEPT, TIMEOUT, SKIPPED = "kept", "repaired", "not_kept", "timeout", "skipped"
UNFINISHED = "unfinished"
EVALUATED, SET, NOT_SET = "evaluated", "set", "not_set"
# Whether the promise runs, or what it does, is known on the machine only: `detail` says why.
UNKNOWN = "unknown"

# From best to worst, as the outcome of a bundle is made of those in it.
RANKS = (SKIPPED, NOT_SET, SET, EVALUATED, KEPT, UNKNOWN, REPAIRED, TIMEOUT, NOT_KEPT)
RANK = {outcome: rank for rank, outcome in enumerate(RANKS)}


@dataclass(frozen=True, slots=True)
class Cause:
    """A condition of a promise: the class, handle or variable that it needs, set by an event."""

    kind: str
    name: str
    event: int


@dataclass(frozen=True, slots=True)
class Event:
    """One evaluation of a promise: `number` is the pass, `iteration` counts from 1 over its lists.

    `iteration` is None where the promise was not begun, and `reason` says why: class_guard, if,
    unless, depends_on, class_already_set, already_done, held_unresolved or no_iteration. With the
    outcome unknown, `detail` is the reason. `within` is the event of the promise that called the
    bundle.
    """

    bundle: Bundle
    type: str
    promise: Promise
    promiser: str
    number: int
    iteration: int | None
    outcome: str
    reason: str = ""
    detail: str = ""
    causes: tuple[Cause, ...] = ()
    within: int | None = None

    @property
    def begun(self) -> bool:
        """Return whether the promise ran, with any outcome."""
        return self.outcome != SKIPPED


# Placeholder for the event of a promise that is running.
NOWHERE = Span("")
PENDING = Event(
    Bundle("agent", "", "default", (), (), 0, NOWHERE),
    "",
    Promise("", None, "any", (), 0, NOWHERE),
    "",
    0,
    None,
    UNFINISHED,
)


def worse(first: str, second: str) -> str:
    """Return the worse of two outcomes."""
    return first if RANK[first] >= RANK[second] else second
