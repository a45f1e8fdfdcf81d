"""Transitive reduction with big integers as bitsets, in topological positions."""

from __future__ import annotations

from analyzer.graph.algorithms.components import components

# With more nodes, the bitsets are divided into columns, which limits memory to nodes * BLOCK bits.
WHOLE = 50_000
BLOCK = 8_192


class Condensation:
    """The graph with every cyclic component as one node, in topological order.

    `order` lists the nodes sinks first, `place` is the inverse. Nodes of `succ` are numbered as
    in the graph; `rep` maps a node to the first node of its component, which represents it.
    """

    def __init__(self, succ: list[list[int]]) -> None:
        cyclic = components(succ)
        self.rep = list(range(len(succ)))
        for component in cyclic:
            for v in component:
                self.rep[v] = component[0]
        self.cyclic = cyclic
        self.succ = self._contracted(succ) if cyclic else succ
        self.order = sinks_first(self.succ)
        self.place = [0] * len(succ)
        for position, v in enumerate(self.order):
            self.place[v] = position

    def _contracted(self, succ: list[list[int]]) -> list[list[int]]:
        rep = self.rep
        contracted: list[list[int]] = [[] for _ in succ]
        for s, targets in enumerate(succ):
            for t in targets:
                if rep[s] != rep[t]:
                    contracted[rep[s]].append(rep[t])
        return contracted


def sinks_first(succ: list[list[int]]) -> list[int]:
    """Return the nodes of an acyclic graph, each after all its successors."""
    blockers = [0] * len(succ)
    for targets in succ:
        for t in targets:
            blockers[t] += 1
    order = [v for v, count in enumerate(blockers) if not count]
    for v in order:
        for t in succ[v]:
            blockers[t] -= 1
            if not blockers[t]:
                order.append(t)
    order.reverse()
    return order


def transitive_reduction(
    succ: list[list[int]], whole: int = WHOLE, block: int = BLOCK
) -> list[list[int]]:
    """Return the successors without edges that longer paths imply, each list in its old order.

    For a cyclic graph, the condensation is reduced: edges inside a component stay, and so do all
    edges between two components whose connection stays. Parallel edges become one.
    """
    condensed = Condensation(succ)
    small = len(succ) <= whole
    kept = reduce_whole(condensed) if small else reduce_by_columns(condensed, block)
    if not condensed.cyclic:
        return kept
    rep = condensed.rep
    pairs = {(s, t) for s, targets in enumerate(kept) for t in targets}
    return [
        list(dict.fromkeys(t for t in ts if rep[s] == rep[t] or (rep[s], rep[t]) in pairs))
        for s, ts in enumerate(succ)
    ]


def reduce_whole(condensed: Condensation) -> list[list[int]]:
    """Reduce an acyclic graph with one bitset per node.

    Successors are processed nearest first: a later one that is already reached is implied.
    """
    succ, place = condensed.succ, condensed.place
    reach = [0] * len(succ)
    kept: list[list[int]] = [[] for _ in succ]
    for v in condensed.order:
        targets = succ[v]
        bits = 0
        if len(targets) == 1:
            kept[v] = targets[:]
            bits = reach[targets[0]]
        elif targets:
            chosen = set()
            for t in sorted(targets, key=place.__getitem__, reverse=True):
                if not bits >> place[t] & 1:
                    bits |= reach[t]
                    chosen.add(t)
            kept[v] = [t for t in dict.fromkeys(targets) if t in chosen]
        reach[v] = bits | 1 << place[v]
    return kept


def reduce_by_columns(condensed: Condensation, block: int) -> list[list[int]]:
    """Reduce an acyclic graph, one column of target positions at a time."""
    succ, order, place = condensed.succ, condensed.order, condensed.place
    implied: set[tuple[int, int]] = set()
    for first in range(0, len(order), block):
        beyond: dict[int, int] = {}
        last = first + block
        for v in order[first:]:
            bits = 0
            for t in succ[v]:
                bits |= beyond.get(t, 0)
            if bits:
                for t in succ[v]:
                    position = place[t]
                    if first <= position < last and bits >> position - first & 1:
                        implied.add((v, t))
            for t in succ[v]:
                if first <= place[t] < last:
                    bits |= 1 << place[t] - first
            if bits:
                beyond[v] = bits
    return [
        [t for t in dict.fromkeys(targets) if (v, t) not in implied]
        for v, targets in enumerate(succ)
    ]
