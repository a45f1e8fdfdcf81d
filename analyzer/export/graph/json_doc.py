"""The graph as one JSON document with one node or edge on each line, for scripts and `diff`."""

from __future__ import annotations

import json

from analyzer.model.documents import JsonObject

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.export.graph.view import GraphView, ViewEdge, ViewNode


def render(view: GraphView) -> str:
    """Return `{"nodes": [...], "edges": [...]}`, with `incomplete` if there are gaps.

    Nodes have ref, type, title, file and line; edges source, target, kind, event, auto and origin
    (form, declared_by, position, rule, file, line). If resources were folded, nodes also have
    `folded` and edges `count`.
    """
    folded = any(node.folded for node in view.nodes)
    nodes = [dump(node_row(node, folded)) for node in view.nodes]
    edges = [dump(edge_row(edge, folded)) for edge in view.edges]
    text = f'{{"nodes": {listed(nodes)},\n"edges": {listed(edges)}'
    if view.gaps:
        from analyzer.export.values import gap_row

        text += f',\n"incomplete": {listed([dump(gap_row(gap)) for gap in view.gaps])}'
    return text + "}\n"


def listed(rows: list[str]) -> str:
    """Return a JSON list with each row on its own line."""
    return "[\n  " + ",\n  ".join(rows) + "\n]" if rows else "[]"


def dump(row: dict[str, object]) -> str:
    """Return one row; escape invalid Unicode."""
    text = json.dumps(row, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(row)
    return text


def node_row(node: ViewNode, folded: bool) -> JsonObject:
    """Return a node as JSON."""
    row = {
        "ref": node.ref,
        "type": node.type,
        "title": node.title,
        "file": node.file,
        "line": node.line,
    }
    return {**row, "folded": node.folded} if folded else row


def edge_row(edge: ViewEdge, folded: bool) -> dict[str, object]:
    """Return an edge as JSON."""
    origin = edge.origin
    row = {
        "source": edge.source,
        "target": edge.target,
        "kind": edge.kind,
        "event": edge.event,
        "auto": edge.auto,
        "origin": {
            "form": origin.form,
            "declared_by": origin.declarer,
            "position": origin.position,
            "rule": origin.rule,
            "file": origin.span.file if origin.span else None,
            "line": (origin.span.line or None) if origin.span else None,
        },
    }
    return {**row, "count": edge.count} if folded else row
