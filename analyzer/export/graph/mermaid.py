"""The graph as a Mermaid flowchart, for Markdown pages and merge requests."""

from __future__ import annotations

import re
from json import dumps

from analyzer.escape import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.export.graph.view import GraphView, ViewEdge, ViewNode

# Mermaid has its own entities; all its markup, and HTML's, is replaced by them.
SPECIAL = re.compile(r"[^\w /.:,=@()+*\[\]'~!?$-]")

SHAPES = {
    "resource": '["{}"]',
    "container": '[["{}"]]',
    "admitted": '[/"{}"\\]',
    "completed": '[\\"{}"/]',
}

ARROWS = {
    ("before", False): "-->",
    ("notify", False): "==>",
    ("contains", False): "---",
    ("before", True): "-.->",
    ("notify", True): "-. notifies .->",
}

STYLES = (
    "classDef container fill:#eef2f7,stroke:#5b6b82,color:#1c2733",
    "classDef cycle fill:#fdecea,stroke:#c62828,color:#7f1d1d",
)


def render(view: GraphView) -> str:
    """Return the chart: `==>` notifies, dashed is automatic, a plain line is containment."""
    view = view.drawn()
    ids = {node.ref: f"n{i}" for i, node in enumerate(view.nodes)}
    title = f"title: {dumps('; '.join(view.notice), ensure_ascii=False)}"
    head = ["---", title, "---"] if view.notice else []
    lines = [*head, "flowchart TD", *(f"  {style}" for style in STYLES)]
    lines += [f"  {ids[node.ref]}{shape(node)}" for node in view.nodes]
    lines += [f"  {ids[e.source]} {arrow(view, e)} {ids[e.target]}" for e in view.edges]
    cyclic = [str(i) for i, edge in enumerate(view.edges) if edge.in_cycle]
    if cyclic:
        lines.append(f"  linkStyle {','.join(cyclic)} stroke:#c62828,stroke-width:3px")
    return "\n".join(lines) + "\n"


def shape(node: ViewNode) -> str:
    """Return a node's shape, label and class."""
    text = f"{node.ref} +{node.folded}" if node.folded else node.ref
    style = ":::cycle" if node.in_cycle else ""
    if not style and node.role != "resource":
        style = ":::container"
    return SHAPES[node.role].format(escaped(text)) + style


def arrow(view: GraphView, edge: ViewEdge) -> str:
    """Return an edge's arrow, for merged edges with their number."""
    if view.kind == "expanded" and edge.kind == "contains":
        return "-->"
    line = ARROWS[edge.kind, edge.auto is not None]
    return f"{line}|{edge.count}|" if edge.count > 1 and "notifies" not in line else line


def escaped(text: str) -> str:
    """Return a label with all markup escaped."""
    return SPECIAL.sub(entity, shown(text))


def entity(match: re.Match[str]) -> str:
    """Return a character as Mermaid's entity."""
    return f"#{ord(match.group())};"
