"""The order in which resources are applied: Puppet's ready queue by priority
(RelationshipGraph#traverse)."""

from __future__ import annotations

from heapq import heapify, heappop, heappush

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

    from analyzer.graph.kernel import Kernel

    Ordering = Literal["manifest", "title-hash", "random"]

# Salts of the prioritizers of Puppet 3.3 to 5 (graph/title_hash_prioritizer.rb).
TITLE_HASH_SALT = "NaCl, MgSO4 (salts) and then "


def traverse(kernel: Kernel, rank: Sequence[int] | None = None) -> list[int]:
    """Return the nodes of the expanded graph in the order in which they are applied; no junctions.

    `rank` is the priority of each vertex; the default is its place in the catalog. Both ends of a
    container have the priority of the container. The order ends where a cycle blocks the rest.
    """
    succ, vertices = kernel.succ, kernel.vertices
    junctions = vertices + len(kernel.owner)
    by_vertex = rank if rank is not None else range(vertices)
    priority = [*by_vertex, *(by_vertex[x] for x in kernel.owner)]
    # The heap contains indexes of this list: small integers compare fastest.
    queue = sorted(range(junctions), key=priority.__getitem__)
    place = [0] * junctions
    for position, v in enumerate(queue):
        place[v] = position
    blockers = [0] * len(succ)
    for targets in succ:
        for t in targets:
            blockers[t] += 1
    ready = [place[v] for v in range(junctions) if not blockers[v]]
    heapify(ready)

    def release(targets: list[int]) -> None:
        for t in targets:
            count = blockers[t] = blockers[t] - 1
            if count:
                continue
            if t < junctions:
                heappush(ready, place[t])
            else:
                release(succ[t])

    order = []
    while ready:
        node = queue[heappop(ready)]
        order.append(node)
        release(succ[node])
    return order


def ranks(kernel: Kernel, ordering: Ordering, seed: int = 0) -> list[int] | None:
    """Return the priorities of the vertices with one of Puppet's orderings.

    For `manifest`, the result is None: the place in the catalog decides. `title-hash` and `random`
    existed from Puppet 3.3 to 5. The random order depends on `seed`; Puppet's differs in each run.
    """
    if ordering == "manifest":
        return None
    ids = list(range(kernel.vertices))
    if ordering == "title-hash":
        from hashlib import sha1

        salted = [f"{TITLE_HASH_SALT}{r}" for r in kernel.resources]
        keys = [sha1(text.encode(), usedforsecurity=False).hexdigest() for text in salted]
        ids.sort(key=keys.__getitem__)
    else:
        from random import Random

        Random(seed).shuffle(ids)
    rank = [0] * len(ids)
    for place, i in enumerate(ids):
        rank[i] = place
    return rank
