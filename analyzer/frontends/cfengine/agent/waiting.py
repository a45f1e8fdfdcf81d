"""Promises that wait for each other by `depends_on`: they are never kept, and close a cycle."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.frontends.cfengine.agent.catalog import Builder
from analyzer.frontends.cfengine.agent.events import Event
from analyzer.frontends.cfengine.policy.evaluator import scalars
from analyzer.model.catalog import Catalog
from analyzer.model.relationship import DEPENDS_ON


def waiting(events: Sequence[Event]) -> list[Event]:
    """Return the last look at each promise that was skipped for want of a handle to the end."""
    last = {event.promise.span: event for event in events}
    begun = {event.promise.span for event in events if event.begun}
    return [e for span, e in last.items() if e.reason == DEPENDS_ON and span not in begun]


def with_waiting(events: list[Event], path: str) -> Catalog:
    """Return a run as a catalog, with the promises that wait for a handle and their edges."""
    builder = Builder()
    catalog = builder.build(events)
    found = waiting(events)
    relate(builder, [(e, builder.add_node(e, builder.call_of(e, events))) for e in found])
    builder.describe(catalog)
    catalog.path = catalog.name = path
    return catalog


def relate(builder: Builder, found: Sequence[tuple[Event, str]]) -> None:
    """Add the edges between promises that wait for each other's handles; each with its node."""
    holders: dict[str, str] = {}
    for event, ref in found:
        handle = event.promise.get("handle")
        for name in scalars(handle) if handle else ():
            holders[name] = ref
    for event, ref in found:
        value = event.promise.get(DEPENDS_ON)
        for name in scalars(value) if value else ():
            if name in holders:
                place = next(a.span for a in event.promise.attributes if a.name == DEPENDS_ON)
                builder.edge(holders[name], ref, f"handle {name}", DEPENDS_ON, place)
