"""Dependency cycles, explained: members, a shortest closed path, and the origin of each edge."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from operator import attrgetter

from analyzer.graph.algorithms.components import components
from analyzer.graph.algorithms.walks import Walker
from analyzer.graph.cycles.cuts import Cut, smallest_cut
from analyzer.graph.kernel import Kernel
from analyzer.graph.provenance import Hop, Provenance
from analyzer.model.refs import ResourceRef
from analyzer.source import Span

# The most references of a path in its `repr`.
SHOWN = 8


@dataclass(frozen=True, slots=True)
class Cycle:
    """One strongly connected component of the expanded graph.

    `members` are its resources and containers, sorted, each once. `nodes` names the ends as in the
    expanded graph. `path` is closed: its first reference is also its last; a container occurs once
    for a run of its ends. `hops` are the edges of the path before folding. `shortest` is False if
    the search for a shorter path was stopped. `cut` has the statements to remove so that this
    component has no cycle.
    """

    members: tuple[ResourceRef, ...]
    nodes: tuple[str, ...]
    path: tuple[ResourceRef, ...]
    hops: tuple[Hop, ...]
    shortest: bool
    cut: Cut

    def __str__(self) -> str:
        return f"({' => '.join(map(str, self.path))})"

    def __repr__(self) -> str:
        place = f" at {self.place}" if self.place else ""
        more = len(self.path) - SHOWN
        path = [*map(str, self.path[:SHOWN]), *([f"... {more} more"] if more > 0 else [])]
        return f"<Cycle {' => '.join(path)}{place}>"

    @property
    def others(self) -> list[ResourceRef]:
        """Return the members that are not on the path."""
        on_path = frozenset(self.path)
        return [member for member in self.members if member not in on_path]

    @property
    def place(self) -> Span | None:
        """Return the place of the finding: that of the statements to remove."""
        return self.cut.place


def find_cycles(kernel: Kernel, provenance: Provenance) -> list[Cycle]:
    """Return every cyclic component, in the order of Puppet's report."""
    found = [explain(kernel, provenance, c) for c in components(kernel.succ)]
    return sorted(found, key=lambda cycle: cycle.members)


def explain(kernel: Kernel, provenance: Provenance, component: list[int]) -> Cycle:
    """Explain one component."""
    junctions = kernel.vertices + len(kernel.owner)
    inside = set(component)
    walker = Walker(kernel.succ, junctions, inside.__contains__)
    path, shortest = walker.shortest_cycle(component)
    path = starting_well(kernel, path)
    hops = tuple(provenance.hop(s, t) for s, t in pairwise(path))
    nodes = [v for v in component if v < junctions]
    return Cycle(
        # With a key: direct comparisons are slow for the hundreds of thousands that a component may
        # have.
        members=tuple(sorted({provenance.ref(v) for v in nodes}, key=attrgetter("type", "title"))),
        nodes=tuple(sorted(provenance.name(v) for v in nodes)),
        path=folded([provenance.ref(v) for v in path]),
        hops=hops,
        shortest=shortest,
        cut=smallest_cut(kernel, provenance, component),
    )


def starting_well(kernel: Kernel, path: list[int]) -> list[int]:
    """Rotate a closed path so that it starts at its first resource in the catalog, if any."""
    ring = path[:-1]
    plain = [v for v in ring if kernel.end_of(v)[0] == "resource"]
    turn = ring.index(min(plain or ring))
    ring = ring[turn:] + ring[:turn]
    return [*ring, ring[0]]


def folded(refs: list[ResourceRef]) -> tuple[ResourceRef, ...]:
    """Return the path without repetitions of adjacent references; a self-edge keeps two."""
    path = [refs[0]]
    for ref in refs[1:]:
        if ref != path[-1]:
            path.append(ref)
    return tuple(path) if len(path) > 1 else (refs[0], refs[0])
