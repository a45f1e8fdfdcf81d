"""The state of a run, as a value, and a draft of the next one."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from analyzer.apply.engine.events import (
    FAILURE,
    SUCCESS,
    Outcome,
    ResourceEvent,
)
from analyzer.apply.engine.pages import Pages
from analyzer.apply.engine.run_graph import RunGraph
from analyzer.apply.provider import State
from analyzer.model.resource import Resource


@dataclass(frozen=True, slots=True)
class ResourceStatus:
    """The status of a resource, in Puppet's words (Puppet::Resource::Status).

    `failed_dependencies` are ids of the resources whose failure it is skipped for.
    """

    skipped: bool = False
    failed: bool = False
    failed_to_restart: bool = False
    restarted: bool = False
    changed: bool = False
    out_of_sync: bool = False
    scheduled: bool = False
    corrective_change: bool = False
    failed_dependencies: tuple[int, ...] = ()
    events: tuple[ResourceEvent, ...] = ()

    @property
    def flags(self) -> list[str]:
        """Return the properties that hold."""
        return [name for name in FLAGS if getattr(self, name)]

    def noting(self, event: ResourceEvent) -> ResourceStatus:
        """Return the status with one event more (Status#add_event)."""
        return replace(
            self,
            failed=self.failed or event.status == FAILURE,
            changed=self.changed or event.status == SUCCESS,
            out_of_sync=True,
            events=(*self.events, event),
        )


FLAGS = tuple(field.name for field in fields(ResourceStatus) if field.type == "bool")

UNTOUCHED = ResourceStatus()


@dataclass(frozen=True, slots=True)
class AddedEdges:
    """The edges of a node that were added for generated resources.

    `brings`: its own relationships are its end's now. `closes` is the resource whose end it is.
    """

    before: tuple[int, ...] = ()
    after: tuple[int, ...] = ()
    brings: bool = False
    closes: int | None = None

    def and_also(self, other: AddedEdges) -> AddedEdges:
        """Merge the added edges of one node."""
        return AddedEdges(
            (*self.before, *other.before),
            (*self.after, *other.after),
            self.brings or other.brings,
            self.closes if other.closes is None else other.closes,
        )


NO_KIN = AddedEdges()


@dataclass(frozen=True, slots=True)
class Waiting:
    """The events that wait for a node: how many, and how many of them are noop."""

    count: int
    noop: int


@dataclass(frozen=True, slots=True)
class RunState:
    """The state of a run.

    `phase` is ready, running, ended or aborted. `ready` are the places in the queue of nodes that
    wait for nothing, `reported` and `tainted` are nodes: those whose failure the log reports, and
    those that stand behind a failure; all three as the bits of an integer. `statuses`, `waiting`
    and `values` are by node; `values` is what the resources are like, where the run knows better
    than the world at its start. `put_off` are resources without a suitable provider, `progress`
    whether anything was done since they were last tried. `kin` is what resources brought, by node,
    `replaced` the resources that have other parameters since, `sprouts` those ready of what was
    brought, by priority.
    """

    phase: str
    ready: int
    blockers: Pages[int]
    statuses: Pages[ResourceStatus | None]
    waiting: Pages[Waiting | None]
    values: Pages[State | None]
    reported: int = 0
    tainted: int = 0
    put_off: tuple[int, ...] = ()
    progress: bool = False
    providerless: tuple[str, ...] = ()
    outcomes: Mapping[int, Outcome] | None = None
    noops: Mapping[int | None, bool] | None = None
    current: int | None = None
    kin: Mapping[int, AddedEdges] | None = None
    replaced: Mapping[int, Resource] | None = None
    sprouts: tuple[int, ...] = ()
    generation_failed: bool = False

    @classmethod
    def start(cls, graph: RunGraph, outcomes: Mapping[int, Outcome] | None = None) -> RunState:
        """Return the state before anything happened; `outcomes` steer resources."""
        ready = 0
        for node in range(graph.nodes):
            if not graph.blockers[node]:
                ready |= 1 << graph.place[node]
        return cls(
            phase="ready",
            ready=ready,
            blockers=Pages(graph.blockers),
            statuses=Pages([None] * graph.nodes),
            waiting=Pages([None] * graph.nodes),
            values=Pages([None] * graph.vertices),
            outcomes=outcomes,
        )


class Draft:
    """A state that is being worked on; it takes events and becomes a RunState again."""

    __slots__ = (*RunState.__slots__, "graph")

    phase: str
    ready: int
    blockers: Pages[int]
    statuses: Pages[ResourceStatus | None]
    waiting: Pages[Waiting | None]
    values: Pages[State | None]
    reported: int
    tainted: int
    put_off: tuple[int, ...]
    progress: bool
    providerless: tuple[str, ...]
    outcomes: Mapping[int, Outcome] | None
    noops: Mapping[int | None, bool] | None
    current: int | None
    kin: Mapping[int, AddedEdges] | None
    replaced: Mapping[int, Resource] | None
    sprouts: tuple[int, ...]
    generation_failed: bool

    def __init__(self, state: RunState, graph: RunGraph) -> None:
        self.graph = graph
        for name in RunState.__slots__:
            setattr(self, name, getattr(state, name))

    def frozen(self) -> RunState:
        """Return the state as a value."""
        return RunState(*(getattr(self, name) for name in RunState.__slots__))

    def make_ready(self, node: int) -> None:
        """Mark a node as ready."""
        graph = self.graph
        if node < graph.base:
            self.ready |= 1 << graph.place[node]
        else:
            place = bisect(self.sprouts, graph.key(node), key=graph.key)
            self.sprouts = (*self.sprouts[:place], node, *self.sprouts[place:])

    def take_away(self, node: int) -> None:
        """Remove a node from those that are ready."""
        if node < self.graph.base:
            self.ready &= ~(1 << self.graph.place[node])
        else:
            place = self.sprouts.index(node) if node in self.sprouts else len(self.sprouts)
            self.sprouts = self.sprouts[:place] + self.sprouts[place + 1 :]

    def status(self, node: int) -> ResourceStatus:
        """Return the status of a node so far."""
        return self.statuses[node] or UNTOUCHED

    def note(self, node: int, event: ResourceEvent, **words: Any) -> None:
        """Add an event to a status, and change words of it."""
        self.statuses = self.statuses.put(node, replace(self.status(node).noting(event), **words))

    def mark(self, node: int, **words: Any) -> None:
        """Change words of a status."""
        self.statuses = self.statuses.put(node, replace(self.status(node), **words))


def count_of_events(what: str, count: int) -> str:
    """Return `Triggered 'refresh' from 2 events`."""
    return f"{what} from {count} event{'' if count == 1 else 's'}"
