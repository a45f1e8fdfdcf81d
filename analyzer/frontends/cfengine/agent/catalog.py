"""A simulated run as a catalog: promises and bundles in the order of evaluation, with the reasons.

A node is a promise at the pass in which it was first kept, or that was tried; `pass` and `outcome`
are its parameters. Calls of bundles are containers. Every edge leads from what is evaluated first
to what is evaluated later, and its reason says why that is so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from analyzer.frontends.cfengine.agent.events import NOT_SET, Event
from analyzer.frontends.cfengine.policy.evaluator import scalars
from analyzer.model.catalog import Catalog
from analyzer.model.names import capitalize_type
from analyzer.model.nouns import BUNDLE, CFENGINE
from analyzer.model.relationship import DEPENDS_ON, EVALUATION
from analyzer.model.resource import Resource
from analyzer.source import Span

NESTED = "methods nesting: the bundle is done first"
EDITED = "edit bundle: its promises come before what follows the file's"


@dataclass(frozen=True, slots=True)
class Node:
    """A promise that ran: its reference, its event and the event's number."""

    ref: str
    event: Event
    number: int
    call: str


class RunCatalogBuilder:
    """Builds the catalog of a run's events."""

    def __init__(self) -> None:
        self.resources: list[Resource] = []
        self.containment: list[tuple[str, str]] = []
        self.reasons: dict[tuple[str, str], str] = {}
        self.promised: dict[tuple[str, str], tuple[str, Span | None]] = {}
        self.titles: dict[str, int] = {}
        # The node of each event and of each promise, the calls of bundles by calling event.
        self.by_event: dict[int, str] = {}
        self.known: dict[tuple[object, ...], str] = {}
        self.calls: dict[tuple[int | None, str], str] = {}
        self.last: dict[str, Node] = {}
        self.called: dict[str, str] = {}
        self.previous: str | None = None

    def build(self, events: list[Event]) -> Catalog:
        """Return the catalog."""
        later = {key_of(event) for event in events if event.begun and event.outcome != NOT_SET}
        for number, event in enumerate(events):
            call = self.call_of(event, events)
            key = (call, *key_of(event))
            if not event.begun or (event.outcome == NOT_SET and key_of(event) in later):
                continue
            if key in self.known:
                self.by_event[number] = self.known[key]
                continue
            self.known[key] = self.by_event[number] = self.add(event, number, call)
        catalog = Catalog(self.resources, self.containment)
        self.describe(catalog)
        catalog.automatic = False
        return catalog

    def describe(self, catalog: Catalog) -> None:
        """Add the edges to a catalog, with CFEngine's words for them."""
        catalog.nouns = CFENGINE
        catalog.reasons, catalog.promised = self.reasons, self.promised
        catalog.extra_edges = [
            (source, target, "require" if form == DEPENDS_ON else "before")
            for (source, target), (form, _) in self.promised.items()
        ]

    def unique(self, kind: str, title: str) -> Resource:
        """Return a new resource; a title that is taken gets a number."""
        ref = f"{kind}[{title}]"
        self.titles[ref] = count = self.titles.get(ref, 0) + 1
        return Resource(kind, f"{title}#{count}" if count > 1 else title, {})

    def call_of(self, event: Event, events: list[Event]) -> str:
        """Return the container of a call of a bundle, which is made when it is first met.

        A bundle that is listed twice has one container: the second time all is done already.
        """
        place = (event.within, f"{event.bundle.namespace}:{event.bundle.name}")
        if place in self.calls:
            return self.calls[place]
        bundle = event.bundle
        space = "" if bundle.namespace == "default" else f"{bundle.namespace}:"
        resource = self.unique(BUNDLE, space + bundle.name)
        resource.kind = "class"
        resource.file, resource.line = bundle.span.file, bundle.span.line
        self.resources.append(resource)
        ref = self.calls[place] = str(resource)
        if event.within is None:
            if self.previous:
                self.edge(self.previous, ref, "bundlesequence")
            self.previous = ref
        else:
            caller = self.by_event.get(event.within)
            if caller:
                kind = events[event.within].type
                self.edge(caller, ref, f"{kind} promise: it calls the bundle")
                self.called[caller] = ref
                parent = next(c for c, r in self.containment if r == caller)
                self.containment.append((parent, ref))
        return ref

    def edge(
        self,
        source: str,
        target: str,
        reason: str,
        form: str = EVALUATION,
        place: Span | None = None,
    ) -> None:
        """Add an edge, or a further reason for it."""
        self.promised.setdefault((source, target), (form, place))
        known = self.reasons.get((source, target))
        self.reasons[source, target] = f"{known}; {reason}" if known else reason

    def add_node(self, event: Event, call: str) -> str:
        """Add a promise to a call of its bundle, without edges, and return its reference."""
        shown = " ".join(event.promiser.split())
        resource = self.unique(capitalize_type(event.type), f"{event.bundle.name}:{shown}")
        resource.kind = "compilable_type"
        resource.file, resource.line = event.promise.span.file, event.promise.span.line
        resource.parameters = {"pass": event.number, "outcome": event.outcome}
        if event.promise.guard != "any":
            resource.parameters["guard"] = event.promise.guard
        self.resources.append(resource)
        ref = str(resource)
        self.containment.append((call, ref))
        return ref

    def add(self, event: Event, number: int, call: str) -> str:
        """Add a promise after the previous one of its bundle, and after its dependencies."""
        ref = self.add_node(event, call)
        node = Node(ref, event, number, call)
        before = self.last.get(call)
        if before:
            self.edge(before.ref, ref, sequence_reason(before.event, event))
            inner = self.called.get(before.ref)
            if inner:
                self.edge(inner, ref, NESTED if before.event.type == "methods" else EDITED)
        self.last[call] = node
        for cause in event.causes:
            source = self.by_event.get(cause.event)
            if source and source != ref:
                self.edge(source, ref, f"{cause.kind} {cause.name}")
        return ref


def key_of(event: Event) -> tuple[object, ...]:
    """Return the identity of a promise: its place and its promiser."""
    return (event.within, event.bundle.name, event.type, event.promise.span, event.promiser)


def sequence_reason(before: Event, after: Event) -> str:
    """Return the reason why one promise of a bundle comes after another."""
    if before.number != after.number:
        return f"pass {after.number} comes after pass {before.number}"
    if before.type != after.type:
        return f"type sequence: {before.type} before {after.type}"
    if before.promise is after.promise:
        return "order of the list"
    return "written order"


def nodes_of(events: list[Event]) -> dict[str, int]:
    """Return the event of each promise by its reference, in order."""
    builder = RunCatalogBuilder()
    builder.build(events)
    nodes: dict[str, int] = {}
    for number, ref in builder.by_event.items():
        nodes.setdefault(ref, number)
    return nodes


def catalog_of(events: list[Event], path: str) -> Catalog:
    """Return a run as a catalog."""
    catalog = RunCatalogBuilder().build(events)
    catalog.path = catalog.name = path
    return catalog


# ---- promises that wait for each other


def waiting(events: Sequence[Event]) -> list[Event]:
    """Return the last evaluation of each promise that never ran for lack of a handle."""
    last = {event.promise.span: event for event in events}
    begun = {event.promise.span for event in events if event.begun}
    return [e for span, e in last.items() if e.reason == DEPENDS_ON and span not in begun]


def with_waiting(events: list[Event], path: str) -> Catalog:
    """Return a run as a catalog, with the promises that wait for a handle and their edges."""
    builder = RunCatalogBuilder()
    catalog = builder.build(events)
    found = waiting(events)
    relate(builder, [(e, builder.add_node(e, builder.call_of(e, events))) for e in found])
    builder.describe(catalog)
    catalog.path = catalog.name = path
    return catalog


def relate(builder: RunCatalogBuilder, found: Sequence[tuple[Event, str]]) -> None:
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
