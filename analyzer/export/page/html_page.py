"""Writes one self-contained HTML page with the graph, which works offline."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from importlib.resources import files

from analyzer.escape import safe, shown
from analyzer.export.graph.view import build_view
from analyzer.export.page.page_data import NO_CAUSES, Causes, page_data

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from analyzer.export.graph.view import GraphView
    from analyzer.graph.relationship_graph import RelationshipGraph

# The page's script consists of these, in this order and in one scope.
SCRIPTS = ("model.js", "canvas.js", "draw.js", "search.js", "panel.js", "page.js")

# JSON's escapes for characters that `safe` removes.
UNSAFE_IN_JSON = ("\\u", "\\b", "\\f", "\\r")

# A placeholder of the template.
SLOT = re.compile(r"\{\{(\w+)\}\}")


def render(graph: RelationshipGraph, view: GraphView, causes: Causes = NO_CAUSES) -> str:
    """Return the page for a view of a graph, with the nearest causes of values."""
    view = printable(view.drawn())
    before, after = frame(f"{view.name or 'catalog'} - catgraph")
    return f"{before}{embedded(page_data(graph, view, causes))}{after}"


def data_of(graph: RelationshipGraph) -> dict[str, object]:
    """Return the data of the page of a graph, for `frame` in another page."""
    return page_data(graph, printable(build_view(graph).drawn()))


def frame(title: str) -> tuple[str, str]:
    """Return the parts of a page before and after its data.

    The policy in its head admits only this script and this style sheet, by their hashes: no title
    can become code.
    """
    script, style = script_text(), template("page.css")
    slots = {
        "policy": policy((script,), (style,)),
        "title": escape_html(title),
        "style": style,
        "script": script,
        "data": "{{data}}",
    }
    text = SLOT.sub(lambda match: slots[match[1]], template("page.html"))
    before, _, after = text.partition("{{data}}")
    return before, after


def script_text() -> str:
    """Return the script of the page."""
    return '(() => {\n"use strict";\n' + "\n".join(map(template, SCRIPTS)) + "})();\n"


def policy(scripts: Iterable[str], styles: Iterable[str]) -> str:
    """Return a policy that admits these scripts and style sheets, and nothing else."""
    admitted = " ".join(f"'sha256-{digest(text)}'" for text in scripts)
    styled = " ".join(f"'sha256-{digest(text)}'" for text in styles)
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {admitted}",
            f"style-src {styled}",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def template(name: str) -> str:
    """Return a file of the page."""
    return files("analyzer.export.page").joinpath(name).read_text(encoding="utf-8")


def digest(text: str) -> str:
    """Return the hash that admits an inline script or style."""
    return b64encode(sha256(text.encode()).digest()).decode()


def escape_html(text: str) -> str:
    """Return text for the content of an element."""
    return shown(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def embedded(data: object) -> str:
    """Return JSON that is safe inside a script element."""
    text = written(data)
    # Most data is safe; checking the text takes far less time than checking each value.
    if not text.isprintable() or any(escape in text for escape in UNSAFE_IN_JSON):
        text = written(made_safe(data))
    for character in ("<", ">", "&"):
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def written(data: object) -> str:
    """Return data as JSON."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def made_safe(value: object) -> object:
    """Return data with escapes for unsafe text."""
    if isinstance(value, str):
        return safe(value)
    if isinstance(value, dict):
        return {made_safe(key): made_safe(item) for key, item in value.items()}
    return [made_safe(item) for item in value] if isinstance(value, list | tuple) else value


def printable(view: GraphView) -> GraphView:
    """Return the view with a printable name; a catalog may have none."""
    return view if view.name else replace(view, name="catalog")
