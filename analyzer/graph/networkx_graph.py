"""The graph for other tools: networkx."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    import networkx

    from analyzer.model.relationship import Relationship
    from analyzer.model.resource import Resource


def to_networkx(
    resources: Iterable[Resource], edges: Iterable[Relationship]
) -> networkx.MultiDiGraph[str]:
    """Return resources and their relationships as a multigraph over `Type[title]` texts.

    Nodes have `type`, `title`, `file` and `line`; edges have `kind`, `event`, `auto` and `origin`
    (as text). Values that are None are left out, since GraphML has no null.
    """
    import networkx as nx

    result: networkx.MultiDiGraph[str] = nx.MultiDiGraph()
    for resource in resources:
        place = {"file": resource.file, "line": resource.line}
        known = {key: value for key, value in place.items() if value is not None}
        result.add_node(str(resource), type=resource.type, title=resource.title, **known)
    for edge in edges:
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
