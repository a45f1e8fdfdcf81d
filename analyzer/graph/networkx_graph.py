"""The graph for other tools: networkx."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import networkx

    from analyzer.graph.relationship_graph import RelationshipGraph


def to_networkx(graph: RelationshipGraph) -> networkx.MultiDiGraph[str]:
    """Return relationships and containment as a networkx multigraph over `Type[title]` texts.

    Nodes carry `type`, `title`, `file` and `line`; edges `kind`, `event`, `auto` and `origin`
    (as text), where not None: GraphML has no null.
    """
    import networkx as nx

    result: networkx.MultiDiGraph[str] = nx.MultiDiGraph()
    for resource in graph.kernel.resources:
        place = {"file": resource.file, "line": resource.line}
        known = {key: value for key, value in place.items() if value is not None}
        result.add_node(str(resource), type=resource.type, title=resource.title, **known)
    for edge in [*graph.relationships(), *graph.containment()]:
        auto = {"auto": edge.auto} if edge.auto else {}
        result.add_edge(
            str(edge.source),
            str(edge.target),
            kind=edge.kind,
            event=edge.event,
            origin=str(edge.origin),
            **auto,
        )
    return result
