"""What a search of worlds left, and the gaps that it is; a result that was kept needs no more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analyzer.model.completeness import Gap
from analyzer.model.nouns import counted

# Seconds after which a search ends, however far it is.
SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class Left:
    """Counts of what a search left.

    `unsearched` counts nodes or classes of which no world was compiled, `decisions` those that
    were not tried both ways, `late` is true if the clock ended the search, and `failures` are
    faults of our own.
    """

    unsearched: int = 0
    decisions: int = 0
    late: bool = False
    failures: tuple[Gap, ...] = ()


def gaps_of(left: Sequence[Left], worlds: int) -> Iterator[Gap]:
    """Yield the gaps that the searches of all inputs left."""
    decisions = sum(one.decisions for one in left)
    unsearched = sum(one.unsearched for one in left)
    words = [
        counted(decisions, "decision") if decisions else "",
        counted(unsearched, "node or class", "nodes or classes") if unsearched else "",
    ]
    yield from (gap for one in left for gap in one.failures)
    what = " and ".join(filter(None, words))
    if any(one.late for one in left):
        reason = f"the search of other worlds took longer than {SECONDS:g} seconds"
        yield Gap("worlds", what or "other worlds", reason)
    elif what:
        reason = "the search budget is used up"
        yield Gap("worlds", what, reason, hint=f"--worlds {4 * worlds}", hides=False)
