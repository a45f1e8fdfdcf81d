"""The edges of one node, in the order of Puppet's tables (SimpleGraph).

The order is visible in the log: it decides which failed dependency is reported first, and which
resource is scheduled for a refresh first. Edges are combined only for the nodes in question, so
that a many-to-many relationship costs nothing until a resource fails or sends events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

from analyzer.graph.kernel import Kernel
from analyzer.graph.labels import CONTAINMENT, EVENTFUL, INWARD

# The nodes at the other end of a node's edges, with the labels of the edges to each.
Neighbours = dict[int, list[int]]

# The place of a relationship: its row of `declared`, and its index; automatic ones come last.
Place = tuple[int, int]


class Wiring:
    """Finds the nodes before and after a node of the expanded graph.

    All rows that share one list of targets have the same label (kernel.LongLists).
    """

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self._targets: dict[int, list[int]] = {}

    def sources(self, node: int, keep: Callable[[int], bool]) -> list[int]:
        """Return the nodes directly before one, as far as they are wanted."""
        return [source for source in self._incoming(node, keep) if keep(source)]

    def targets(self, node: int) -> list[int]:
        """Return the targets of a node's events, once for each relationship that passes them on."""
        known = self._targets.get(node)
        if known is None:
            known = self._targets[node] = [
                target
                for target, labels in self._outgoing(node).items()
                for label in labels
                if label in EVENTFUL
            ]
        return known

    def _incoming(self, node: int, keep: Callable[[int], bool]) -> list[int]:
        role, v = self.kernel.end_of(node)
        completed = self.kernel.completed
        if role == "completed":
            contents = self.kernel.contents.get(v)
            return [completed[c] for c in contents] if contents else [v]
        named = self._pairs(v, inward=True, keep=lambda other: keep(completed[other]))
        found: dict[int, None] = {}
        for c in self._steps(v, role, named):
            if c == v:
                found.update((completed[s], None) for s in named if not self._handled(s, v, role))
                continue
            if c in self._holders.get(v, ()):
                found[c] = None
            if c in named and self._handled(c, v, role):
                found[completed[c]] = None
        return list(found)

    def _outgoing(self, node: int) -> Neighbours:
        role, v = self.kernel.end_of(node)
        completed = self.kernel.completed
        if role == "admitted":
            return {c: [CONTAINMENT] for c in self.kernel.contents.get(v, ())}
        named = self._pairs(v, inward=False) if self._sends_events(v) else {}
        found: Neighbours = {}
        for c in self._steps(v, role, named):
            if c == v:
                found.update((t, named[t]) for t in named if not self._handled(t, v, role))
                continue
            if c in self._holders.get(v, ()):
                found.setdefault(completed[c], []).append(CONTAINMENT)
            if c in named and self._handled(c, v, role):
                found.setdefault(c, []).extend(named[c])
        return found

    def _steps(self, v: int, role: str, named: Neighbours) -> list[int]:
        """Return the containers whose replacement makes edges of `v`, and `v` for its own edges.

        Containers are replaced in catalog order. The other edges of a plain resource stay first.
        """
        containers = {c for c in named if self.kernel.completed[c] != c}
        steps = sorted(containers.union(self._holders.get(v, ())) - {v})
        if role == "resource":
            return [v, *steps]
        return sorted([*steps, v])

    def _handled(self, other: int, v: int, role: str) -> bool:
        """Return whether the replacement of `other`, not of `v`, makes the edges between them."""
        is_container = self.kernel.completed[other] != other
        return is_container and (role == "resource" or other < v)

    def _sends_events(self, v: int) -> bool:
        """Return whether a relationship of a vertex passes its events on."""
        declared = self.kernel.declared
        own = (declared[row][1] for row in self._own_rows.get(v, ()))
        named = (declared[self._rows_of_list[key][0]][1] for key, _ in self._named_in.get(v, ()))
        automatic = (label for _, _, label in self._automatic(v, inward=False))
        return (
            any(label in EVENTFUL and label not in INWARD for label in own)
            or any(label in EVENTFUL and label in INWARD for label in named)
            or any(label in EVENTFUL for label in automatic)
        )

    def _pairs(
        self, v: int, *, inward: bool, keep: Callable[[int], bool] = lambda _: True
    ) -> Neighbours:
        """Return the declared and automatic neighbours of a vertex, in the order of their edges."""
        found: list[tuple[Place, int, int]] = []
        declared = self.kernel.declared
        for row in self._own_rows.get(v, ()):
            _, label, ids = declared[row]
            if (label in INWARD) == inward:
                found += [
                    ((row, place), other, label) for place, other in enumerate(ids) if keep(other)
                ]
        for key, place in self._named_in.get(v, ()):
            for row in self._rows_of_list[key]:
                i, label, _ = declared[row]
                if (label in INWARD) != inward and keep(i):
                    found.append(((row, place), i, label))
        found += (edge for edge in self._automatic(v, inward=inward) if keep(edge[1]))
        found.sort()
        pairs: Neighbours = {}
        for _, other, label in found:
            pairs.setdefault(other, []).append(label)
        return pairs

    def _automatic(self, v: int, *, inward: bool) -> Iterator[tuple[Place, int, int]]:
        last = len(self.kernel.declared)
        for row in self._automatic_rows[inward].get(v, ()):
            source, target, label, _ = self.kernel.automatic[row]
            yield (last, row), source if inward else target, label

    @cached_property
    def _holders(self) -> dict[int, list[int]]:
        """Return the containers of each vertex."""
        found: dict[int, list[int]] = {}
        for x in self.kernel.owner:
            for v in self.kernel.contents.get(x, ()):
                found.setdefault(v, []).append(x)
        return found

    @cached_property
    def _own_rows(self) -> dict[int, list[int]]:
        """Return the rows that each vertex declares."""
        found: dict[int, list[int]] = {}
        for row, (i, _, _) in enumerate(self.kernel.declared):
            found.setdefault(i, []).append(row)
        return found

    @cached_property
    def _rows_of_list(self) -> dict[int, list[int]]:
        """Return the rows that share a list of targets, by the list's identity."""
        found: dict[int, list[int]] = {}
        for row, (_, _, ids) in enumerate(self.kernel.declared):
            found.setdefault(id(ids), []).append(row)
        return found

    @cached_property
    def _named_in(self) -> dict[int, list[tuple[int, int]]]:
        """Return the lists with each vertex, and its indexes in them."""
        found: dict[int, list[tuple[int, int]]] = {}
        for key, rows in self._rows_of_list.items():
            for place, v in enumerate(self.kernel.declared[rows[0]][2]):
                found.setdefault(v, []).append((key, place))
        return found

    @cached_property
    def _automatic_rows(self) -> tuple[dict[int, list[int]], dict[int, list[int]]]:
        """Return the automatic relationships by source, and by target."""
        by_source: dict[int, list[int]] = {}
        by_target: dict[int, list[int]] = {}
        for row, (source, target, _, _) in enumerate(self.kernel.automatic):
            by_source.setdefault(source, []).append(row)
            by_target.setdefault(target, []).append(row)
        return by_source, by_target
