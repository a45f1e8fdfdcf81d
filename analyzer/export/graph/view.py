"""The nodes and edges of drawings and exports as plain values, made from a graph.

A view shows containment, declared relationships, or the expanded graph that Puppet walks.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from analyzer.escape import shown
from analyzer.model.refs import ResourceRef
from analyzer.model.relationship import Kind, Origin, Relationship

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Literal

    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.model.completeness import Gap

    Role = Literal["resource", "container", "admitted", "completed"]

VIEWS = ("containment", "relationships", "expanded")


@dataclass(frozen=True, slots=True)
class ViewNode:
    """A resource, a container, or one end of a container.

    `ref` is unique in the view; `type` and `title` are those of the resource behind it. `container`
    is the ref of its container if that is in the view. `folded` counts the resources that are
    folded into a class. `built_in` marks the resources that Puppet adds to every catalog.
    """

    ref: str
    type: str
    title: str
    file: str | None = None
    line: int | None = None
    role: Role = "resource"
    container: str | None = None
    in_cycle: bool = False
    folded: int = 0
    built_in: bool = False


@dataclass(frozen=True, slots=True)
class ViewEdge:
    """`source` comes before `target`, or contains it; both are refs of nodes.

    `event`: refresh events follow it; `auto` is the automatic form or None. `origin` is the
    statement or rule that made it, for merged edges the first; `count` is the number of merged
    edges. The edge between the two ends of an empty container has the container's origin.
    """

    source: str
    target: str
    kind: Kind
    event: bool
    auto: str | None
    origin: Origin
    in_cycle: bool = False
    count: int = 1


@dataclass(frozen=True, slots=True)
class GraphView:
    """Nodes and edges, in the order of the catalog and of Puppet's edge tables.

    `gaps` are those of the catalog: there may be more nodes and edges.
    """

    name: str
    kind: str
    nodes: tuple[ViewNode, ...]
    edges: tuple[ViewEdge, ...]
    gaps: tuple[Gap, ...] = ()

    @property
    def notice(self) -> list[str]:
        """Return the lines about what may be missing, safe to print; none if all is known."""
        if not self.gaps:
            return []
        from analyzer.model.completeness import notice

        return [shown(line) for line in notice(self.gaps)]

    def by_ref(self) -> dict[str, ViewNode]:
        """Return the nodes by their refs."""
        return {node.ref: node for node in self.nodes}

    def drawn(self) -> GraphView:
        """Return the view without built-in resources that have no edges."""
        ends = {end for edge in self.edges for end in (edge.source, edge.target)}
        kept = tuple(n for n in self.nodes if not n.built_in or n.ref in ends)
        return replace(self, nodes=kept)


class CycleMarks:
    """The components of the expanded graph to which a resource's ends and an edge belong."""

    def __init__(self, graph: RelationshipGraph) -> None:
        self._completed = graph.completed
        found = graph.components() if graph.has_cycle else []
        self._of = {v: number for number, nodes in enumerate(found) for v in nodes}

    def resource(self, i: int) -> bool:
        """Return whether a resource, or an end of a container, is on a cycle."""
        return i in self._of or self._completed[i] in self._of

    def node(self, node: int) -> bool:
        """Return whether a node of the expanded graph is on a cycle."""
        return node in self._of

    def edge(self, source: int, target: int) -> bool:
        """Return whether an edge of the expanded graph lies within a cyclic component."""
        return source in self._of and self._of[source] == self._of.get(target)


def build_view(graph: RelationshipGraph, kind: str = "relationships") -> GraphView:
    """Return one of VIEWS of a graph, with all nodes and edges.

    Raises:
        ValueError: there is no such view.
    """
    if kind not in VIEWS:
        raise ValueError(f"unknown view {kind!r}; views are {', '.join(VIEWS)}")
    marks = CycleMarks(graph)
    if kind == "expanded":
        nodes, edges = expanded_nodes(graph, marks), expanded_edges(graph, marks)
    else:
        nodes = resource_nodes(graph, marks)
        made = graph.containment() if kind == "containment" else graph.relationships()
        edges = declared_edges(graph, marks, made)
    return GraphView(graph.catalog.name, kind, tuple(nodes), tuple(edges), tuple(graph.gaps))


def containers(graph: RelationshipGraph) -> dict[int, int]:
    """Return the nearest container of each resource that has one, by ids."""
    return graph.nearest_containers()


def resource_nodes(graph: RelationshipGraph, marks: CycleMarks) -> Iterator[ViewNode]:
    """Yield every resource once, containers as one node."""
    refs, completed = graph.provenance.refs, graph.completed
    holder = containers(graph)
    own = len(graph.catalog.resources)
    for i, resource in enumerate(graph.resources):
        yield ViewNode(
            str(refs[i]),
            resource.type,
            resource.title,
            resource.file,
            resource.line,
            "resource" if completed[i] == i else "container",
            str(refs[holder[i]]) if i in holder else None,
            marks.resource(i),
            0,
            i >= own,
        )


def expanded_nodes(graph: RelationshipGraph, marks: CycleMarks) -> Iterator[ViewNode]:
    """Yield the nodes of the expanded graph; containers as `Admitted[...]` and `Completed[...]`."""
    provenance, resources = graph.provenance, graph.resources
    holder = containers(graph)
    own = len(graph.catalog.resources)
    ends = {"admitted": "admitted", "completed": "completed"}
    for v in range(graph.ends):
        role, i = graph.end_of(v)
        resource = resources[i]
        yield ViewNode(
            provenance.name(v),
            resource.type,
            resource.title,
            resource.file,
            resource.line,
            ends.get(role, "resource"),  # type: ignore[arg-type]
            provenance.name(holder[i]) if i in holder else None,
            marks.node(v),
            0,
            own <= i,
        )


def declared_edges(
    graph: RelationshipGraph, marks: CycleMarks, made: Iterable[Relationship]
) -> Iterator[ViewEdge]:
    """Yield declared relationships between resources, without replacing containers."""
    completed = graph.completed
    ids: dict[ResourceRef, int] = {}
    for i, ref in enumerate(graph.provenance.refs):
        ids.setdefault(ref, i)
    for one in made:
        s, t = ids[one.source], ids[one.target]
        if one.kind == "contains":
            cyclic = marks.edge(s, t) or marks.edge(completed[t], completed[s])
        else:
            cyclic = marks.edge(completed[s], t)
        yield edge_of(str(one.source), str(one.target), one, cyclic)


def expanded_edges(graph: RelationshipGraph, marks: CycleMarks) -> Iterator[ViewEdge]:
    """Yield the edges of the expanded graph, once for each relationship that makes them."""
    names = graph.provenance.name
    ends = {names(v): v for v in range(graph.ends)}
    for hop in graph.expanded():
        cyclic = marks.edge(ends[hop.source_name], ends[hop.target_name])
        for one in hop.relationships:
            yield edge_of(hop.source_name, hop.target_name, one, cyclic)
        if not hop.relationships:
            ref, span = hop.source_ref, graph.resources[ends[hop.source_name]].span
            origin = Origin("containment", ref, 0, None, span)
            source, target = hop.source_name, hop.target_name
            yield ViewEdge(source, target, "contains", False, None, origin, cyclic)


def edge_of(source: str, target: str, one: Relationship, in_cycle: bool) -> ViewEdge:
    """Return a relationship as an edge between two nodes."""
    return ViewEdge(source, target, one.kind, one.event, one.auto, one.origin, in_cycle)
