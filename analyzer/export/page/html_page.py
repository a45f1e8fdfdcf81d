"""Writes one self-contained HTML page with the graph, which works offline."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from importlib.resources import files

from analyzer.escape import safe, shown
from analyzer.export.page.page_data import page_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.export.graph.view import GraphView
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
    return files("analyzer.export.page").joinpath(name).read_text(encoding="utf-8")


def digest(text: str) -> str:
    """Return the hash that admits an inline script or style."""
    return b64encode(sha256(text.encode()).digest()).decode()


def escape_html(text: str) -> str:
    """Return text for the inside of an element."""
    return shown(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def embedded(data: object) -> str:
    """Return JSON that is safe inside of a script element."""
    text = json.dumps(made_safe(data), ensure_ascii=False, separators=(",", ":"))
    for character in ("<", ">", "&"):
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def made_safe(value: object) -> object:
    """Return data with escapes for unsafe text."""
    if isinstance(value, str):
        return safe(value)
    if isinstance(value, dict):
        return {made_safe(key): made_safe(item) for key, item in value.items()}
    return [made_safe(item) for item in value] if isinstance(value, list | tuple) else value


def printable(view: GraphView) -> GraphView:
    """Return the view under a name; a catalog may have none."""
    return view if view.name else replace(view, name="catalog")
