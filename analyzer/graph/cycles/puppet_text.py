"""Puppet's own message about cycles, byte for byte (SimpleGraph#report_cycles_in_graph).

The only difference: unprintable characters of titles are escaped, which Puppet prints unchanged.

Puppet walks all simple paths breadth-first until one meets itself, which may take exponential
time. The path it would find is the first, in the order of its edge tables, among the shortest
walks that meet themselves; that one is found here directly, at most in time nodes x edges.
"""

from __future__ import annotations

from analyzer.escape import shown
from analyzer.graph.kernel import Kernel
from analyzer.graph.replay import expanded_tables
from analyzer.model.names import capitalize_type, split_ref

# The most edges of all components, and the most edges visited in one; beyond, there is no search.
EDGES = 1_000_000
STEPS = 10_000_000

ADVICE = "Try the '--graph' option and opening the resulting '.dot' file in OmniGraffle or GraphViz"


def puppet_ref(kernel: Kernel, node: int) -> str:
    """Return the reference Puppet sorts a node by: `Whit[Admissible_class[Foo]]` for an end."""
    role, i = kernel.end_of(node)
    ref = str(kernel.resources[i])
    if role == "resource":
        return ref
    prefix = "admissible" if role == "admitted" else "completed"
    parts = split_ref(ref)
    if parts is None:
        return f"Whit[{prefix}_{ref}]"
    return f"Whit[{capitalize_type(f'{prefix}_{parts[0]}')}[{parts[1]}]]"


def sorted_components(kernel: Kernel, components: list[list[int]]) -> list[list[int]]:
    """Return the components as Puppet sorts them: members by reference, then the components."""
    junctions = kernel.vertices + len(kernel.owner)
    keyed = []
    for component in components:
        members = [(puppet_ref(kernel, v), v) for v in component if v < junctions]
        keyed.append(sorted(members))
    return [[v for _, v in members] for members in sorted(keyed)]


def report(kernel: Kernel, components: list[list[int]]) -> str:
    """Return Puppet's message about these components, the empty text for none."""
    if not components:
        return ""
    many = "s" if len(components) > 1 else ""
    text = f"Found {len(components)} dependency cycle{many}:\n"
    adjacent = successors(kernel, {v for component in components for v in component})
    for members in sorted_components(kernel, components):
        walk = adjacent and PathSearch(adjacent, members).first_meeting_walk()
        if walk:
            names = [shown(str(kernel.resources[kernel.end_of(v)[1]])) for v in walk]
            text += f"({' => '.join(names)})\\n"
        else:
            text += f"(a component of {len(members)} is too large to follow Puppet's search)\\n"
    return text + ADVICE


def successors(kernel: Kernel, inside: set[int]) -> dict[int, list[int]]:
    """Return the edges between these nodes in the order of Puppet's tables; {} for too many."""
    vertices = {kernel.end_of(v)[1] for v in inside if kernel.end_of(v)[0] != "junction"}
    if sum(len(ids) for i, _, ids in kernel.declared if i in vertices) > EDGES:
        return {}
    outgoing = expanded_tables(kernel, vertices).outgoing
    return {v: [t for t in outgoing[v] if t in inside] for v in inside if v in outgoing}


class PathSearch:
    """Searches the path that Puppet would report for one component, from its first member."""

    def __init__(self, adjacent: dict[int, list[int]], members: list[int]) -> None:
        self.start = members[0]
        self.backward: dict[int, list[int]] = {v: [] for v in members}
        self.adjacent = {v: [t for t in adjacent[v] if t in self.backward] for v in members}
        for v, targets in self.adjacent.items():
            for t in targets:
                self.backward[t].append(v)
        self.steps = 0

    def first_meeting_walk(self) -> list[int]:
        """Return the first of the shortest walks that meet themselves; [] if they are too long.

        No walk of that length can meet itself earlier. So a prefix is valid exactly if it can still
        close in time: by returning to one of its nodes, or by reaching a short enough cycle.
        """
        length, rings = self.nearest_rings()
        if self.steps > STEPS:
            return []
        to_ring: dict[int, int] = {}
        for v, around in sorted(rings.items(), key=lambda ring: ring[1]):
            self.spread(to_ring, v, around, length)
        walk = [self.start]
        to_walk: dict[int, int] = {}
        self.spread(to_walk, self.start, 0, length)
        while len(walk) <= length:
            left = length - len(walk)
            for t in self.adjacent[walk[-1]]:
                if to_ring.get(t, length) <= left or to_walk.get(t, length) <= left:
                    break
            walk.append(t)
            self.spread(to_walk, t, 0, left)
        return walk

    def nearest_rings(self) -> tuple[int, dict[int, int]]:
        """Return the length of the shortest walks that meet themselves, and the meeting nodes.

        The length is the distance of a node plus the length of a shortest cycle through it. A node
        with a single predecessor is left out: a walk that returns to it met the predecessor before.
        """
        distance = {self.start: 0}
        queue = [self.start]
        best = len(self.adjacent)
        found: list[tuple[int, int, int]] = []
        for v in queue:
            if distance[v] >= best or self.steps > STEPS:
                break
            if v == self.start or len(self.backward[v]) > 1:
                around = self.shortest_ring(v, best - distance[v])
                if around:
                    best = distance[v] + around
                    found.append((best, v, around))
            for t in self.adjacent[v]:
                if t not in distance:
                    distance[t] = distance[v] + 1
                    queue.append(t)
        return best, {v: around for total, v, around in found if total == best}

    def shortest_ring(self, v: int, limit: int) -> int:
        """Return the length of a shortest cycle through a node, 0 if it is above the limit."""
        seen: set[int] = set()
        frontier = [v]
        for depth in range(1, limit + 1):
            ahead: list[int] = []
            for node in frontier:
                targets = self.adjacent[node]
                self.steps += len(targets)
                if v in targets:
                    return depth
                fresh = [t for t in targets if t not in seen]
                seen.update(fresh)
                ahead += fresh
            frontier = ahead
        return 0

    def spread(self, distance: dict[int, int], goal: int, value: int, limit: int) -> None:
        """Lower the distances of all nodes that are now nearer to the goal."""
        if distance.get(goal, value + 1) <= value:
            return
        distance[goal] = value
        queue = [goal]
        for node in queue:
            ahead = distance[node] + 1
            if ahead > limit:
                break
            for s in self.backward[node]:
                if distance.get(s, ahead + 1) > ahead:
                    distance[s] = ahead
                    queue.append(s)
