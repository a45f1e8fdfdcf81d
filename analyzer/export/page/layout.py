"""Layered drawing of any graph: ranks from top to bottom, few crossings, short edges.

The method is Sugiyama's: rank by longest path, order by barycentres, then place by least squares.
Ranks that are too wide for the page are divided into rows.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from math import sqrt

from analyzer.graph.algorithms.components import components
from analyzer.graph.algorithms.reduction import sinks_first

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Edge = tuple[int, int]

NODE_HEIGHT = 36.0
ROW_GAP = 16.0
RANK_GAP = 48.0
TIGHT_GAP = 30.0
NODE_GAP = 20.0
BEND_WIDTH = 10.0
ASPECT = 1.7
SWEEPS = 8
STRAIGHTENING = 6

# Graphs with fewer ranks are always drawn wide.
TIGHT_RANKS = 8

# The most bends of long edges that are placed; with more, the longest edges are straight.
MOST_BENDS = 6_000


@dataclass(slots=True)
class Layout:
    """The centres of the nodes, and the bends of edges over several ranks."""

    x: list[float]
    y: list[float]
    width: float
    height: float
    bends: dict[tuple[int, int], list[tuple[float, float]]] = field(default_factory=dict)


def layout(
    widths: Sequence[float],
    edges: Sequence[Edge],
    ties: Sequence[Edge] = (),
    ranks: Sequence[int] | None = None,
) -> Layout:
    """Place nodes of the given widths so that edges go downwards.

    `ties` pull their ends together, but have no direction and no bends. `ranks` are used without
    their gaps; by default they are the longest paths over `edges`. Some edges of a cycle go
    upwards. The result is deterministic.
    """
    if not widths:
        return Layout([], [], 0.0, 0.0)
    pairs = [(s, t) for s, t in dict.fromkeys(edges) if s != t]
    given = ranks if ranks is not None else rank_nodes(len(widths), pairs)
    return Placement(widths, pairs, ties, dense(given)).run()


def dense(ranks: Sequence[int]) -> list[int]:
    """Return the ranks numbered from 0 without gaps."""
    numbers = {rank: i for i, rank in enumerate(sorted(set(ranks)))}
    return [numbers[rank] for rank in ranks]


def rank_nodes(count: int, edges: Sequence[Edge]) -> list[int]:
    """Return each node's rank: 0 at the top, and below all nodes with an edge to it.

    In a cycle, edges back to a node that was found earlier do not count.
    """
    succ: list[list[int]] = [[] for _ in range(count)]
    for s, t in edges:
        if s != t:
            succ[s].append(t)
    down = without_back_edges(succ)
    rank = [0] * count
    for v in reversed(sinks_first(down)):
        for t in down[v]:
            if rank[t] <= rank[v]:
                rank[t] = rank[v] + 1
    return rank


def without_back_edges(succ: list[list[int]]) -> list[list[int]]:
    """Return an acyclic graph: inside each component, a depth-first search drops back edges."""
    found = components(succ)
    if not found:
        return succ
    member = {v: number for number, nodes in enumerate(found) for v in nodes}
    entered = {
        t
        for v, targets in enumerate(succ)
        for t in targets
        if t in member and member.get(v) != member[t]
    }
    back: set[Edge] = set()
    state = [0] * len(succ)
    for nodes in found:
        # Nodes with edges from outside come first.
        for root in sorted(nodes, key=lambda v: (v not in entered, v)):
            if not state[root]:
                search(succ, member, root, state, back)
    return [[t for t in targets if (v, t) not in back] for v, targets in enumerate(succ)]


def search(
    succ: list[list[int]], member: dict[int, int], root: int, state: list[int], back: set[Edge]
) -> None:
    """Search one component depth first; edges to nodes still open go into `back`."""
    opened, done = 1, 2
    number = member[root]
    state[root] = opened
    work = [(root, iter(succ[root]))]
    while work:
        v, targets = work[-1]
        t = next(targets, None)
        if t is None:
            state[v] = done
            work.pop()
        elif member.get(t) != number:
            continue
        elif state[t] == opened:
            back.add((v, t))
        elif not state[t]:
            state[t] = opened
            work.append((t, iter(succ[t])))


def wrapped(nodes: list[int], count: int) -> list[list[int]]:
    """Distribute the nodes of a rank over rows, keeping their order from left to right."""
    return [nodes[i::count] for i in range(count)]


class Placement:
    """The state of one layout: nodes and bends by number, and their rows."""

    def __init__(
        self,
        widths: Sequence[float],
        edges: Sequence[Edge],
        ties: Sequence[Edge],
        ranks: list[int],
    ) -> None:
        self.count = len(widths)
        self.widths = list(widths)
        self.rank = ranks
        self.chains: dict[Edge, list[int]] = {}
        self.up: list[list[int]] = [[] for _ in widths]
        self.down: list[list[int]] = [[] for _ in widths]
        self._link(edges, ties)
        self.x = [0.0] * len(self.widths)
        self.rows = self._rows()

    def _link(self, edges: Sequence[Edge], ties: Sequence[Edge]) -> None:
        rank = self.rank
        room = MOST_BENDS
        for s, t in sorted(edges, key=lambda e: abs(rank[e[1]] - rank[e[0]])):
            top, bottom = (s, t) if rank[s] <= rank[t] else (t, s)
            span = rank[bottom] - rank[top]
            last = top
            if 1 < span <= room:
                room -= span
                chain = [self._bend(r) for r in range(rank[top] + 1, rank[bottom])]
                self.chains[s, t] = chain if top == s else chain[::-1]
                for v in chain:
                    self._join(last, v)
                    last = v
            self._join(last, bottom)
        for s, t in ties:
            if rank[s] != rank[t]:
                top, bottom = (s, t) if rank[s] < rank[t] else (t, s)
                self._join(top, bottom)

    def _bend(self, rank: int) -> int:
        self.widths.append(BEND_WIDTH)
        self.rank.append(rank)
        self.up.append([])
        self.down.append([])
        return len(self.widths) - 1

    def _join(self, top: int, bottom: int) -> None:
        self.down[top].append(bottom)
        self.up[bottom].append(top)

    def _rows(self) -> list[list[list[int]]]:
        """Return the rows of each rank, in the initial order of a walk from the top."""
        ranks: list[list[int]] = [[] for _ in range(max(self.rank) + 1)]
        for v in self._walk():
            ranks[self.rank[v]].append(v)
        area = sum(self.widths[v] + NODE_GAP for v in range(self.count))
        self.page = max(900.0, sqrt(area * (NODE_HEIGHT + RANK_GAP) * ASPECT))
        return [wrapped(nodes, self._rows_for(nodes)) for nodes in ranks]

    def _walk(self) -> list[int]:
        seen = [False] * len(self.widths)
        order = []
        roots = sorted(range(len(self.widths)), key=lambda v: (self.rank[v], v))
        for root in roots:
            todo = [root]
            while todo:
                v = todo.pop()
                if not seen[v]:
                    seen[v] = True
                    order.append(v)
                    todo += reversed(self.down[v])
        return order

    def _rows_for(self, nodes: list[int]) -> int:
        """Return the number of rows that the nodes of a rank need."""
        total = sum(self.widths[v] + NODE_GAP for v in nodes)
        return max(1, -int(-total // self.page))

    def run(self) -> Layout:
        """Order and place all rows, and return the drawing."""
        for rows in self.rows:
            for row in rows:
                self._place(row, self._offsets(row), [0.0] * len(row))
        for sweep in range(SWEEPS):
            downwards = sweep % 2 == 0
            for number in range(len(self.rows)) if downwards else reversed(range(len(self.rows))):
                self._reorder(number, self.up if downwards else self.down)
        self._straighten()
        return self._drawing()

    def _reorder(self, number: int, neighbours: list[list[int]]) -> None:
        """Sort a rank by the means of its neighbours on one side, and place it there."""
        x = self.x
        wanted = {}
        for row in self.rows[number]:
            for v in row:
                near = neighbours[v] or (v,)
                wanted[v] = x[near[0]] if len(near) == 1 else sum([x[w] for w in near]) / len(near)
        wish = wanted.__getitem__
        rows = wrapped(sorted(wanted, key=wish), len(self.rows[number]))
        self.rows[number] = rows
        for row in rows:
            self._place(row, self._offsets(row), map(wish, row))

    def _straighten(self) -> None:
        """Move nodes towards the means of their neighbours on both sides; rows keep their order."""
        x = self.x
        near = [
            up + down or [v] for v, (up, down) in enumerate(zip(self.up, self.down, strict=True))
        ]
        ranks = [
            [(row, self._offsets(row), [near[v] for v in row]) for row in rows]
            for rows in self.rows
        ]
        for sweep in range(STRAIGHTENING):
            for rank in ranks if sweep % 2 else reversed(ranks):
                for row, offsets, around in rank:
                    means = [sum([x[w] for w in found]) / len(found) for found in around]
                    self._place(row, offsets, means)

    def _offsets(self, row: list[int]) -> list[float]:
        """Return each node's least distance from the first node of its row."""
        widths = self.widths
        gaps = [(widths[v] + widths[w]) / 2 + NODE_GAP for v, w in pairwise(row)]
        return list(accumulate(gaps, initial=0.0))

    def _place(self, row: list[int], offsets: list[float], wanted: Iterable[float]) -> None:
        """Set a row's x without overlaps, with the least squared distances to the wanted places.

        Overlapping nodes form blocks, each at the mean of its wanted places (pool adjacent
        violators).
        """
        blocks = []
        total, size = 0.0, 0
        for wish, offset in zip(wanted, offsets, strict=True):
            one = wish - offset
            if size and total < one * size:
                blocks.append((total, size))
                total, size = one, 1
                continue
            total += one
            size += 1
            while blocks and blocks[-1][0] * size >= total * blocks[-1][1]:
                more, count = blocks.pop()
                total += more
                size += count
        blocks.append((total, size))
        x = self.x
        at = 0
        for total, size in blocks:
            mean = total / size
            for i in range(at, at + size):
                x[row[i]] = mean + offsets[i]
            at += size

    def _drawing(self) -> Layout:
        left = min(x - w / 2 for x, w in zip(self.x, self.widths, strict=True))
        right = max(x + w / 2 for x, w in zip(self.x, self.widths, strict=True))
        y = [0.0] * len(self.widths)
        # A drawing much higher than wide gets smaller gaps, so that it is larger on the page.
        tall = len(self.rows) * (NODE_HEIGHT + RANK_GAP) * ASPECT > right - left
        gap = TIGHT_GAP if tall and len(self.rows) > TIGHT_RANKS else RANK_GAP
        level = NODE_HEIGHT / 2
        for rows in self.rows:
            for row in rows:
                for v in row:
                    y[v] = level
                level += NODE_HEIGHT + ROW_GAP
            level += gap - ROW_GAP
        x = [value - left for value in self.x]
        bends = {edge: [(x[v], y[v]) for v in chain] for edge, chain in self.chains.items()}
        height = level - gap - NODE_HEIGHT / 2
        return Layout(x[: self.count], y[: self.count], right - left, height, bends)
