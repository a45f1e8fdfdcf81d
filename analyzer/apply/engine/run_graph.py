"""The graph as a run walks it: order, edges, names, paths, tags, noop."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from analyzer.apply.engine.events import Generated
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.refs import ResourceRef
from analyzer.model.resource import Resource
from analyzer.model.tags import tags_of

# What Puppet takes for a truth in a metaparameter.
SWITCH = {True: True, "true": True, False: False, "false": False}


class RunGraph:
    """The expanded graph as a run walks it.

    `rank` gives another legal order than Puppet's: each vertex's priority, as `graph.order.ranks`
    returns it. `queue` are the nodes by priority, `place` is each node's place in it; `blockers`
    counts for each node, junctions too, what must be done before. Ids from `base` on are of what
    resources bring as the run goes on; `born` are the resources among that.
    """

    def __init__(self, graph: RelationshipGraph, rank: Sequence[int] | None = None) -> None:
        self.graph = graph
        self.succ = graph.successors
        self.vertices = graph.vertices
        self.nodes = graph.ends
        self.resources = graph.resources
        self.completed = graph.completed
        self.contents = graph.contents
        by_vertex: Sequence[int] = rank if rank is not None else range(self.vertices)
        priority = [*by_vertex, *(by_vertex[x] for x in graph.containers)]
        self.queue = sorted(range(self.nodes), key=priority.__getitem__)
        self.place = [0] * self.nodes
        for position, node in enumerate(self.queue):
            self.place[node] = position
        self.blockers = [0] * len(self.succ)
        for targets in self.succ:
            for target in targets:
                self.blockers[target] += 1
        self.wiring = graph.wiring()
        self.self_refreshing = graph.self_refreshing
        self.refreshable = graph.refreshable
        self.names = [str(resource) for resource in self.resources]
        self.names += [self.names[x] for x in graph.containers]
        self._tags: dict[int, frozenset[str]] = {}
        self.base = len(self.succ)
        self.born: dict[int, Resource] = {}
        self._brought_by: dict[int, int] = {}
        self._places: dict[int, tuple[int, ...]] = {}

    @cached_property
    def refs(self) -> list[ResourceRef]:
        """Return the references of the resources."""
        return list(self.graph.provenance.refs)

    def adopt(self, event: Generated) -> None:
        """Add the resources that one brings: names, places and containers of new nodes."""
        refs, missing = self.refs, self.refs[event.node]
        refs += [missing] * (event.end + 1 - len(refs))
        self.names += [""] * (event.end + 1 - len(self.names))
        where = self.key(event.node)
        new = [*zip(event.nodes, event.resources, strict=True)]
        for number, (node, resource) in enumerate(new, 1):
            if node >= self.base:
                self.born[node] = resource
                self.names[node] = str(resource)
                refs[node] = resource.ref
                self._brought_by[node] = event.node
                self._places[node] = (*where, number)
                self._tags.pop(node, None)
        self.names[event.end] = self.title(event.node)
        self.born.pop(event.end, None)
        self._brought_by[event.end] = event.node
        self._places[event.end] = (*where, len(new) + 1)
        self._tags.pop(event.end, None)

    def title(self, node: int) -> str:
        """Return a resource's title."""
        resource = self.resource(node)
        return resource.title if resource else self.names[node]

    def key(self, node: int) -> tuple[int, ...]:
        """Return a node's priority: generated resources follow their generator."""
        return self._places[node] if node >= self.base else (self.place[node],)

    def vertex(self, node: int) -> int:
        """Return the resource or container that a node stands for."""
        if node >= self.base:
            return node if node in self.born else self._brought_by[node]
        return node if node < self.vertices else self.graph.containers[node - self.vertices]

    def resource(self, node: int) -> Resource | None:
        """Return a node's resource, None for the ends of containers."""
        if node >= self.vertices:
            return self.born.get(node)
        return self.resources[node] if self.completed[node] == node else None

    @property
    def added(self) -> int:
        """Return the number of resources that Puppet adds to every catalog for a run."""
        own = len(self.graph.catalog.resources)
        return sum(self.resource(node) is not None for node in range(own, self.vertices))

    def is_completed_end(self, node: int) -> bool:
        """Return whether a node is the completed end of a container, or of generated resources."""
        return node >= self.vertices and node not in self.born

    def can_refresh(self, node: int) -> bool:
        """Return whether a node answers events; ends of containers do, and pass them on."""
        resource = self.resource(node)
        return resource is None or resource.type in self.refreshable

    def refreshes_itself(self, node: int) -> bool:
        """Return whether a node answers its own changes too."""
        resource = self.resource(node)
        return (
            resource is not None
            and resource.type in self.self_refreshing
            and resource.parameters.get("ensure") != "absent"
        )

    def own_noop(self, node: int) -> bool | None:
        """Return a resource's noop parameter, None where it has none."""
        resource = self.resource(node)
        if resource is None:
            return None
        value = resource.parameters.get("noop")
        return SWITCH.get(value) if isinstance(value, bool | str) else None

    def tags(self, node: int) -> frozenset[str]:
        """Return a node's tags; ends of containers have their container's."""
        vertex = self.vertex(node)
        known = self._tags.get(vertex)
        if known is None:
            resource = self.born.get(vertex) or self.resources[vertex]
            known = self._tags[vertex] = tags_of(resource)
        return known

    def path(self, node: int) -> str:
        """Return a node's path as Puppet's log names it: `/Stage[main]/Main/File[/etc/motd]`.

        Ends of containers are named as their container (Puppet::Type#path, Type::Whit).
        """
        if self.resource(node) is None:
            return self.names[node]
        return "/" + "/".join(self.containment_path(node))

    def containment_path(self, vertex: int) -> list[str]:
        """Return the containers of a resource, from the stage on, and the resource itself.

        What was brought is contained where what brought it is.
        """
        if vertex >= self.base:
            return [*self.containment_path(self._brought_by[vertex])[:-1], self.names[vertex]]
        parts: list[str] = []
        seen = set()
        at: int | None = vertex
        while at is not None and at not in seen:
            seen.add(at)
            resource = self.resources[at]
            parts.append(resource.title if resource.type == "Class" else self.names[at])
            at = self._parents.get(at)
        return parts[::-1]

    def parent(self, vertex: int) -> int | None:
        """Return the first container of a resource."""
        while vertex >= self.base:
            vertex = self._brought_by[vertex]
        return self._parents.get(vertex)

    def inside(self, container: int) -> set[int]:
        """Return the contents of a container, direct and indirect."""
        found: set[int] = set()
        ahead = [container]
        while ahead:
            for v in self.contents.get(ahead.pop(), ()):
                if v not in found:
                    found.add(v)
                    ahead.append(v)
        return found

    @cached_property
    def _parents(self) -> dict[int, int]:
        return self.graph.first_containers()

    def find(self, ref: str) -> int:
        """Return the vertex that a reference names.

        Raises:
            KeyError: it is not in the catalog; the message names what comes close.
        """
        born = next((node for node, one in self.born.items() if str(one) == ref), None)
        return self.graph.locate(ref) if born is None else born
