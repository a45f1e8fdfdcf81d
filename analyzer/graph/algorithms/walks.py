"""Walks on the expanded graph; junctions do not count as steps."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

# The most edges that the search for a shorter cycle visits.
BUDGET = 400_000


class Walker:
    """Breadth-first search over part of a graph: only nodes that `inside` admits are entered."""

    def __init__(
        self, succ: Sequence[Sequence[int]], junctions: int, inside: Callable[[int], bool]
    ) -> None:
        self.succ = succ
        self.junctions = junctions
        self.inside = inside
        self.steps = 0

    def search(self, start: int, goal: int, limit: int | None = None) -> dict[int, int] | None:
        """Return the parents of a shortest walk of at least one edge, or None.

        `limit` bounds the length, counted without junctions. Start and goal may be one node.
        """
        parents: dict[int, int] = {}
        frontier = [start]
        depth = 0
        while frontier and (limit is None or depth < limit):
            depth += 1
            ahead: list[int] = []
            for node in frontier:
                if self._expand(node, goal, parents, ahead):
                    return parents
            frontier = ahead
        return None

    def _expand(self, node: int, goal: int, parents: dict[int, int], ahead: list[int]) -> bool:
        """Enter the successors of a node, through junctions; return whether the goal is reached."""
        open_nodes = [node]
        while open_nodes:
            current = open_nodes.pop()
            for t in self.succ[current]:
                self.steps += 1
                if t in parents or not self.inside(t):
                    continue
                parents[t] = current
                if t == goal:
                    return True
                if t >= self.junctions:
                    open_nodes.append(t)
                else:
                    ahead.append(t)
        return False

    def path(self, start: int, goal: int, limit: int | None = None) -> list[int] | None:
        """Return a shortest walk as nodes from start to goal without junctions, or None."""
        parents = self.search(start, goal, limit)
        return None if parents is None else self._trace(parents, start, goal)

    def _trace(self, parents: dict[int, int], start: int, goal: int) -> list[int]:
        path = [goal]
        node = parents[goal]
        while node != start:
            if node < self.junctions:
                path.append(node)
            node = parents[node]
        path.append(start)
        return path[::-1]

    def _meets_itself(self, nodes: Sequence[int]) -> bool:
        """Return whether a node has an edge to itself, directly or through a junction."""
        many = {v: frozenset(self.succ[v]) for v in nodes if v >= self.junctions}
        return any(
            t == v or (t in many and v in many[t])
            for v in nodes
            if v < self.junctions
            for t in self.succ[v]
        )

    def shortest_cycle(self, nodes: Sequence[int]) -> tuple[list[int], bool]:
        """Return a shortest closed walk through the nodes of one component.

        The second value is true if no cycle is shorter: after BUDGET edges, the search stops and
        returns the best result so far. A pair of resources that wait for each other, or a resource
        that waits for itself, ends the search at once.
        """
        best: list[int] = []
        self.steps = 0
        shortest_possible = 1 if self._meets_itself(nodes) else 2
        for v in nodes:
            if v >= self.junctions:
                continue
            found = self.path(v, v, len(best) - 2 if best else None)
            if found is not None:
                best = found
            if best and len(best) - 1 <= shortest_possible:
                return best, True
            if best and self.steps > BUDGET:
                return best, False
        return best, True


def reached(succ: Sequence[Sequence[int]], starts: Iterable[int]) -> set[int]:
    """Return the nodes on walks of at least one edge from any of the starts."""
    seen: set[int] = set()
    pending = list(starts)
    while pending:
        for t in succ[pending.pop()]:
            if t not in seen:
                seen.add(t)
                pending.append(t)
    return seen
