"""The cheapest set that breaks every cycle (branch and bound), and an order with few back edges."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from heapq import heapify, heappop, heappush

# All the statements that make one edge: without them, the edge does not exist.
Way = frozenset[int]

# The most cycles for which the search is tried, and the most branches.
EXACT_CYCLES = 24
BRANCHES = 1_000


def hitting_set(constraints: list[tuple[Way, ...]], costs: list[int]) -> frozenset[int] | None:
    """Return the cheapest statements that break every cycle, None if that takes too long.

    A constraint is a cycle: the ways to break it, of which one is enough.
    """
    if len(constraints) > EXACT_CYCLES:
        return None
    search = HittingSetSearch(constraints, costs, most_for_the_price(constraints, costs))
    search.branch(frozenset(), 0)
    return search.best if search.branches <= BRANCHES else None


def price(chosen: frozenset[int], costs: list[int]) -> Callable[[Way], int]:
    """Return the additional cost of a path."""
    return lambda way: sum(costs[n] for n in way - chosen)


def most_for_the_price(constraints: list[tuple[Way, ...]], costs: list[int]) -> frozenset[int]:
    """Choose repeatedly the way that breaks the most remaining cycles for its cost."""
    chosen: frozenset[int] = frozenset()
    unmet = constraints
    while unmet:
        counts: dict[Way, int] = {}
        for ways in unmet:
            for way in ways:
                counts[way] = counts.get(way, 0) + 1
        added = price(chosen, costs)
        best = min(counts, key=lambda way: (added(way) / counts[way], sorted(way)))
        chosen = chosen | best
        unmet = [ways for ways in unmet if not any(way <= chosen for way in ways)]
    return chosen


class HittingSetSearch:
    """A branch and bound search over the first cycle that is not broken yet."""

    def __init__(
        self, constraints: list[tuple[Way, ...]], costs: list[int], first: frozenset[int]
    ) -> None:
        self.constraints = constraints
        self.costs = costs
        self.best = first
        self.limit = sum(costs[n] for n in first)
        self.branches = 0

    def branch(self, chosen: frozenset[int], spent: int) -> None:
        """Try every way to break the first remaining cycle, the cheapest first."""
        self.branches += 1
        if self.branches > BRANCHES:
            return
        unmet = [ws for ws in self.constraints if not any(w <= chosen for w in ws)]
        if not unmet:
            if spent < self.limit:
                self.best, self.limit = chosen, spent
            return
        added = price(chosen, self.costs)
        if spent + self.bound(unmet, chosen, added) >= self.limit:
            return
        for way in sorted(unmet[0], key=lambda way: (added(way), sorted(way))):
            self.branch(chosen | way, spent + added(way))

    def bound(
        self, unmet: list[tuple[Way, ...]], chosen: frozenset[int], added: Callable[[Way], int]
    ) -> int:
        """Return a lower bound of the cost: the least cost of cycles that share no statement."""
        used: set[int] = set()
        least = 0
        for ways in unmet:
            touched = frozenset().union(*ways) - chosen
            if used.isdisjoint(touched):
                used |= touched
                least += min(map(added, ways))
        return least


def feedback_order(nodes: Iterable[int], edges: Mapping[tuple[int, int], int]) -> list[int]:
    """Return the nodes in an order that few of the weighted edges oppose.

    It is greedy from both ends (Eades, Lin, Smyth 1993): sinks go last, sources first, else the
    node with the greatest relative weight of outgoing edges.
    """
    out: dict[int, dict[int, int]] = {v: {} for v in nodes}
    into: dict[int, dict[int, int]] = {v: {} for v in out}
    # For each node: the weight of its incoming edges minus that of its outgoing edges.
    surplus = dict.fromkeys(out, 0)
    for (s, t), weight in edges.items():
        if s != t:
            out[s][t] = into[t][s] = weight
            surplus[t] += weight
            surplus[s] -= weight

    # Below every surplus: sinks and sources of the rest come first.
    end = -sum(edges.values()) - 1

    def rank(v: int) -> int:
        """Return the sort key of a node: ends first, then the weight of its edges."""
        return surplus[v] if out[v] and into[v] else end

    heap = [(rank(v), v) for v in out]
    heapify(heap)
    first: list[int] = []
    last: list[int] = []
    while heap:
        known, v = heappop(heap)
        if v not in out or known != rank(v):
            continue
        (last if not out[v] else first).append(v)
        for side, other, sign in ((out.pop(v), into, -1), (into.pop(v), out, 1)):
            for t, weight in side.items():
                del other[t][v]
                surplus[t] += sign * weight
                heappush(heap, (rank(t), t))
    return first + last[::-1]


def order_of_places(succ: Mapping[int, list[int]], place: Callable[[int], int]) -> list[int]:
    """Return nodes in Puppet's order; if all remaining nodes wait, take the first of them."""
    blockers = dict.fromkeys(succ, 0)
    for targets in succ.values():
        for t in targets:
            blockers[t] += 1
    waiting = sorted(succ, key=lambda v: (place(v), v), reverse=True)
    ready = [(place(v), v) for v, count in blockers.items() if not count]
    heapify(ready)
    done: dict[int, None] = {}
    while waiting:
        v = heappop(ready)[1] if ready else waiting.pop()
        if v in done:
            continue
        done[v] = None
        for t in succ[v]:
            blockers[t] -= 1
            if not blockers[t]:
                heappush(ready, (place(t), t))
    return list(done)
