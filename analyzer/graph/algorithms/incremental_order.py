"""Maintains an order of an acyclic graph; refuses new edges that close a cycle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


class IncrementalOrder:
    """The neighbours of each node of an acyclic graph, and its position in an order.

    A forward edge costs nothing. A backward edge costs a search between its two positions only, and
    moves the nodes found (Pearce and Kelly 2006). `steps` counts visited nodes.
    """

    def __init__(self, succ: Mapping[int, list[int]], order: Sequence[int]) -> None:
        self.succ = succ
        self.place = {v: n for n, v in enumerate(order)}
        self.pred: dict[int, list[int]] = {v: [] for v in succ}
        for s, targets in succ.items():
            for t in targets:
                self.pred[t].append(s)
        self.steps = 0

    def forward(self, s: int, t: int) -> bool:
        """Return whether an edge agrees with the current order."""
        return self.place[s] < self.place[t]

    def add(self, s: int, t: int) -> bool:
        """Add an edge unless it would close a cycle; return whether it was added."""
        if s == t:
            return False
        if not self.forward(s, t):
            low, high = self.place[t], self.place[s]
            ahead = self._reached(t, self.succ, low, high)
            if s in ahead:
                return False
            behind = self._reached(s, self.pred, low, high)
            self._move(behind, ahead)
        self.succ[s].append(t)
        self.pred[t].append(s)
        return True

    def drop(self, s: int, t: int) -> None:
        """Remove an edge that was added."""
        self.succ[s].remove(t)
        self.pred[t].remove(s)

    def _reached(
        self, start: int, adjacent: Mapping[int, list[int]], low: int, high: int
    ) -> set[int]:
        place = self.place
        seen = {start}
        open_nodes = [start]
        while open_nodes:
            for v in adjacent[open_nodes.pop()]:
                if v not in seen and low <= place[v] <= high:
                    seen.add(v)
                    open_nodes.append(v)
        self.steps += len(seen)
        return seen

    def _move(self, behind: set[int], ahead: set[int]) -> None:
        """Move the predecessors of an edge before its successors, within their joint positions."""
        place = self.place
        nodes = [*sorted(behind, key=place.__getitem__), *sorted(ahead, key=place.__getitem__)]
        for v, number in zip(nodes, sorted(place[v] for v in nodes), strict=True):
            place[v] = number
