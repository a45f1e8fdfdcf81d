"""Divides the time of an exploration among the nodes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import monotonic, process_time

from analyzer.session.worlds.searching import WorldSearch

# CPU seconds for all nodes of an exploration.
TOTAL = 120.0
# A node may use this multiple of its share of the rest: most need less.
AHEAD = 3
# The most compiles for the conditions of a node's findings, for each of its worlds.
TRIES = 4


@dataclass(slots=True)
class TimeBudget:
    """CPU seconds that nodes share; `left` remain.

    With wall time, the load of the machine would change the results. `firsts` are the seconds of
    the first worlds of `count` nodes; every node gets its first world.
    """

    left: float
    count: int = 0
    firsts: float = 0.0
    # True if the search of a node was cut for lack of time.
    limited: bool = False

    def add(self, used: TimeUsed) -> None:
        """Subtract the time that a node used."""
        self.left -= used.seconds
        self.firsts += used.first
        self.count += used.bounded
        self.limited = self.limited or used.limited


class TimeUsed:
    """The time that the search of one node uses; `waiting` nodes come after it."""

    def __init__(self, budget: TimeBudget, waiting: int) -> None:
        self.budget = replace(budget)
        self.waiting = waiting
        self.began, self.clock = process_time(), monotonic()
        self.seconds = self.first = 0.0
        self.bounded = self.limited = False
        # Later worlds may take longer than the first: the search ends with the time of all.
        self.most = max(0.0, budget.left)

    def end(self, seconds: float) -> None:
        """End the search, which wall time limits, too."""
        self.seconds = process_time() - self.began
        late = monotonic() - self.clock > seconds or self.seconds > self.most
        self.limited = self.limited or late

    def bound(self, search: WorldSearch) -> None:
        """Limit the worlds of a search after its first ones."""
        explorer, budget = search.explorer, self.budget
        self.first, self.bounded = process_time() - self.began, True
        explorer.cpu_end = self.began + self.most
        mean = (budget.firsts + self.first) / (budget.count + 1)
        left = budget.left - self.first - self.waiting * mean
        share = AHEAD * max(0.0, left) / (self.waiting + 1)
        runs = max(1, explorer.found.runs)
        most = runs + int(share * runs / max(self.first, 1e-6))
        if most < explorer.budget.worlds:
            self.limited = True
            explorer.budget = replace(explorer.budget, worlds=most)
            explorer.limit = most - most // 4
            search.tries = TRIES * most
