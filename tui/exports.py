"""What can be taken along from the screens: a picture of a neighbourhood, a cycle as Markdown."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analyzer.export.view import GraphView
    from analyzer.graph.relationship_graph import RelationshipGraph
    from tui.present.cycle_walk import Walk

# What a picture can be, by the end of its file's name.
FORMS = {".svg": "svg", ".html": "html", ".htm": "html", ".dot": "dot", ".mmd": "mermaid"}


class ExportError(Exception):
    """The picture cannot be made; the message says why."""


def default_name(ref: str) -> str:
    """Return a name for the picture of a resource's neighbourhood."""
    letters = "".join(c if c.isalnum() else "-" for c in ref)
    return "-".join(part for part in letters.split("-") if part)[:60] + ".svg"


def write_picture(graph: RelationshipGraph, ref: str, depth: int, path: str) -> str:
    """Write the neighbourhood of a resource; return what was written, in words.

    Raises:
        ExportError: the form is not known, a program is missing, or the file cannot be written.
    """
    from analyzer.export.svg import NoGraphvizError
    from analyzer.export.transform import focus, reduce
    from analyzer.export.view import build_view

    form = FORMS.get(os.path.splitext(path)[1].lower())
    if form is None:
        raise ExportError(f"{path}: a picture's name ends in {', '.join(FORMS)}")
    view = focus(graph, build_view(graph), ref, depth)
    if form != "html":
        view = reduce(view)
    try:
        data = rendered(graph, view, form)
        with open(path, "wb") as file:
            file.write(data)
    except NoGraphvizError as error:
        raise ExportError(str(error)) from None
    except OSError as error:
        raise ExportError(f"{path}: cannot be written: {error.strerror}") from None
    return f"{path}: {len(view.nodes):,} resources around {ref}"


def rendered(graph: RelationshipGraph, view: GraphView, form: str) -> bytes:
    """Return a picture in one of FORMS.

    Raises:
        NoGraphvizError: the program that draws it is missing.
    """
    from analyzer.export import dot, html_page, mermaid, svg

    if form == "svg":
        return svg.render(dot.render(view), "svg")
    if form == "html":
        return html_page.render(graph, view).encode("utf-8", "replace")
    text = dot.render(view) if form == "dot" else mermaid.render(view)
    return text.encode("utf-8", "replace")


def cycle_markdown(walk: Walk) -> str:
    """Return a cycle as Markdown, to be pasted into an issue."""
    from analyzer.export.encode import printable
    from analyzer.export.markdown import cycle_section

    return printable("\n".join(cycle_section(walk.cycle, walk.number, walk.total)).strip() + "\n")
