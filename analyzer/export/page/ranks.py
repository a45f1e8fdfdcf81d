"""The graph of a picture in Puppet's order: contents are between the ends of a container.

It determines the rank of each node, and the implied edges.
"""

from __future__ import annotations

from typing import NamedTuple

from analyzer.export.page.layout import without_back_edges
from analyzer.graph.algorithms.reduction import sinks_first, transitive_reduction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class PageEdge(NamedTuple):
    """An edge between two nodes; in a folded node, it may concern only a resource inside."""

    source: int
    target: int
    from_inside: bool = False
    to_inside: bool = False


class ContainerGraph:
    """Nodes and links of a picture with containers opened.

    A container has an admitted end (its own number), a middle for the resources folded into it, and
    a completed end. `holder` has the direct container of each node, -1 for none.
    """

    def __init__(self, count: int, links: Sequence[PageEdge], holder: Sequence[int]) -> None:
        self.count = count
        self.links = links
        self.middle = list(range(count))
        self.completed = list(range(count))
        self.succ: list[list[int]] = [[] for _ in range(count)]
        self.preceded: set[int] = set()
        self._open_containers(links, holder)
        for link in links:
            source, target = self.ends(link)
            if source != target:
                self.succ[source].append(target)
                self.preceded.add(target)
        for v, x in enumerate(holder):
            if x >= 0:
                self.succ[x].append(v)
                self.succ[self.completed[v]].append(self.completed[x])

    def _open_containers(self, links: Sequence[PageEdge], holder: Sequence[int]) -> None:
        folded = {link.source for link in links if link.from_inside}
        folded |= {link.target for link in links if link.to_inside}
        for x in sorted(folded | {x for x in holder if x >= 0}):
            self.completed[x] = self._new()
            if x in folded:
                self.middle[x] = self._new()
                self.succ[x].append(self.middle[x])
                self.succ[self.middle[x]].append(self.completed[x])

    def ends(self, link: PageEdge) -> tuple[int, int]:
        """Return the two nodes that a link joins."""
        source = self.middle if link.from_inside else self.completed
        target = self.middle[link.target] if link.to_inside else link.target
        return source[link.source], target

    def needed(self) -> set[PageEdge]:
        """Return the links whose order no longer path implies, also through containers."""
        kept = [set(targets) for targets in transitive_reduction(self.succ)]
        found = set()
        for link in self.links:
            source, target = self.ends(link)
            if target in kept[source]:
                found.add(link)
        return found

    def _new(self) -> int:
        self.succ.append([])
        return len(self.succ) - 1

    def ranks(self) -> list[int]:
        """Return each node's rank; for a node with a middle, that of the middle.

        To keep edges short, a node that only its container precedes moves down to its successors,
        and a container moves down to its contents.
        """
        down = without_back_edges(self.succ)
        order = sinks_first(down)
        rank = [0] * len(down)
        for v in reversed(order):
            for t in down[v]:
                rank[t] = max(rank[t], rank[v] + 1)
        ends = {end for v, end in enumerate(self.completed) if end != v}
        for v in order:
            if v in self.preceded or v in ends:
                continue
            if any(t not in ends for t in down[v]):
                rank[v] = max(rank[v], min(rank[t] for t in down[v]) - 1)
        return [rank[m] for m in self.middle]
