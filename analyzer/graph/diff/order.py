"""Compares orders: the pairs that only one graph has, reduced to those that imply the rest.

Nodes of both expanded graphs are compared by name, through nodes that only one of them has. A pair
of one graph implies others, so only the covering pairs of its order (the edges of its transitive
reduction) are compared; pairs that the other graph orders as well are no difference. The algorithm
uses bitsets, one column of nodes at a time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from analyzer.graph.algorithms.reduction import Condensation
from analyzer.graph.diff.values import OrderChange, Pairs
from analyzer.graph.kernel import Kernel
from analyzer.graph.provenance import Provenance

# Nodes of a column.
COLUMN = 8_192


class Loose(NamedTuple):
    """The edges of containments that only one graph has: from a container's start, to its end."""

    inward: set[tuple[int, int]]
    outward: set[tuple[int, int]]


class Graph:
    """One of the graphs, with nodes numbered by `numbers`; paths continue through other nodes."""

    def __init__(self, kernel: Kernel, provenance: Provenance) -> None:
        self.kernel = kernel
        self.provenance = provenance
        self.ends = kernel.vertices + len(kernel.owner)
        self.names = [provenance.name(v) for v in range(self.ends)]
        self.condensed = Condensation(kernel.succ)
        self.contains = {
            (self.names[x], self.names[v]) for x, vs in kernel.contents.items() for v in vs
        }
        self.nodes: dict[str, int] = {}
        for v, name in enumerate(self.names):
            self.nodes.setdefault(name, v)

    def is_plain(self, node: int) -> bool:
        """Return whether a node is a resource, not a container's end."""
        return node < self.kernel.vertices and self.kernel.completed[node] == node

    def loose(self, other: Graph) -> Loose:
        """Return the edges of containments that the other graph lacks.

        A new content of a container gets the container's order only from these.
        """
        completed, rep = self.kernel.completed, self.condensed.rep
        found = Loose(set(), set())
        for x, contents in self.kernel.contents.items():
            for v in contents:
                if (self.names[x], self.names[v]) not in other.contains:
                    found.inward.add((rep[x], rep[v]))
                    found.outward.add((rep[completed[v]], rep[completed[x]]))
        return found


class Column:
    """The nodes of a column that each node of a graph reaches, as bits.

    `below`: all of them except for the node's own cycle. `far`: those reached through another
    numbered node, which are implied.
    """

    def __init__(self, graph: Graph, own: list[int], numbered: list[bool], loose: Loose) -> None:
        condensed = graph.condensed
        self.own = own
        self.rep = condensed.rep
        self.cyclic = {condensed.rep[c[0]] for c in condensed.cyclic}
        self.below = below = [0] * len(condensed.succ)
        self.far = far = [0] * len(condensed.succ)
        # The implied successors through a node: all, unless edges are loose.
        any_loose = bool(loose.inward)
        kept = [0] * len(condensed.succ) if any_loose else below
        for v in condensed.order:
            reached = over = held = 0
            for t in condensed.succ[v]:
                bits = own[t] | below[t]
                reached |= bits
                follows = numbered[t] and not (any_loose and (v, t) in loose.outward)
                over |= kept[t] if follows else far[t]
                if any_loose:
                    inner = below[t] if numbered[t] else kept[t]
                    held |= inner if (v, t) in loose.inward else bits
            below[v] = reached
            far[v] = over
            if any_loose:
                kept[v] = held

    def reach(self, node: int) -> int:
        """Return the nodes after a node."""
        v = self.rep[node]
        return self.below[v] | self.own[v] if v in self.cyclic else self.below[v]

    def next(self, node: int) -> int:
        """Return the direct successors of a node, without its own cycle."""
        v = self.rep[node]
        return self.below[v] & ~self.far[v]


class OrderComparison:
    """A comparison of two graphs' order; `waiting` counts the successors of nodes of the second."""

    def __init__(self, old: Graph, new: Graph, counted: Iterable[int] = ()) -> None:
        self.old, self.new = old, new
        self.common = list(dict.fromkeys(name for name in new.names if name in old.nodes))
        self.waiting = dict.fromkeys(counted, 0)
        self.only = [
            v
            for v in range(new.kernel.vertices)
            if new.is_plain(v) and new.names[v] not in old.nodes
        ]
        self.gained: dict[int, int] = {}
        self.lost: dict[int, int] = {}
        self.counts = [0, 0]
        self.loose = old.loose(new), new.loose(old)
        self.numbered = self._numbered(old), self._numbered(new)
        self.pairs = [(old.nodes[name], new.nodes[name]) for name in self.common]
        for first in range(0, len(self.common) + len(self.only), COLUMN):
            self._compare(first)

    def _own(self, graph: Graph, names: list[str], only: list[int]) -> list[int]:
        """Return the bit of each node of a column; for a cycle's first node, all of its bits."""
        own = [0] * len(graph.condensed.succ)
        rep = graph.condensed.rep
        nodes = [*(graph.nodes[name] for name in names), *only]
        for n, v in enumerate(nodes):
            own[rep[v]] |= 1 << n
        return own

    def _numbered(self, graph: Graph) -> list[bool]:
        found = [False] * len(graph.condensed.succ)
        for name in self.common:
            found[graph.condensed.rep[graph.nodes[name]]] = True
        return found

    def _compare(self, first: int) -> None:
        last, size = first + COLUMN, len(self.common)
        names, only = self.common[first:last], self.only[max(first - size, 0) : max(last - size, 0)]
        own = self._own(self.old, names, []), self._own(self.new, names, only)
        old = Column(self.old, own[0], self.numbered[0], self.loose[0])
        new = Column(self.new, own[1], self.numbered[1], self.loose[1])
        targets, plain = self._masks(first, last)
        for n, (a, b) in enumerate(self.pairs):
            was, now = old.reach(a), new.reach(b)
            if was != now and (b >= self.new.kernel.vertices or self.new.is_plain(b)):
                self._note(self.gained, n, new.next(b) & ~was & targets, first)
                self._note(self.lost, n, old.next(a) & ~now & targets, first)
                if self.new.is_plain(b):
                    self.counts[0] += (now & ~was & plain).bit_count()
                    self.counts[1] += (was & ~now & plain).bit_count()
        every = plain | (1 << len(only)) - 1 << len(names)
        for node in self.waiting:
            self.waiting[node] += (new.reach(node) & every).bit_count()

    def _note(self, found: dict[int, int], number: int, bits: int, first: int) -> None:
        if bits:
            found[number] = found.get(number, 0) | bits << first

    def _masks(self, first: int, last: int) -> tuple[int, int]:
        """Return the possible next nodes: resources and containers' starts; resources only."""
        targets = plain = 0
        for n, (_, b) in enumerate(self.pairs[first:last]):
            if b < self.new.kernel.vertices:
                targets |= 1 << n
                if self.new.is_plain(b):
                    plain |= 1 << n
        return targets, plain

    def changes(self) -> tuple[OrderChange, OrderChange]:
        """Return the orderings gained and lost."""
        return (
            OrderChange(self._rows(self.gained), self.counts[0]),
            OrderChange(self._rows(self.lost), self.counts[1]),
        )

    def _rows(self, found: dict[int, int]) -> tuple[Pairs, ...]:
        """Return pairs, grouped by equal second parts."""
        groups: dict[int, list[int]] = {}
        for number, bits in found.items():
            groups.setdefault(bits, []).append(number)
        ref, pairs = self.new.provenance.ref, self.pairs
        return tuple(
            Pairs(
                tuple(ref(pairs[n][1]) for n in numbers),
                tuple(ref(pairs[n][1]) for n in ones(bits)),
            )
            for bits, numbers in groups.items()
        )


def ones(bits: int) -> list[int]:
    """Return the places of the ones among bits."""
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found
