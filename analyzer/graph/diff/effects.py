"""Finds the refreshes that changes of resources cause, for many resources at a time."""

from __future__ import annotations

from collections.abc import Iterable

from analyzer.graph.algorithms.reduction import Condensation
from analyzer.graph.diff.order import COLUMN, ones
from analyzer.graph.kernel import Kernel
from analyzer.graph.queries import event_edges


def refreshed_by(kernel: Kernel, changed: Iterable[int]) -> dict[int, list[int]]:
    """Return for each changed resource the ids of those it refreshes, perhaps through restarts.

    Linear in the edges that events follow, for each COLUMN of resources that can be refreshed.
    """
    vertices, completed = kernel.vertices, kernel.completed
    refreshable = [
        v
        for v in range(vertices)
        if completed[v] == v and kernel.resources[v].type in kernel.refreshable
    ]
    events = event_edges(kernel)
    # Events end at a resource whose type cannot refresh.
    passing = [v >= vertices or completed[v] != v for v in range(len(events))]
    for v in refreshable:
        passing[v] = True
    heard = [[t for t in targets if passing[t]] for targets in events]
    within = [ts if passing[v] else [] for v, ts in enumerate(heard)]
    condensed = Condensation(within)
    found: dict[int, list[int]] = {i: [] for i in changed}
    for first in range(0, len(refreshable), COLUMN):
        part = refreshable[first : first + COLUMN]
        reach = receivers(condensed, part)
        for i, refreshed in found.items():
            bits = 0
            for t in heard[completed[i]]:
                bits |= reach[condensed.rep[t]]
            refreshed += [part[n] for n in ones(bits) if part[n] != i]
    return found


def receivers(condensed: Condensation, part: list[int]) -> list[int]:
    """Return for each node which of some resources receive its events, including itself."""
    reach = [0] * len(condensed.succ)
    for n, v in enumerate(part):
        reach[condensed.rep[v]] |= 1 << n
    for v in condensed.order:
        bits = reach[v]
        for t in condensed.succ[v]:
            bits |= reach[t]
        reach[v] = bits
    return reach
