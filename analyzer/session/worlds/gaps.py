"""The remaining work of a search of worlds, and its gaps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analyzer.model.completeness import Gap
from analyzer.model.nouns import counted

# The time limit of a search in seconds.
SECONDS = 300.0
NAMES = "not every class that may be named was tried; see 'catgraph explore'"


@dataclass(frozen=True, slots=True)
class WorkLeft:
    """Counts of the remaining work of a search.

    `unsearched` counts nodes or classes of which no world was compiled, `decisions` counts those
    that were not tried both ways, and `unvaried` those for which an input was never changed. `late`
    is true if the time limit ended the search. `failures` are internal errors. `names` counts the
    computed names of classes that were not tried.
    """

    unsearched: int = 0
    decisions: int = 0
    unvaried: int = 0
    late: bool = False
    failures: tuple[Gap, ...] = ()
    names: int = 0


def gaps_of(left: Sequence[WorkLeft], worlds: int) -> Iterator[Gap]:
    """Yield the gaps after the searches of all inputs."""
    decisions = sum(one.decisions for one in left)
    unsearched = sum(one.unsearched for one in left)
    words = [
        counted(decisions, "decision") if decisions else "",
        counted(unsearched, "node or class", "nodes or classes") if unsearched else "",
    ]
    yield from (gap for one in left for gap in one.failures)
    what = " and ".join(filter(None, words))
    unvaried = counted(sum(one.unvaried for one in left), "decision")
    if any(one.unvaried for one in left):
        reason = "no value was found for a parameter that decides them; see 'catgraph explore'"
        yield Gap("worlds", unvaried, reason, hides=False)
    names = sum(one.names for one in left)
    if names:
        what_names = counted(names, "computed class name")
        yield Gap("worlds", what_names, NAMES, hides=False)
    if any(one.late for one in left):
        limits = f"--time-limit, or the whole search longer than {SECONDS:g} seconds"
        reason = f"a compile took longer than {limits}"
        yield Gap("worlds", what or "other worlds", reason)
    elif what:
        reason = "the search budget is used up"
        yield Gap("worlds", what, reason, hint=f"--worlds {4 * worlds}", hides=False)
