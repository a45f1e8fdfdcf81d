"""The time of an exploration, of which each node may use a part."""

from __future__ import annotations

from dataclasses import replace
from time import monotonic, process_time

from analyzer.session.searching import Search

# Seconds of computing for all nodes of an exploration.
TOTAL = 120.0
# Times its part of what is left that a node may use, as most need less.
AHEAD = 3
# Compiles for the conditions of a node's findings, for each of its worlds.
TRIES = 4


class Shares:
    """Seconds of computing that nodes share; `left` counts those that were not explored.

    Seconds of the clock would give other results on a machine that does more than this.
    """

    def __init__(self, seconds: float, nodes: int) -> None:
        self.end = process_time() + seconds
        self.waiting = nodes
        # Whether a node was searched less far for want of time, and when the last one began.
        self.limited = False
        self.clock = 0.0
        self.began = 0.0
        # Seconds of the first worlds of nodes, which each node is to have.
        self.firsts: list[float] = []

    def begin(self) -> bool:
        """Begin with a node; return whether there is time for it."""
        self.began, self.clock = process_time(), monotonic()
        self.waiting -= 1
        return self.began < self.end

    def note_end(self, seconds: float) -> None:
        """Note that the search of a node ended, which the clock bounds, too."""
        self.limited = self.limited or monotonic() - self.clock > seconds

    def bound(self, search: Search) -> None:
        """Bound the worlds of a search, of which the first ones were compiled."""
        explorer = search.explorer
        self.firsts.append(process_time() - self.began)
        reserved = self.waiting * sum(self.firsts) / len(self.firsts)
        share = AHEAD * max(0.0, self.end - process_time() - reserved) / (self.waiting + 1)
        runs = max(1, explorer.found.runs)
        most = runs + int(share * runs / max(self.firsts[-1], 1e-6))
        if most < explorer.budget.worlds:
            self.limited = True
            explorer.budget = replace(explorer.budget, worlds=most)
            explorer.limit = most - most // 4
            search.tries = TRIES * most
