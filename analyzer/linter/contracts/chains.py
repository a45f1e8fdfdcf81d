"""Indirect orders: from one unit to another through resources of no unit."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from analyzer.graph.provenance import Hop
from analyzer.linter.contracts.units import EdgeEnds

# The most steps of one search through a catalog, over all units.
MOST_STEPS = 20_000_000


class TooLargeError(Exception):
    """The search took too many steps."""


@dataclass(frozen=True, slots=True)
class BrokenChain:
    """A shortest path of the graph between two units that breaks a contract."""

    source: Hashable
    target: Hashable
    hops: tuple[Hop, ...]


def chains(ends: EdgeEnds, breaks: Callable[[object, object], bool]) -> Iterator[BrokenChain]:
    """Yield a chain for each pair of units that break the contract, in the order of the catalog.

    Raises:
        TooLargeError: the catalog has too many units and edges.
    """
    starts: dict[Hashable, list[int]] = {}
    for i, side in enumerate(ends.sources):
        if side.unit is not None:
            starts.setdefault(side.unit, []).append(i)
    budget = MOST_STEPS
    for unit, ids in starts.items():
        met: set[Hashable] = set()
        search = ChainSearch(ends, unit, budget)
        for way in search.ways(ids):
            target = ends.targets[way[-1]].unit
            if target in met or not breaks(unit, target):
                continue
            if not ends.accepts(ends.sources[resource_at(ends, way[0])], ends.targets[way[-1]]):
                met.add(target)
                yield BrokenChain(unit, target, hops_of(ends, way))
        budget = search.budget


class ChainSearch:
    """A breadth-first search from the resources of one unit to those of others."""

    def __init__(self, ends: EdgeEnds, unit: Hashable, budget: int) -> None:
        self.ends = ends
        self.unit = unit
        self.budget = budget
        self.parents: dict[int, int] = {}

    def ways(self, ids: Iterable[int]) -> Iterator[list[int]]:
        """Yield a shortest path to each resource of another unit that no third unit separates.

        Raises:
            TooLargeError: the budget is spent.
        """
        graph = self.ends.compiled.graph
        frontier = [graph.completed[i] for i in ids]
        starts = set(frontier)
        while frontier:
            ahead: list[int] = []
            for node in frontier:
                for t in graph.successors[node]:
                    self.budget -= 1
                    if t in self.parents or t in starts:
                        continue
                    self.parents[t] = node
                    if not self.is_other(t):
                        ahead.append(t)
                    elif t < graph.vertices:
                        yield self.way(t)
            if self.budget < 0:
                raise TooLargeError
            frontier = ahead

    def is_other(self, node: int) -> bool:
        """Return whether a node belongs to a resource of another unit."""
        if node >= self.ends.compiled.graph.ends:
            return False
        i = resource_at(self.ends, node)
        units = (self.ends.sources[i].unit, self.ends.targets[i].unit)
        return any(unit not in (None, self.unit) for unit in units)

    def way(self, node: int) -> list[int]:
        """Return the path to a visited node from its start, without junctions."""
        path = [node]
        while (node := self.parents.get(node, -1)) >= 0:
            path.append(node)
        junctions = self.ends.compiled.graph.ends
        return [one for one in reversed(path) if one < junctions]


def resource_at(ends: EdgeEnds, node: int) -> int:
    """Return the resource that a node belongs to."""
    return ends.compiled.graph.end_of(node)[1]


def hops_of(ends: EdgeEnds, way: list[int]) -> tuple[Hop, ...]:
    """Return the edges of a path, without those that lead through a container."""
    graph = ends.compiled.graph
    hops: list[Hop] = []
    entered: dict[int, int] = {}
    for source, target in pairwise(way):
        role, i = graph.end_of(target)
        if role == "completed" and i in entered:
            del hops[entered[i] :]
            continue
        hops.append(graph.provenance.hop(source, target))
        if role == "admitted":
            entered[i] = len(hops)
    return tuple(hops)
