"""The graph in the form that queries use: ids, and edges in both directions."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cached_property

from analyzer.graph.algorithms.components import components
from analyzer.graph.containers import class_of, nearest_containers
from analyzer.graph.kernel import Kernel
from analyzer.graph.labels import EVENTFUL, INWARD
from analyzer.graph.provenance import Provenance
from analyzer.graph.queries import event_edges, predecessors

Ids = set[int]
Succ = list[list[int]]


class GraphProperties:
    """The properties of a graph, each computed on first use.

    Resources are ids of the kernel. A query can name the resources that Puppet adds itself, but
    never finds them.
    """

    def __init__(self, kernel: Kernel, provenance: Provenance) -> None:
        self.kernel = kernel
        self.provenance = provenance
        self.everything = set(range(len(kernel.catalog.resources)))

    @cached_property
    def plain(self) -> Ids:
        """Return the resources that are not containers."""
        return {i for i in self.everything if self.is_plain(i)}

    @cached_property
    def pred(self) -> Succ:
        """Return the expanded graph with its edges reversed."""
        return predecessors(self.kernel)

    @cached_property
    def events(self) -> Succ:
        """Return the edges that pass events on."""
        return event_edges(self.kernel)

    @cached_property
    def events_back(self) -> Succ:
        """Return the edges that pass events on, reversed."""
        return turned(self.events)

    @cached_property
    def classes(self) -> dict[int, int]:
        """Return the class in whose body each resource is."""
        holder = nearest_containers(self.kernel)
        found = ((i, class_of(self.kernel, holder, i)) for i in self.everything)
        return {i: x for i, x in found if x is not None}

    @cached_property
    def held(self) -> dict[int, list[int]]:
        """Return the direct container of each resource."""
        held: dict[int, list[int]] = {}
        for x, contents in self.kernel.contents.items():
            for v in contents:
                held.setdefault(v, []).append(x)
        return held

    @cached_property
    def in_cycle(self) -> Ids:
        """Return the nodes of the expanded graph that are on cycles."""
        return {v for found in components(self.kernel.succ) for v in found}

    def is_plain(self, node: int) -> bool:
        """Return whether a node is a resource, not the end of a container or a junction."""
        return node < self.kernel.vertices and self.kernel.completed[node] == node

    def own(self, ids: Iterable[int]) -> Ids:
        """Return the given resources that are the catalog's own."""
        return self.everything.intersection(ids)

    def related(self, ids: Collection[int], *, inward: bool, events: bool = False) -> Ids:
        """Return the resources with a relationship to some resources, or (`inward`) from them.

        Both declared and automatic relationships count; with `events`, only those that send events.
        A list that many resources share is read once.
        """
        found: Ids = set()
        done: dict[int, bool] = {}
        for i, label, others in self.kernel.declared:
            if events and label not in EVENTFUL:
                continue
            if (label in INWARD) == inward:
                if i in ids and id(others) not in done:
                    done[id(others)] = True
                    found.update(others)
            else:
                if id(others) not in done:
                    done[id(others)] = any(other in ids for other in others)
                if done[id(others)]:
                    found.add(i)
        for source, target, label, _ in self.kernel.automatic:
            if not events or label in EVENTFUL:
                here, there = (target, source) if inward else (source, target)
                if here in ids:
                    found.add(there)
        return found


def turned(succ: Succ) -> Succ:
    """Return a graph with its edges reversed."""
    back: Succ = [[] for _ in succ]
    for source, targets in enumerate(succ):
        for target in targets:
            back[target].append(source)
    return back
