"""The state of a run, and how it follows from the events: `fold` is all that ever changes it."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from analyzer.apply.engine import events as happened
from analyzer.apply.engine.eval_generate import Kin, followers, grow
from analyzer.apply.engine.events import (
    FAILURE,
    NOOP,
    REFRESH,
    RESOURCE_ERROR,
    SUCCESS,
    Event,
    Outcome,
    ResourceEvent,
)
from analyzer.apply.engine.pages import Pages
from analyzer.apply.engine.run_graph import RunGraph
from analyzer.model.resource import Resource

CYCLE_MEMBER = "resource is part of a dependency cycle"


@dataclass(frozen=True, slots=True)
class ResourceStatus:
    """What became of a resource, in Puppet's words (Puppet::Resource::Status).

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
        """The words that hold."""
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
class Waiting:
    """The events that wait for a node: how many, and how many of them are noop."""

    count: int
    noop: int


@dataclass(frozen=True, slots=True)
class RunState:
    """Where a run stands.

    `phase` is ready, running, ended or aborted. `ready` are the places in the queue of nodes that
    wait for nothing, `told` and `tainted` are nodes: those whose failure the log has told of, and
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
    values: Pages[Mapping[str, Any] | None]
    told: int = 0
    tainted: int = 0
    put_off: tuple[int, ...] = ()
    progress: bool = False
    providerless: tuple[str, ...] = ()
    outcomes: Mapping[int, Outcome] | None = None
    noops: Mapping[int | None, bool] | None = None
    current: int | None = None
    kin: Mapping[int, Kin] | None = None
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
    values: Pages[Mapping[str, Any] | None]
    told: int
    tainted: int
    put_off: tuple[int, ...]
    progress: bool
    providerless: tuple[str, ...]
    outcomes: Mapping[int, Outcome] | None
    noops: Mapping[int | None, bool] | None
    current: int | None
    kin: Mapping[int, Kin] | None
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

    def take(self, event: Event) -> None:
        """Let an event have happened."""
        rule = RULES.get(type(event))
        if rule is not None:
            rule(self, event)

    def make_ready(self, node: int) -> None:
        """Let a node wait for nothing more."""
        graph = self.graph
        if node < graph.base:
            self.ready |= 1 << graph.place[node]
        else:
            place = bisect(self.sprouts, graph.key(node), key=graph.key)
            self.sprouts = (*self.sprouts[:place], node, *self.sprouts[place:])

    def take_away(self, node: int) -> None:
        """Let a node no longer be among those that are ready."""
        if node < self.graph.base:
            self.ready &= ~(1 << self.graph.place[node])
        else:
            place = self.sprouts.index(node) if node in self.sprouts else len(self.sprouts)
            self.sprouts = self.sprouts[:place] + self.sprouts[place + 1 :]

    def status(self, node: int) -> ResourceStatus:
        """Return what became of a node so far."""
        return self.statuses[node] or UNTOUCHED

    def note(self, node: int, event: ResourceEvent, **words: Any) -> None:
        """Add an event to a status, and change words of it."""
        self.statuses = self.statuses.put(node, replace(self.status(node).noting(event), **words))

    def mark(self, node: int, **words: Any) -> None:
        """Change words of a status."""
        self.statuses = self.statuses.put(node, replace(self.status(node), **words))


def fold(state: RunState, happenings: Iterable[Event], graph: RunGraph) -> RunState:
    """Return the state after events."""
    draft = Draft(state, graph)
    for event in happenings:
        draft.take(event)
    return draft.frozen()


def release(draft: Draft, targets: Iterable[int]) -> None:
    """Count one thing less that these wait for; make ready what waits for nothing more."""
    graph = draft.graph
    for target in targets:
        left = draft.blockers[target] - 1
        draft.blockers = draft.blockers.put(target, left)
        if left:
            continue
        if target < graph.nodes or target >= graph.base:
            draft.make_ready(target)
        else:
            release(draft, graph.succ[target])


def taint(draft: Draft, targets: Iterable[int]) -> None:
    """Note that these stand directly behind a failure."""
    graph = draft.graph
    for target in targets:
        if not draft.tainted >> target & 1:
            draft.tainted |= 1 << target
            if graph.nodes <= target < graph.base:
                taint(draft, graph.succ[target])


def evaluating(draft: Draft, event: happened.Evaluating) -> None:
    """Take a node from those that are ready; its status begins."""
    draft.phase = "running"
    draft.current = event.node
    draft.take_away(event.node)
    draft.statuses = draft.statuses.put(event.node, UNTOUCHED)


def finished(draft: Draft, event: happened.Finished) -> None:
    """Let go on what waited for a node."""
    targets = followers(draft, event.node)
    status = draft.status(event.node)
    if status.failed or status.failed_dependencies:
        taint(draft, targets)
    release(draft, targets)
    # What is given up is done without having been evaluated, and is no progress.
    draft.progress = draft.progress or event.node == draft.current


def queued(draft: Draft, event: happened.Queued) -> None:
    """Let more events wait for a node."""
    before = draft.waiting[event.target] or Waiting(0, 0)
    after = Waiting(before.count + event.count, before.noop + event.noop)
    draft.waiting = draft.waiting.put(event.target, after)


def put_off(draft: Draft, event: happened.PutOff) -> None:
    """Take a resource from those that are ready."""
    draft.take_away(event.node)
    draft.put_off = (*draft.put_off, event.node)
    draft.statuses = draft.statuses.put(event.node, None)


def taken_up(draft: Draft, event: happened.TakenUp) -> None:
    """Make ready what was put off."""
    draft.put_off = ()
    draft.progress = False
    for node in event.nodes:
        draft.make_ready(node)


def unsuitable(draft: Draft, event: happened.Unsuitable) -> None:
    """Fail a resource for its provider."""
    draft.put_off = tuple(node for node in draft.put_off if node != event.node)
    if event.untagged:
        draft.mark(event.node)
        return
    draft.mark(event.node, failed=True)
    resource = draft.graph.resource(event.node)
    if resource is not None and not event.provider:
        known = dict.fromkeys((*draft.providerless, resource.type.lower()))
        draft.providerless = tuple(known)


def refreshed(draft: Draft, event: happened.Refreshed) -> None:
    """Note that a node answered; ends of containers only pass it on."""
    if draft.graph.resource(event.node) is None:
        draft.mark(event.node, restarted=True)
        return
    message = count_of_events("Triggered 'refresh'", event.count)
    draft.note(event.node, ResourceEvent(REFRESH, SUCCESS, message), restarted=True)


def refresh_failed(draft: Draft, event: happened.RefreshFailed) -> None:
    """Note a failed answer."""
    message = f"Failed to call refresh: {event.reason}"
    failure = ResourceEvent(RESOURCE_ERROR, FAILURE, message)
    draft.note(event.node, failure, failed_to_restart=True)


def evaluation_failed(draft: Draft, event: happened.EvaluationFailed) -> None:
    """Note a failure outside of a property."""
    draft.note(event.node, ResourceEvent(RESOURCE_ERROR, FAILURE, event.reason))


def cycle_found(draft: Draft, event: happened.CycleFound) -> None:
    """Fail the members of cycles."""
    draft.phase = "aborted"
    for node in event.nodes:
        draft.note(node, ResourceEvent(RESOURCE_ERROR, FAILURE, CYCLE_MEMBER))


def outcome_set(draft: Draft, event: happened.OutcomeSet) -> None:
    """Steer a resource."""
    draft.outcomes = {**(draft.outcomes or {}), event.node: event.outcome}


def noop_set(draft: Draft, event: happened.NoopSet) -> None:
    """Switch noop."""
    draft.noops = {**(draft.noops or {}), event.node: event.noop}


def forget_waiting(draft: Draft, event: Any) -> None:
    """Let nothing wait for a node."""
    draft.waiting = draft.waiting.put(event.node, None)


def count_of_events(what: str, count: int) -> str:
    """Return `Triggered 'refresh' from 2 events`."""
    return f"{what} from {count} event{'' if count == 1 else 's'}"


def phase(name: str) -> Callable[[Draft, Any], None]:
    """Return the rule of an event that only changes the phase."""

    def rule(draft: Draft, _: Any) -> None:
        draft.phase = name

    return rule


def kept(draft: Draft, event: happened.ValuesKept) -> None:
    """Note what a resource is like."""
    draft.values = draft.values.put(event.node, event.values)


def generation_failed(draft: Draft, event: happened.GenerationFailed) -> None:
    """Note that the run fails for what could not be found out."""
    draft.generation_failed = True


def stopped(draft: Draft, event: happened.Stopped) -> None:
    """Pass a node over."""
    draft.put_off = tuple(node for node in draft.put_off if node != event.node)
    evaluating(draft, happened.Evaluating(event.node))
    draft.mark(event.node, skipped=True)
    finished(draft, happened.Finished(event.node))


RULES: dict[type, Callable[[Draft, Any], None]] = {
    happened.Started: phase("running"),
    happened.Evaluating: evaluating,
    happened.DependenciesFailed: lambda draft, event: draft.mark(
        event.node, failed_dependencies=event.failed
    ),
    happened.FailureTold: lambda draft, event: setattr(
        draft, "told", draft.told | 1 << event.dependency
    ),
    happened.Skipped: lambda draft, event: draft.mark(event.node, skipped=True),
    happened.EventsDropped: forget_waiting,
    happened.Changed: lambda draft, event: draft.note(event.node, event.event),
    happened.EvaluationFailed: evaluation_failed,
    happened.ValuesKept: kept,
    happened.Generated: grow,
    happened.GenerationFailed: generation_failed,
    happened.Queued: queued,
    happened.RefreshUnscheduled: forget_waiting,
    happened.Refreshed: refreshed,
    happened.RefreshFailed: refresh_failed,
    happened.Finished: finished,
    happened.PutOff: put_off,
    happened.TakenUp: taken_up,
    happened.Unsuitable: unsuitable,
    happened.Stopped: stopped,
    happened.Aborted: phase("aborted"),
    happened.CycleFound: cycle_found,
    happened.Ended: phase("ended"),
    happened.OutcomeSet: outcome_set,
    happened.NoopSet: noop_set,
}

__all__ = ["NOOP", "Draft", "ResourceStatus", "RunState", "Waiting", "count_of_events", "fold"]
