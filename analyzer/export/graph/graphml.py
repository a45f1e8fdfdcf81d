"""The graph as GraphML, for yEd, Gephi and other graph editors, written by networkx."""

from __future__ import annotations

from io import BytesIO

import networkx as nx

from analyzer.escape import MARK
from analyzer.export.encode import xml_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.export.graph.view import GraphView, ViewEdge, ViewNode

# `xml_text` leaves none of these in a text, and networkx cannot write "&#10;".
LINE_END = MARK


def render(view: GraphView) -> str:
    """Return the document without unknown attributes, because GraphML has no null."""
    graph: nx.MultiDiGraph[str] = nx.MultiDiGraph(name=cleaned(view.name), view=view.kind)
    if view.notice:
        graph.graph["incomplete"] = cleaned("; ".join(view.notice))
    for node in view.nodes:
        graph.add_node(cleaned(node.ref), **node_data(node))
    for edge in view.edges:
        graph.add_edge(cleaned(edge.source), cleaned(edge.target), **edge_data(edge))
    buffer = BytesIO()
    nx.write_graphml_xml(graph, buffer, prettyprint=True)
    return buffer.getvalue().decode("utf-8").replace(LINE_END, "&#10;") + "\n"


def cleaned(text: str) -> str:
    """Return a text with escapes for what XML forbids."""
    return xml_text(text).replace("\n", LINE_END)


def known(data: dict[str, object]) -> dict[str, object]:
    """Return the attributes that have a value."""
    return {
        key: cleaned(value) if isinstance(value, str) else value
        for key, value in data.items()
        if value is not None
    }


def node_data(node: ViewNode) -> dict[str, object]:
    """Return a node's attributes."""
    return known(
        {
            "label": node.ref,
            "type": node.type,
            "title": node.title,
            "file": node.file,
            "line": node.line,
            "role": node.role,
            "container": node.container,
            "in_cycle": node.in_cycle,
            "folded": node.folded or None,
        }
    )


def edge_data(edge: ViewEdge) -> dict[str, object]:
    """Return an edge's attributes."""
    origin = edge.origin
    return known(
        {
            "kind": edge.kind,
            "event": edge.event,
            "auto": edge.auto,
            "form": origin.form,
            "declared_by": origin.declarer or "",
            "position": origin.position,
            "rule": origin.rule,
            "file": origin.span.file if origin.span else None,
            "line": origin.span.line if origin.span and origin.span.line else None,
            "in_cycle": edge.in_cycle,
            "count": edge.count,
        }
    )
