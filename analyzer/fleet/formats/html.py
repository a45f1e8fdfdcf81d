"""The answer as one page that works offline: causes, nodes, and graphs of nodes."""

from __future__ import annotations

from base64 import b64encode
from importlib.resources import files
from zlib import compress

from analyzer.export.page.html_page import (
    SLOT,
    embedded,
    escape_html,
    frame,
    policy,
    script_text,
)
from analyzer.export.page.html_page import template as graph_template
from analyzer.fleet.causes import ClusteredCause, by_node, text_of
from analyzer.fleet.formats.text import place_of
from analyzer.fleet.report import TITLES, FleetReport

ADVICE = "This page has no graph of this node: its catalog cannot be read, or --graphs is lower."


def render(report: FleetReport) -> str:
    """Return the page; each graph is one of the graph page, packed, in a frame of its own."""
    script, style = template("fleet.js"), template("fleet.css")
    scripts, styles = (script, script_text()), (style, graph_template("page.css"))
    title = f"catgraph fleet {report.question}"
    slots = {
        "policy": policy(scripts, styles),
        "title": escape_html(title),
        "style": style,
        "script": script,
        "data": embedded(page_data(report, title)),
    }
    return SLOT.sub(lambda match: slots[match[1]], template("fleet.html"))


def template(name: str) -> str:
    """Return a file of the page."""
    return files("analyzer.fleet.formats.page").joinpath(name).read_text(encoding="utf-8")


def page_data(report: FleetReport, title: str) -> dict[str, object]:
    """Return the data: causes with the numbers of their nodes, and each different graph once."""
    known = {node for cause in report.causes for node in cause.nodes}
    failed = {one.node: one.reason for one in by_node(report.failed)}
    known |= failed.keys()
    nodes = sorted(known | set(report.nodes))
    number = {node: n for n, node in enumerate(nodes)}
    packed: dict[str, int] = {}
    graph_of = {number[node]: packed.setdefault(data, len(packed))
                for node, data in report.graphs.items() if node in number}  # fmt: skip
    return {
        "name": title,
        "summary": f"{report.summary} ({report.source})",
        "nodes": nodes,
        "causes": [cause_row(cause, number) for cause in report.causes],
        "failed": {number[node]: reason for node, reason in failed.items()},
        "graph_of": graph_of,
        "graphs": [b64encode(compress(data.encode(), 9)).decode() for data in packed],
        "frame": frame("catgraph"),
        "advice": ADVICE,
    }


def cause_row(cause: ClusteredCause, number: dict[str, int]) -> dict[str, object]:
    """Return a cause."""
    return {
        "code": cause.code,
        "severity": cause.severity,
        "title": title_of(cause),
        "statements": [
            [place_of(one).removesuffix(": "), text_of(one)] for one in cause.statements
        ],
        "path": cause.path,
        "example": cause.example,
        "nodes": [number[node] for node in cause.nodes],
    }


def title_of(cause: ClusteredCause) -> str:
    """Return the title of a cause, with the place of its first statement."""
    first = cause.statements[0]
    text = f"{place_of(first)}{text_of(first)}"
    kind = TITLES.get(cause.code)
    return f"{kind}: {text}" if kind else text
