"""The graph in Graphviz' DOT language, written by pydot."""

from __future__ import annotations

from textwrap import wrap

import pydot

from analyzer.escape import safe
from analyzer.model.documents import JsonObject

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.export.graph.view import GraphView, ViewEdge, ViewNode

GRAPH_STYLE = {
    "rankdir": "TB",
    "nodesep": "0.25",
    "ranksep": "0.45",
    "fontname": '"Helvetica"',
    "fontsize": "11",
    "compound": "true",
}

NODE_STYLE = {
    "shape": "box",
    "style": '"rounded,filled"',
    "fillcolor": '"#ffffff"',
    "color": '"#5b6b82"',
    "fontname": '"Helvetica"',
    "fontsize": "10",
    "margin": '"0.12,0.05"',
    "height": "0.3",
}

EDGE_STYLE = {"color": '"#4a5a70"', "arrowsize": "0.7", "fontname": '"Helvetica"', "fontsize": "9"}

ROLES: dict[str, dict[str, str]] = {
    "resource": {},
    "container": {"shape": "component", "fillcolor": '"#eef2f7"', "style": '"filled"'},
    "admitted": {"shape": "trapezium", "fillcolor": '"#eef2f7"', "style": '"filled"'},
    "completed": {"shape": "invtrapezium", "fillcolor": '"#eef2f7"', "style": '"filled"'},
}

KINDS: dict[str, dict[str, str]] = {
    "before": {},
    "notify": {"color": '"#b26a00"', "arrowhead": "normalnormal", "penwidth": "1.4"},
    "contains": {"color": '"#9aa7b8"', "arrowhead": "odot"},
}

# The deepest nesting of clusters, which pydot writes recursively; the last one has all the rest.
MOST_NESTED = 100

# The most characters in a line of the notice of what is missing.
WIDEST = 100

RED = '"#c62828"'


def render(view: GraphView) -> str:
    """Return the drawing: notify edges are amber with two heads, automatic ones dashed, cycles red.

    Containers are drawn as nested clusters. The container's own node is inside its cluster; edges
    to the whole container end there.
    """
    view = view.drawn()
    graph = pydot.Dot(quoted(view.name or "catalog"), graph_type="digraph", **GRAPH_STYLE)
    if view.notice:
        lines = [part for line in view.notice for part in wrap(line, WIDEST)]
        graph.set("label", quoted("\n".join(lines)))
        graph.set("labelloc", "t")
        graph.set("fontcolor", RED)
    graph.set_node_defaults(**NODE_STYLE)
    graph.set_edge_defaults(**EDGE_STYLE)
    if view.kind == "relationships":
        add_clustered(graph, view)
    else:
        for node in view.nodes:
            graph.add_node(drawn_node(node))
    for edge in view.edges:
        graph.add_edge(drawn_edge(edge))
    return str(graph.to_string())


def add_clustered(graph: pydot.Dot, view: GraphView) -> None:
    """Add the nodes, contents in a cluster with their container.

    Stages and the class of the whole manifest are drawn as nodes only: they contain nearly
    everything.
    """
    members: dict[str | None, list[ViewNode]] = {}
    nodes = view.by_ref()
    for node in view.nodes:
        holder = node.container
        while holder is not None and is_outermost(nodes[holder]):
            holder = nodes[holder].container
        members.setdefault(holder, []).append(node)
    todo: list[tuple[str | None, pydot.Graph, int]] = [(None, graph, 0)]
    number = 0
    while todo:
        holder, parent, depth = todo.pop()
        for node in members.get(holder, ()):
            if node.ref in members:
                number += 1
                inner = parent
                if depth < MOST_NESTED:
                    inner = pydot.Subgraph(f"cluster_{number}", **cluster_style(node))
                    parent.add_subgraph(inner)
                inner.add_node(drawn_node(node))
                todo.append((node.ref, inner, depth + 1))
            else:
                parent.add_node(drawn_node(node))


def is_outermost(node: ViewNode) -> bool:
    """Return whether a container holds everything, so that a box around it is useless."""
    return node.type == "Stage" or node.ref == "Class[Main]"


def cluster_style(node: ViewNode) -> JsonObject:
    """Return the style of a container's box."""
    line = RED if node.in_cycle else '"#c3ccd8"'
    return {"label": '""', "style": '"rounded"', "color": line, "margin": "10"}


def drawn_node(node: ViewNode) -> pydot.Node:
    """Return a node, with its place in the code as the tooltip."""
    style: JsonObject = dict(ROLES[node.role])
    text = f"{node.ref}\n{node.folded} resources" if node.folded else node.ref
    style["label"] = quoted(text)
    if node.file:
        style["tooltip"] = quoted(f"{node.file}:{node.line}" if node.line else node.file)
    if node.in_cycle:
        style.update(color=RED, fontcolor=RED, penwidth="1.6")
    return pydot.Node(quoted(node.ref), **style)


def drawn_edge(edge: ViewEdge) -> pydot.Edge:
    """Return an edge, with its origin as the tooltip."""
    style: JsonObject = dict(KINDS[edge.kind])
    if edge.auto:
        style["style"] = "dashed"
    if edge.count > 1:
        style["label"] = f'" {edge.count}"'
    if edge.in_cycle:
        style.update(color=RED, penwidth="2")
    style["tooltip"] = quoted(str(edge.origin))
    return pydot.Edge(quoted(edge.source), quoted(edge.target), **style)


def quoted(text: str) -> str:
    r"""Return a string of DOT, never HTML; backslashes are doubled, as labels expand `\N` and `\G`.

    Unsafe characters and invalid Unicode are escaped.
    """
    escaped = safe(text).replace("\\", "\\\\").replace('"', '\\"')
    return '"' + escaped.replace("\t", "\\\\t").replace("\n", "\\n") + '"'
