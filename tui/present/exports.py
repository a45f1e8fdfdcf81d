"""What can be taken along: a picture of the focus, a cycle in markdown, the log, the outcome."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from tui.present.pieces import plain
from tui.present.policy_report import of_agent
from tui.present.report_page import page
from tui.run.agent_timeline import AgentTimeline
from tui.run.story import LogLines

if TYPE_CHECKING:
    from analyzer.export.graph.view import GraphView
    from tui.run.controller import Controller

# Edges that the picture of the focus reaches each way.
DEPTH = 2


class ExportError(Exception):
    """It cannot be written; the message says why."""


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
    """Return a drawing of the focus; Graphviz makes it."""
    from analyzer.export.graph import dot
    from analyzer.export.graph.svg import NoGraphvizError, render

    try:
        return render(dot.render(focused(controller)), "svg")
    except NoGraphvizError as error:
        raise ExportError(f"{error}; html needs nothing") from None


def html(controller: Controller) -> bytes:
    """Return a page of the focus that needs no network."""
    from analyzer.export.page.html_page import render

    return render(controller.timeline.graph.graph, focused(controller)).encode()


def drawn_as_dot(controller: Controller) -> bytes:
    """Return the focus as Graphviz reads it."""
    from analyzer.export.graph import dot

    return dot.render(focused(controller)).encode()


def mermaid(controller: Controller) -> bytes:
    """Return the focus as Mermaid reads it."""
    from analyzer.export.graph import mermaid as writer

    return writer.render(focused(controller)).encode()


def cycles_markdown(controller: Controller, number: int = 1) -> str:
    """Return one cycle in markdown; without any, what is known of the selection."""
    from analyzer.export.reports.cycles_markdown import cycle_section

    cycles = controller.cycles()
    if cycles:
        number = max(1, min(number, len(cycles)))
        rows = cycle_section(cycles[number - 1], number, len(cycles))
        return "\n".join(rows).strip() + "\n"
    return selection_markdown(controller)


def selection_markdown(controller: Controller) -> str:
    """Return the selection with its relationships in markdown."""
    from analyzer.export.reports.cycles_markdown import code

    node = controller.selected_node
    if node is None:
        raise ExportError("there is no cycle, and nothing is selected")
    rows = [f"### {code(str(controller.selection))}", ""]
    for title, edges, end in (
        ("before it", controller.edges.before(node), "source"),
        ("after it", controller.edges.after(node), "target"),
    ):
        rows += (
            [f"{title}:", ""]
            + [f"- {code(str(getattr(one, end)))} {one.origin}" for one in edges]
            + [""]
        )
    return "\n".join(rows)


def markdown(controller: Controller) -> bytes:
    """Return the first cycle, or the selection."""
    return cycles_markdown(controller).encode()


def log(controller: Controller) -> bytes:
    """Return the log up to the cursor, as Puppet or CFEngine words it."""
    if isinstance(controller.timeline, AgentTimeline):
        told = LogLines(controller.story, controller.story.ends[controller.timeline.position])
        return in_lines(plain(row) for row in told)
    return in_lines(one.console() for one in controller.timeline.log(debug=True))


def in_lines(rows: Iterable[str]) -> bytes:
    """Return lines as a file has them."""
    return "".join(f"{row.rstrip()}\n" for row in rows).encode("utf-8", "surrogatepass")


def outcome(controller: Controller) -> bytes:
    """Return what became of the resources, as `catgraph diff` reads it."""
    from analyzer.export.runs.result import as_json

    return as_json(controller.timeline).encode("utf-8", "surrogatepass")


def text(controller: Controller) -> bytes:
    """Return what became of the resources, for people."""
    from analyzer.export.runs.result import as_text

    if isinstance(controller.timeline, AgentTimeline):
        return in_lines(plain(row) for row in page(of_agent(controller.timeline)))
    found = as_text(controller.timeline, lambda _, word: word, everything=True)
    return (found + "\n").encode("utf-8", "surrogatepass")


# The ending of a file: what is written, and what writes it.
FORMATS: dict[str, tuple[str, Callable[[Controller], bytes]]] = {
    "html": ("picture of the focus, a page for any browser", html),
    "svg": ("picture of the focus, drawn by Graphviz", svg),
    "dot": ("the focus for Graphviz", drawn_as_dot),
    "mmd": ("the focus for Mermaid", mermaid),
    "md": ("the first cycle in markdown; without one, the selection", markdown),
    "log": ("the log up to here, as Puppet prints it", log),
    "json": ("what became of each resource, for 'catgraph diff'", outcome),
    "txt": ("what became of each resource, to read", text),
}


def export(controller: Controller, path: str) -> None:
    """Write a file; its ending says what.

    Raises:
        ExportError: it cannot be written; the message says why.
    """
    ending = os.path.splitext(path)[1].removeprefix(".")
    if ending not in FORMATS:
        known = ", ".join(FORMATS)
        raise ExportError(f"the ending of the file says what to write: {known}, not '{ending}'")
    data = FORMATS[ending][1](controller)
    target = os.path.expanduser(path)
    try:
        with open(target, "wb") as file:
            file.write(data)
    except OSError as error:
        raise ExportError(f"{path}: {error.strerror or error}") from None
