"""The promises of a simulated run as a catalog, step by step, kept or not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analyzer.frontends.cfengine.agent import journal
from analyzer.frontends.cfengine.agent.catalog import RunCatalogBuilder, key_of, relate, waiting
from analyzer.model.catalog import Catalog

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.agent.events import Event
    from analyzer.frontends.cfengine.agent.run import Run

# The place of a promise: the call of its bundle, its type, its span.
Place = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Agenda:
    """The promises and bundles of a run as a catalog, in the order of their first evaluation.

    `about` are the references that each step is about: one promise, all iterations of one that
    was skipped, or the bundle; none before the first bundle and at the end.
    """

    catalog: Catalog
    about: tuple[tuple[str, ...], ...]


def agenda_of(run: Run, path: str) -> Agenda:
    """Return the promises and bundles of a run; `path` is the name of the catalog."""
    builder = RunCatalogBuilder()
    catalog = builder.build(run.events)
    refs = refs_of(builder, run.events)
    relate(builder, [(e, ref) for e in waiting(run.events) for ref in refs[id(e)]])
    builder.describe(catalog)
    catalog.path = catalog.name = path
    put_in_order(builder, catalog, run.events, refs)
    return Agenda(catalog, tuple(about(builder, run, refs)))


def refs_of(builder: RunCatalogBuilder, events: list[Event]) -> dict[int, tuple[str, ...]]:
    """Return the promises that each event is about, by the event's identity.

    Promises that were never begun are added.
    """
    known: dict[Place, dict[str, None]] = {}
    places = [(builder.call_of(e, events), e.type, e.promise.span) for e in events]
    for number, ref in builder.by_event.items():
        known.setdefault(places[number], {})[ref] = None
    found = {}
    for number, (event, place) in enumerate(zip(events, places, strict=True)):
        if place not in known:
            known[place] = {builder.add_node(event, str(place[0])): None}
        own = builder.by_event.get(number) or builder.known.get((place[0], *key_of(event)))
        found[id(event)] = (own,) if own else tuple(known[place])
    return found


def put_in_order(
    builder: RunCatalogBuilder,
    catalog: Catalog,
    events: Sequence[Event],
    refs: dict[int, tuple[str, ...]],
) -> None:
    """Sort promises by their first evaluation, and bundles behind their callers."""
    first: dict[str, tuple[int, int]] = {}
    for number, event in enumerate(events):
        for ref in refs[id(event)]:
            first.setdefault(ref, (number, 0))
    for (within, _), call in builder.calls.items():
        callers = refs[id(events[within])] if within is not None else ()
        first[call] = (min((first[ref][0] for ref in callers), default=-1), 1)
    catalog.resources.sort(key=lambda resource: first[str(resource)])
    catalog.containment.sort(key=lambda row: first[row[1]])


def about(
    builder: RunCatalogBuilder, run: Run, refs: dict[int, tuple[str, ...]]
) -> Iterator[tuple[str, ...]]:
    """Yield the reference that each step is about."""
    numbers = {id(event): number for number, event in enumerate(run.events)}
    caller: int | None = None
    stack: list[tuple[str, ...]] = []
    for step in run.steps:
        if step.kind == journal.ENTER and step.bundle is not None:
            key = (
                caller if stack else None,
                f"{step.bundle.namespace}:{step.bundle.name}",
            )
            call = builder.calls.get(key)
            stack.append((call,) if call else ())
        if step.event is not None:
            caller = numbers[id(step.event)] if step.calls else caller
            yield refs[id(step.event)]
        else:
            yield stack[-1] if stack else ()
        if step.kind == journal.LEAVE:
            stack.pop()
