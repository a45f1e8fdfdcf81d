"""Two runs compared: which resources ended differently."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from analyzer.apply.report.run import ReportedRun, ResourceTurn
from analyzer.graph.diff.moves import moves

ABSENT = "absent"
UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class ResourceDifference:
    """One resource that ended differently: its words in either run, and what failed in the second.

    `first` and `second` are words of `run.WORDS`, `unchanged` alone, or `absent` where a run does
    not have it.
    """

    ref: str
    first: tuple[str, ...]
    second: tuple[str, ...]
    messages: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """Return the name of the first row of KINDS that holds."""
        return next(name for name, holds in KINDS if holds(self))


@dataclass(frozen=True, slots=True)
class MovedResource:
    """A resource that came at another place in the second run: right after `after` of those that
    both runs have, None for the first of them.
    """

    ref: str
    after: str | None


Test = Callable[[ResourceDifference], bool]


def gained(*words: str) -> Test:
    """Return a test: the second run has one of the words, and the first has not."""
    return lambda one: bool(set(words) & set(one.second) - set(one.first))


def lost(*words: str) -> Test:
    """Return a test: the first run has one of the words, and the second has not."""
    return lambda one: bool(set(words) & set(one.first) - set(one.second))


# A difference belongs to the first that holds; they are sorted by severity.
KINDS: tuple[tuple[str, Test], ...] = (
    ("new failures", gained("failed", "failed_to_restart")),
    ("newly skipped", gained("skipped")),
    ("only in the first run", gained(ABSENT)),
    ("only in the second run", lost(ABSENT)),
    ("failures gone", lost("failed", "failed_to_restart")),
    ("no longer skipped", lost("skipped")),
    ("new changes", gained("changed")),
    ("new restarts", gained("restarted")),
    ("changes gone", lost("changed")),
    ("restarts gone", lost("restarted")),
    ("noop changed", lambda one: True),
)


def compare(first: ReportedRun, second: ReportedRun) -> list[ResourceDifference]:
    """Return the resources that ended differently, by kind, then in the order of the runs.

    What a run leaves out because nothing changed (`Run.complete`) is taken as unchanged.
    """
    before = {turn.ref: turn for turn in first.turns}
    after = {turn.ref: turn for turn in second.turns}
    found = []
    for ref in [*after, *(ref for ref in before if ref not in after)]:
        was, now = words(before.get(ref), first), words(after.get(ref), second)
        if was != now:
            messages = after[ref].messages if ref in after else ()
            found.append(ResourceDifference(ref, was, now, messages))
    rank = {name: place for place, (name, _) in enumerate(KINDS)}
    return sorted(found, key=lambda one: rank[one.kind])


def moved(first: ReportedRun, second: ReportedRun) -> list[MovedResource]:
    """Return the fewest resources whose other place explains the order of the second run.

    Runs that leave out what nothing happened to are compared by what they do have.
    """
    before, after = ([turn.ref for turn in run.turns] for run in (first, second))
    return [MovedResource(ref, previous) for ref, previous in moves(before, after)]


def words(turn: ResourceTurn | None, run: ReportedRun) -> tuple[str, ...]:
    """Return the status of a resource in a run."""
    if turn is None:
        return (ABSENT,) if run.complete else (UNCHANGED,)
    return turn.words or (UNCHANGED,)
