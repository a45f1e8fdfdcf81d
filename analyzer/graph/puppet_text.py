"""What Puppet itself would print about cycles, byte for byte (SimpleGraph#report_cycles_in_graph).

Puppet walks all simple paths breadth-first until one meets itself, which may take exponential
time. The path it would find is the first, in the order of its edge tables, among the shortest
walks that meet themselves; that one is found here directly, in time nodes x edges.
"""

from __future__ import annotations

from collections import deque

from analyzer.graph.kernel import Kernel
from analyzer.graph.replay import expanded_tables
from analyzer.model.names import capitalize_type, split_ref

# Nodes times edges of a component beyond which the search is not made.
BOUND = 60_000_000

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
    outgoing = expanded_tables(kernel).outgoing
    for members in sorted_components(kernel, components):
        inside = set(members)
        adjacent = {v: [t for t in outgoing[v] if t in inside] for v in members}
        if len(members) * sum(map(len, adjacent.values())) > BOUND:
            text += f"(a component of {len(members)} is too large to follow Puppet's search)\\n"
            continue
        walk = first_meeting_walk(adjacent, members[0])
        names = [str(kernel.resources[kernel.end_of(v)[1]]) for v in walk]
        text += f"({' => '.join(names)})\\n"
    return text + ADVICE


def first_meeting_walk(adjacent: dict[int, list[int]], start: int) -> list[int]:
    """Return the first of the shortest walks from `start` whose last node is on it already.

    No walk of that length can meet itself earlier, so a prefix is good exactly when it can still
    close in time: by coming back to a node it has, or by reaching a short enough cycle.
    """
    backward: dict[int, list[int]] = {v: [] for v in adjacent}
    for v, targets in adjacent.items():
        for t in targets:
            backward[t].append(v)
    to_cycle = distance_to_cycle(adjacent, backward)
    length = to_cycle[start]
    walk = [start]
    distances = [distances_to(backward, start)]
    while len(walk) <= length:
        left = length - len(walk)
        for t in adjacent[walk[-1]]:
            if to_cycle[t] <= left or any(d.get(t, length + 1) <= left for d in distances):
                break
        walk.append(t)
        distances.append(distances_to(backward, t))
    return walk


def distance_to_cycle(
    adjacent: dict[int, list[int]], backward: dict[int, list[int]]
) -> dict[int, int]:
    """Return for each node the length of the shortest walk from it that meets itself."""
    best: dict[int, int] = {}
    for v, targets in adjacent.items():
        back = distances_to(backward, v)
        best[v] = 1 + min(back[t] for t in targets if t in back)
    by_length: dict[int, list[int]] = {}
    for v, length in best.items():
        by_length.setdefault(length, []).append(v)
    done: set[int] = set()
    length = 0
    while by_length:
        length += 1
        for v in by_length.pop(length, ()):
            if v in done or best[v] != length:
                continue
            done.add(v)
            for s in backward[v]:
                if length + 1 < best[s]:
                    best[s] = length + 1
                    by_length.setdefault(length + 1, []).append(s)
    return best


def distances_to(backward: dict[int, list[int]], goal: int) -> dict[int, int]:
    """Return the distance of every node to the goal, 0 for itself."""
    distance = {goal: 0}
    queue = deque([goal])
    while queue:
        node = queue.popleft()
        for s in backward[node]:
            if s not in distance:
                distance[s] = distance[node] + 1
                queue.append(s)
    return distance
