"""The answer as OpenMetrics text, for monitoring."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.fleet.report import FleetReport, headline


def render(report: FleetReport) -> str:
    """Return gauges: nodes by state, and the nodes of each cause."""
    return "\n".join([*lines(report), "# EOF", ""])


def lines(report: FleetReport) -> Iterator[str]:
    """Yield the lines of the metrics."""
    of = f'question="{label(report.question)}",source="{label(report.source)}"'
    failed, partial = report.counts
    states = {
        "total": report.total,
        "affected": report.affected,
        "failed": failed,
        "incomplete": partial,
        "not_seen": report.total - report.seen,
    }
    yield "# TYPE catgraph_fleet_nodes gauge"
    yield "# HELP catgraph_fleet_nodes Nodes by state."
    for state, count in states.items():
        yield f'catgraph_fleet_nodes{{{of},state="{state}"}} {count}'
    yield "# TYPE catgraph_fleet_cause_nodes gauge"
    yield "# HELP catgraph_fleet_cause_nodes Nodes that have a cause."
    for cause in report.causes:
        first = cause.statements[0] if cause.statements else None
        place = f"{first.relative}:{first.line}" if first and first.line else ""
        yield (
            f'catgraph_fleet_cause_nodes{{{of},cause="{cause.identity}",code="{cause.code}",'
            f'severity="{cause.severity}",place="{label(place)}",title="{label(headline(cause))}"'
            f"}} {len(cause.nodes)}"
        )


def label(text: str) -> str:
    """Return the value of a label, escaped as OpenMetrics wants."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
