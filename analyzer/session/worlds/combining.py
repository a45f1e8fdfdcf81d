"""Worlds to try together: each alone has no error, but their declarations would conflict."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations

from analyzer.frontends.puppet.worlds.world import World
from analyzer.graph.algorithms.components import components
from analyzer.graph.relationship_graph import RelationshipGraph

Edge = tuple[str, str]

# The ends of a container in an expanded graph.
ADMITTED, COMPLETED = "Admitted[", "Completed["

# The ways in which two worlds may have a finding together.
RANKS = 3


class DeclaredInWorld:
    """The resources of a world by their places, and its edges."""

    def __init__(self, world: World, graph: RelationshipGraph) -> None:
        self.world = world
        self.resources = {str(one.ref): str(one.span) for one in graph.catalog.resources}
        self.edges = frozenset((hop.source_name, hop.target_name) for hop in graph.expanded())
        # The edges other than containment, with their targets.
        self.leading = frozenset(
            (edge, target_of(edge))
            for edge in self.edges
            if not edge[0].startswith(ADMITTED) and not edge[1].startswith(COMPLETED)
        )


def target_of(edge: Edge) -> str:
    """Return the resource or the container that an edge leads to."""
    name = edge[1].removeprefix(ADMITTED)
    return name if name == edge[1] else name.removesuffix("]")


def suspicious(found: Sequence[DeclaredInWorld]) -> Iterator[tuple[DeclaredInWorld, ...]]:
    """Yield groups of worlds that together may have a finding that none has alone."""
    cyclic = cycle_edges(found)
    by_edges = {id(one): one.edges & cyclic for one in found}
    ranked: list[tuple[int, tuple[DeclaredInWorld, ...]]] = []
    for one, other in combinations(found, 2):
        in_order = (one, other), (other, one)
        if closes(by_edges[id(one)], by_edges[id(other)]):
            rank = 0
        elif clash(one, other) or any(targets_lost(*both, found[0]) for both in in_order):
            rank = 1
        elif any(targets_lost(*both) for both in in_order):
            rank = 2
        else:
            continue
        ranked.append((rank + RANKS * apart(one.world, other.world), (one, other)))
    rest = [one for one in found if by_edges[id(one)]]
    if len(rest) > 2:
        ranked.append((0, tuple(rest)))
    yield from (group for _, group in sorted(ranked, key=lambda pair: pair[0]))


def apart(one: World, other: World) -> int:
    """Return the number of inputs that differ between two worlds; a system counts as several."""
    shared = one.values.keys() & other.values.keys()
    unlike = sum(repr(one.values[name]) != repr(other.values[name]) for name in shared)
    return unlike + (2 if one.system != other.system else 0)


def clash(one: DeclaredInWorld, other: DeclaredInWorld) -> bool:
    """Return whether both declare a resource, at different places."""
    places = other.resources
    return any(places.get(ref, place) != place for ref, place in one.resources.items())


def targets_lost(
    one: DeclaredInWorld, other: DeclaredInWorld, usual: DeclaredInWorld | None = None
) -> bool:
    """Return whether a relationship of one world only has a target that the other does not declare.

    `usual` is a world that has the target but not the relationship. Without such a world, the same
    arm may declare both.
    """
    return any(
        target not in other.resources
        and target in one.resources
        and (usual is None or (target in usual.resources and edge not in usual.edges))
        for edge, target in one.leading - other.leading
    )


def cycle_edges(found: Sequence[DeclaredInWorld]) -> frozenset[Edge]:
    """Return the edges of cycles that all worlds together would have."""
    return on_cycles(frozenset().union(*(one.edges for one in found)))


def closes(one: Collection[Edge], other: Collection[Edge]) -> bool:
    """Return whether the edges of two worlds together have a cycle that neither has."""
    together = on_cycles(frozenset({*one, *other}))
    return bool(together) and not (together <= frozenset(one) or together <= frozenset(other))


def on_cycles(edges: frozenset[Edge]) -> frozenset[Edge]:
    """Return the edges that lie on a cycle."""
    number: dict[str, int] = {}
    for edge in sorted(edges):
        for name in edge:
            number.setdefault(name, len(number))
    succ: list[list[int]] = [[] for _ in number]
    for source, target in edges:
        succ[number[source]].append(number[target])
    home = {node: k for k, part in enumerate(components(succ)) for node in part}
    return frozenset(
        edge
        for edge in edges
        if number[edge[0]] in home and home[number[edge[0]]] == home.get(number[edge[1]])
    )
