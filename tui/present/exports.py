"""The files that you can export: the graph around the selection, a cycle, the log, the outcomes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from tui.present.log import LogLines
from tui.present.pieces import plain
from tui.present.policy_report import of_agent
from tui.present.report_page import page
from tui.run.agent_timeline import AgentTimeline

if TYPE_CHECKING:
    from analyzer.export.graph.view import GraphView
    from tui.run.controller import Controller

# How many edges the picture reaches in each direction from the selection.
DEPTH = 2


class ExportError(Exception):
    """A file cannot be written; the message has the reason."""


def focused(controller: Controller) -> GraphView:
    """Return the neighbourhood of the selection."""
    from analyzer.export.graph.transform import focus, reduce
    from analyzer.export.graph.view import build_view

    graph = controller.timeline.graph.graph
    view = build_view(graph, "relationships")
    if controller.selection is None:
        return reduce(view)
    try:
        return reduce(focus(graph, view, str(controller.selection), DEPTH))
    except KeyError as error:
        raise ExportError(str(error.args[0])) from None


def svg(controller: Controller) -> bytes:
    """Return a drawing of the neighbourhood, made by Graphviz."""
    from analyzer.export.graph import dot
    from analyzer.export.graph.svg import NoGraphvizError, render

    try:
        return render(dot.render(focused(controller)), "svg")
    except NoGraphvizError as error:
        raise ExportError(f"{error}; .html needs no Graphviz") from None


def html(controller: Controller) -> bytes:
    """Return a page of the neighbourhood that needs no network."""
    from analyzer.export.page.html_page import render

    return render(controller.timeline.graph.graph, focused(controller)).encode()


def drawn_as_dot(controller: Controller) -> bytes:
    """Return the neighbourhood in Graphviz's format."""
    from analyzer.export.graph import dot

    return dot.render(focused(controller)).encode()


def mermaid(controller: Controller) -> bytes:
    """Return the neighbourhood in Mermaid's format."""
    from analyzer.export.graph import mermaid as writer

    return writer.render(focused(controller)).encode()


def cycles_markdown(controller: Controller, number: int = 1) -> str:
    """Return one cycle in Markdown, or the selection if there is no cycle."""
    from analyzer.export.reports.cycles_markdown import cycle_section

    cycles = controller.cycles()
    if cycles:
        number = max(1, min(number, len(cycles)))
        rows = cycle_section(cycles[number - 1], number, len(cycles))
        return "\n".join(rows).strip() + "\n"
    return selection_markdown(controller)


def selection_markdown(controller: Controller) -> str:
    """Return the selection with its relationships in Markdown."""
    from analyzer.export.reports.cycles_markdown import code

    node = controller.selected_node
    if node is None:
        raise ExportError("there is no cycle and no selection")
    rows = [f"### {code(str(controller.selection))}", ""]
    around = controller.edges
    for title, after in (("depends on", False), ("dependents", True)):
        near = around.near(node, after=after) if node < around.graph.vertices else ()
        rows += [f"{title}:", ""]
        rows += [
            f"- {code(str(around.graph.provenance.refs[link.vertex]))} {one.origin}"
            for link in near
            for one in around.relationships(link)
        ]
        rows.append("")
    return "\n".join(rows)


def markdown(controller: Controller) -> bytes:
    """Return the first cycle, or the selection."""
    return cycles_markdown(controller).encode()


def log(controller: Controller) -> bytes:
    """Return the log up to the current step, in Puppet's or CFEngine's words."""
    if isinstance(controller.timeline, AgentTimeline):
        lines = LogLines(controller.story, controller.story.ends[controller.timeline.position])
        return in_lines(plain(row) for row in lines)
    return in_lines(one.console() for one in controller.timeline.log(debug=True))


def in_lines(rows: Iterable[str]) -> bytes:
    """Return lines as the bytes of a file."""
    return "".join(f"{row.rstrip()}\n" for row in rows).encode("utf-8", "surrogatepass")


def outcome(controller: Controller) -> bytes:
    """Return the outcomes of the resources, as `catgraph diff` reads them."""
    from analyzer.export.runs.result import as_json

    return as_json(controller.timeline).encode("utf-8", "surrogatepass")


def text(controller: Controller) -> bytes:
    """Return the outcomes of the resources as text."""
    from analyzer.export.runs.result import as_text

    if isinstance(controller.timeline, AgentTimeline):
        return in_lines(plain(row) for row in page(of_agent(controller.timeline)))
    found = as_text(controller.timeline, lambda _, word: word, everything=True)
    return (found + "\n").encode("utf-8", "surrogatepass")


# By the extension of a file: its contents, and the function that writes them.
FORMATS: dict[str, tuple[str, Callable[[Controller], bytes]]] = {
    "html": ("graph around the selection, for a browser", html),
    "svg": ("graph around the selection, drawn by Graphviz", svg),
    "dot": ("graph around the selection, for Graphviz", drawn_as_dot),
    "mmd": ("graph around the selection, for Mermaid", mermaid),
    "md": ("first cycle, or else the selection, in Markdown", markdown),
    "log": ("log up to this step, as Puppet prints it", log),
    "json": ("outcome of each resource, for 'catgraph diff'", outcome),
    "txt": ("outcome of each resource, as text", text),
}


def export(controller: Controller, path: str) -> None:
    """Write a file; its extension chooses the format.

    Raises:
        ExportError: the file cannot be written.
    """
    ending = os.path.splitext(path)[1].removeprefix(".")
    if ending not in FORMATS:
        known = ", ".join(FORMATS)
        raise ExportError(f"unknown extension '{ending}': use one of {known}")
    data = FORMATS[ending][1](controller)
    target = os.path.expanduser(path)
    try:
        with open(target, "wb") as file:
            file.write(data)
    except OSError as error:
        raise ExportError(f"{path}: {error.strerror or error}") from None
