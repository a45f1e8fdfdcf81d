"""The critical chain of a run, from what PuppetDB keeps of its times: an estimate.

PuppetDB has the moments of events and the seconds of each type, but none of a resource. The event
of a change is made before the change, that of a refresh after it (transaction/resource_harness.rb
and event_manager.rb): between two events, the time goes to one of them, and a resource takes no
more than its type took. The rest of a type's seconds is spread over its resources.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from analyzer.apply.report.chain import ChainLink, timing
from analyzer.apply.report.run import ReportedRun, ResourceTurn, moment
from analyzer.apply.report.values import REFRESH
from analyzer.fleet.fold import fold, place
from analyzer.fleet.questions.statements import statement_at
from analyzer.fleet.values import CauseStatement, Occurrence
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.documents import JsonObject
from analyzer.model.names import split_ref

# Metrics of time that are sums of others, and those that are no types of resources.
SUMS = ("total", "startup_time", "catalog_application", "transaction_evaluation")
NO_TYPES = (*SUMS, "config_retrieval", "convert_catalog", "fact_generation", "node_retrieval",
            "plugin_sync")  # fmt: skip

# The part of the whole that a resource of a chain takes at least, to be shown.
SHARE = 0.1

Row = JsonObject


def seconds_of(metrics: Sequence[Row]) -> dict[str, float]:
    """Return the seconds of a run by type, in lower case, and by phase."""
    return {
        str(row.get("name")): float(row["value"])
        for row in metrics
        if row.get("category") == "time"
        and isinstance(row.get("value"), (int, float))
        and row.get("name") not in SUMS
    }


def chain(
    events: Sequence[Row], metrics: Sequence[Row], end: object, graph: RelationshipGraph, name: str
) -> Iterator[Occurrence]:
    """Yield the critical chain of a run: the resources that take most of it, in their order."""
    if graph.has_cycle:
        return
    seconds = estimated(events, seconds_of(metrics), end, graph)
    run = ReportedRun(
        name, "", tuple(ResourceTurn(ref, seconds=found) for ref, found in seconds.items())
    )
    found = timing(graph, run)
    links = [link for link in found.chain if link.seconds >= SHARE * found.bound]
    if links:
        made = tuple(steps(links, graph, name))
        path = tuple(fold(link.ref, name) for link in links)
        yield Occurrence("chain", "note", made, path, round(found.bound, 3))


def steps(
    links: Sequence[ChainLink], graph: RelationshipGraph, name: str
) -> Iterator[CauseStatement]:
    """Yield a statement for each resource of a chain."""
    phrase = f"critical chain (estimated): {place(0)}"
    for link in links:
        span = graph.resources[graph.locate(link.ref)].span
        yield statement_at(graph.catalog, span, phrase, (link.ref,), name)
        phrase = f"then {place(0)}"


def estimated(
    events: Sequence[Row], types: Mapping[str, float], end: object, graph: RelationshipGraph
) -> dict[str, float]:
    """Return the seconds of each resource of the graph, as far as they can be estimated."""
    left = {kind: found for kind, found in types.items() if kind not in NO_TYPES}
    seconds = dict(by_events(events, left, end))
    by_kind: dict[str, list[str]] = {}
    for i in range(graph.vertices):
        if not graph.is_container(i):
            ref = str(graph.resources[i])
            by_kind.setdefault(kind_of(ref), []).append(ref)
    for kind, rest in left.items():
        refs = by_kind.get(kind, ())
        for ref in refs if rest > 0 else ():
            seconds[ref] = seconds.get(ref, 0.0) + rest / len(refs)
    return seconds


def by_events(
    events: Sequence[Row], left: dict[str, float], end: object
) -> Iterator[tuple[str, float]]:
    """Yield the seconds of resources with events, and take those of changes from their types'."""
    marks = [(when, one) for one in events if (when := moment_of(one.get("timestamp"))) is not None]
    marks.sort(key=lambda mark: mark[0])
    last = moment_of(end)
    found: dict[str, float] = {}
    ends: list[tuple[float, Row]] = [(last, {})] if last is not None else []
    for (start, one), (until, after) in pairwise([*marks, *ends]):
        gap = max(until - start, 0.0)
        ref, kind = ref_of(one), kind_of(ref_of(one))
        if not is_refresh(one):
            spent = min(gap, left.get(kind, 0.0))
            left[kind] = left.get(kind, 0.0) - spent
            found[ref] = found.get(ref, 0.0) + spent
            gap -= spent
        if is_refresh(after):
            found[ref_of(after)] = found.get(ref_of(after), 0.0) + gap
    yield from found.items()


def ref_of(event: Row) -> str:
    """Return the resource of an event."""
    return f"{event.get('resource_type')}[{event.get('resource_title')}]"


def kind_of(ref: str) -> str:
    """Return the type of a resource as metrics name it."""
    return (split_ref(ref) or (ref,))[0].lower()


def is_refresh(event: Row) -> bool:
    """Return whether an event is that of a refresh."""
    return event.get("name") == REFRESH


def moment_of(time: object) -> float | None:
    """Return a time in seconds, if it is one."""
    return moment(time) if isinstance(time, str) else None
