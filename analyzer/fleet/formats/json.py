"""The answer as JSON."""

from __future__ import annotations

from analyzer.export.encode import json_text
from analyzer.fleet.causes import ClusteredCause, by_node, text_of
from analyzer.fleet.report import FleetReport


def render(report: FleetReport) -> str:
    """Return the number of nodes, the causes, and what failed."""
    document: dict[str, object] = {
        "nodes": report.total,
        "causes": [cause_row(cause, report.question) for cause in report.causes],
        "failed": [
            {"node": one.node, "reason": one.reason, "incomplete": one.incomplete}
            for one in by_node(report.failed)
        ],
    }
    return json_text(document)


def cause_row(cause: ClusteredCause, question: str) -> dict[str, object]:
    """Return a cause; that of a question with several rules names its own."""
    row: dict[str, object] = {
        "statements": [
            {"file": one.file, "line": one.line, "text": text_of(one)} for one in cause.statements
        ],
        "nodes": list(cause.nodes),
        "example": {"node": cause.example, "path": list(cause.path)},
    }
    if question == "cycles":
        return row
    if question == "runs":
        row["seconds"] = round(cause.seconds, 3)
    if question == "diff":
        row["lines"] = [{"place": place, "text": text} for place, text in cause.lines]
        row["from"] = [{"place": place, "text": text} for place, text in cause.places]
    return {"code": cause.code, "severity": cause.severity, **row}
