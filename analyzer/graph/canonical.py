"""A shortest cycle that depends only on the graph, not on the order of the catalog.

`find_cycles` starts at the first resource of the catalog. PuppetDB does not keep that order, and
equal cycles in several catalogs must be recognised.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from analyzer.graph.algorithms.walks import Walker
from analyzer.graph.core import GraphCore
from analyzer.graph.provenance import Hop

# The sort key of a resource, by its id.
Rank = Callable[[int], tuple[object, ...]]


def canonical_cycle(graph: GraphCore, component: list[int], rank: Rank) -> tuple[Hop, ...]:
    """Return the edges of a shortest closed path through a component of `graph.components()`.

    Of several, it is the one with the lowest `rank`; it begins at its lowest resource.
    """
    ends = graph.ends
    nodes = sorted(component, key=lambda v: sort_key(graph, v, rank))
    number = {v: n for n, v in enumerate(nodes)}
    succ = [sorted(number[t] for t in graph.successors[v] if t in number) for v in nodes]
    walker = Walker(succ, sum(v < ends for v in nodes), lambda v: True)
    path, _ = walker.shortest_cycle(range(len(nodes)))
    ring = path[:-1]
    plain = [n for n in ring if graph.end_of(nodes[n])[0] == "resource"]
    turn = ring.index(min(plain or ring))
    ring = [nodes[n] for n in ring[turn:] + ring[:turn]]
    return tuple(graph.provenance.hop(s, t) for s, t in pairwise([*ring, ring[0]]))


def sort_key(graph: GraphCore, node: int, rank: Rank) -> tuple[object, ...]:
    """Return the sort key of a node; junctions come last, sorted by the nodes that they join."""
    role, i = graph.end_of(node)
    if role != "junction":
        return 0, rank(i), role
    label, holders, targets = graph.junctions[i]
    return 1, (label, sorted(map(rank, holders)), sorted(map(rank, targets))), role
