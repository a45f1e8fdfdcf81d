"""Folds events into the state of a run; nothing else changes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from analyzer.apply.engine import events as happened
from analyzer.apply.engine.eval_generate import followers, grow
from analyzer.apply.engine.events import (
    FAILURE,
    REFRESH,
    RESOURCE_ERROR,
    SUCCESS,
    Event,
    ResourceEvent,
)
from analyzer.apply.engine.run_graph import RunGraph
from analyzer.apply.engine.state import UNTOUCHED, Draft, RunState, Waiting, count_of_events

CYCLE_MEMBER = "resource is part of a dependency cycle"


def fold(state: RunState, happenings: Iterable[Event], graph: RunGraph) -> RunState:
    """Return the state after events."""
    draft = Draft(state, graph)
    for event in happenings:
        take(draft, event)
    return draft.frozen()


def take(draft: Draft, event: Event) -> None:
    """Apply one event to a draft."""
    rule = RULES.get(type(event))
    if rule is not None:
        rule(draft, event)


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
    """Release the nodes that waited for one."""
    targets = followers(draft, event.node)
    status = draft.status(event.node)
    if status.failed or status.failed_dependencies:
        taint(draft, targets)
    release(draft, targets)
    # What is given up is done without having been evaluated, and is no progress.
    draft.progress = draft.progress or event.node == draft.current


def queued(draft: Draft, event: happened.Queued) -> None:
    """Add events that wait for a node."""
    before = draft.waiting[event.target] or Waiting(0, 0)
    after = Waiting(before.count + event.count, before.noop + event.noop)
    draft.waiting = draft.waiting.put(event.target, after)


def put_off(draft: Draft, event: happened.PutOff) -> None:
    """Take a resource from those that are ready."""
    draft.take_away(event.node)
    draft.put_off = (*draft.put_off, event.node)
    draft.statuses = draft.statuses.put(event.node, None)


def taken_up(draft: Draft, event: happened.TakenUp) -> None:
    """Make the deferred nodes ready."""
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
    """Drop the events that wait for a node."""
    draft.waiting = draft.waiting.put(event.node, None)


def phase(name: str) -> Callable[[Draft, object], None]:
    """Return the rule of an event that only changes the phase."""

    def rule(draft: Draft, _: object) -> None:
        draft.phase = name

    return rule


def kept(draft: Draft, event: happened.ValuesKept) -> None:
    """Record the values of a resource."""
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
        draft, "reported", draft.reported | 1 << event.dependency
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
