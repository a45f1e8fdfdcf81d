"""The last runs of every node: failures by first cause, changes in every run, and time.

The reports of PuppetDB have events, and seconds by type of resource, but none by resource: the
critical chain is an estimate (`chains`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from analyzer.fleet.fold import fold, place
from analyzer.fleet.questions.chains import SHARE, chain, ref_of, seconds_of
from analyzer.fleet.questions.statements import statement_at
from analyzer.fleet.sources.puppetdb_client import client_of
from analyzer.fleet.sources.puppetdb_config import Access
from analyzer.fleet.values import AnswerOfCatalog, CauseStatement, Occurrence
from analyzer.graph.relationship_graph import RelationshipGraph, relate
from analyzer.model.catalog import Catalog
from analyzer.source import Span

# Runs that are looked at, and how many of them a resource has to change in.
RUNS, FLAPPING = 10, 3
# Characters of a message.
LONG = 200


@dataclass(frozen=True, slots=True)
class Runs:
    """The question of `catgraph fleet runs`; it needs a PuppetDB, which has the reports."""

    by_content: ClassVar[bool] = False

    access: Access

    @property
    def key(self) -> str:
        """Return the name: answers are not reused, because runs come at any time."""
        return "runs"

    def answer(self, catalog: Catalog, name: str) -> AnswerOfCatalog:
        """Return the failures of the last run, what changes in every run, where its time went, and
        its critical chain.

        Raises:
            InputError: PuppetDB does not answer.
        """
        newest = ["order_by", [["producer_timestamp", "desc"]]]
        wanted = ["from", "reports", ["=", "certname", name], newest, ["limit", RUNS]]
        reports = client_of(self.access).query(wanted)
        if not reports:
            return AnswerOfCatalog((), ("there is no report of this node",))
        graph, last = relate(catalog), reports[0]
        events, metrics = rows_of(last, "resource_events"), rows_of(last, "metrics")
        found = [
            *failures(last, graph, name),
            *flapping(reports, catalog, name),
            *slowest(metrics),
            *chain(events, metrics, last.get("end_time"), graph, name),
        ]
        return AnswerOfCatalog(tuple(found))


def rows_of(report: dict[str, Any], part: str) -> list[dict[str, Any]]:
    """Return the rows of a part of a report, which PuppetDB may give as a list or a link."""
    value = report.get(part)
    rows = value.get("data") if isinstance(value, dict) else value
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def failures(
    report: dict[str, object], graph: RelationshipGraph, name: str
) -> Iterator[Occurrence]:
    """Yield the failures that no other failure comes before in the graph."""
    events = {
        ref_of(event): event
        for event in rows_of(report, "resource_events")
        if event.get("status") == "failure"
    }
    for ref, event in sorted(events.items()):
        if not blamed(ref, events.keys(), graph):
            words = one_line(event.get("message"), name)
            yield occurrence("failure", event, f"{place(0)} fails: {words}", graph.catalog, name)
    if report.get("status") == "failed" and not events:
        errors = [row for row in rows_of(report, "logs") if row.get("level") in ("err", "crit")]
        words = one_line(errors[0].get("message") if errors else "", name)
        made = CauseStatement("", 0, f"the run fails: {words}".rstrip(": "), (), "")
        yield Occurrence("failure", "error", (made,), ())


def blamed(ref: str, failed: Any, graph: RelationshipGraph) -> bool:
    """Return whether another resource that failed comes before one."""
    if graph.id_exactly(ref) is None:
        return False
    return any(str(before) in failed for before in graph.upstream(ref))


def flapping(
    reports: Sequence[dict[str, object]], catalog: Catalog, name: str
) -> Iterator[Occurrence]:
    """Yield the resources that changed in each of the runs."""
    if len(reports) < FLAPPING:
        return
    changed = [
        {ref_of(e): e for e in rows_of(one, "resource_events") if e.get("status") == "success"}
        for one in reports
    ]
    for ref in sorted(set.intersection(*map(set, changed))):
        phrase = f"{place(0)} changes in every run"
        yield occurrence("flapping", changed[0][ref], phrase, catalog, name)


def slowest(metrics: Sequence[dict[str, object]]) -> Iterator[Occurrence]:
    """Yield the types of resources, and the phases, that took a tenth of the time or more."""
    times = seconds_of(metrics)
    whole = sum(times.values())
    for kind, seconds in times.items():
        if seconds > 0 and seconds >= SHARE * whole:
            made = CauseStatement("", 0, f"time spent on {kind}", (), "")
            yield Occurrence("time", "note", (made,), (), seconds)


def occurrence(
    code: str, event: dict[str, object], phrase: str, catalog: Catalog, name: str
) -> Occurrence:
    """Return an event as a cause, at the place of its resource."""
    file, line = event.get("file"), event.get("line")
    span = Span(file, line) if isinstance(file, str) and isinstance(line, int) else None
    made = statement_at(catalog, span, phrase, (ref_of(event),), name)
    return Occurrence(code, "error" if code == "failure" else "warning", (made,), made.names)


def one_line(message: object, name: str) -> str:
    """Return a message, short, in a line and without the node's name."""
    return fold(" ".join(str(message or "").split())[:LONG], name)
