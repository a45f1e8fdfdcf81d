"""One self-contained HTML page to explore the graph in, from disk and without a network."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from importlib.resources import files

from analyzer.export.page_data import page_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.export.view import GraphView
    from analyzer.graph.relationship_graph import RelationshipGraph

# The page's script is one scope made of these, in this order.
SCRIPTS = ("model.js", "canvas.js", "draw.js", "search.js", "panel.js", "page.js")

# A placeholder of the template.
SLOT = re.compile(r"\{\{(\w+)\}\}")


def render(graph: RelationshipGraph, view: GraphView) -> str:
    """Return the page for a view of a graph.

    The policy in its head admits this one script and this one style sheet by their hashes, and
    nothing else: no title can become code.
    """
    view = printable(view.drawn())
    script = '(() => {\n"use strict";\n' + "\n".join(map(template, SCRIPTS)) + "})();\n"
    style = template("page.css")
    slots = {
        "policy": "; ".join(
            (
                "default-src 'none'",
                f"script-src 'sha256-{digest(script)}'",
                f"style-src 'sha256-{digest(style)}'",
                "base-uri 'none'",
                "form-action 'none'",
            )
        ),
        "title": escape_html(f"{view.name or 'catalog'} - catgraph"),
        "style": style,
        "script": script,
        "data": embedded(page_data(graph, view)),
    }
    return SLOT.sub(lambda match: slots[match[1]], template("page.html"))


def template(name: str) -> str:
    """Return a file of the page."""
    return files("analyzer.export").joinpath("page", name).read_text(encoding="utf-8")


def digest(text: str) -> str:
    """Return the hash that admits an inline script or style."""
    return b64encode(sha256(text.encode()).digest()).decode()


def escape_html(text: str) -> str:
    """Return text for the inside of an element."""
    clean = text.encode("utf-8", "replace").decode()
    return clean.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def embedded(data: object) -> str:
    """Return JSON that cannot end the script element it stands in, nor a line of JavaScript."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for character in ("<", ">", "&", "\u2028", "\u2029"):
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text.encode("utf-8", "replace").decode()


def printable(view: GraphView) -> GraphView:
    """Return the view under a name; a catalog may have none."""
    return view if view.name else replace(view, name="catalog")
