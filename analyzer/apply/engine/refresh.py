"""Events between resources: who hears of them, and what comes of it (EventManager)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from analyzer.apply.engine.eval_generate import targets as targets_of
from analyzer.apply.engine.events import (
    NOOP,
    NOOP_RESTART,
    RESTARTED,
    SUCCESS,
    Event,
    Queued,
    Refreshed,
    RefreshFailed,
    RefreshUnscheduled,
    RefreshWithheld,
    ResourceEvent,
    Said,
)
from analyzer.apply.engine.run_graph import RunGraph
from analyzer.apply.engine.state import Draft
from analyzer.apply.provider import ProviderError

Emit = Callable[[Event], None]


def queue_events(
    graph: RunGraph, draft: Draft, node: int, sent: Sequence[ResourceEvent], emit: Emit
) -> None:
    """Queue the events of a node for all that are to answer them, one name after the other."""
    if not sent:
        return
    by_name: dict[str, list[ResourceEvent]] = {}
    for event in sent:
        by_name.setdefault(event.name, []).append(event)
    targets = [target for target in targets_of(graph, draft, node) if graph.can_refresh(target)]
    for name, events in by_name.items():
        noop = sum(event.status == NOOP for event in events)
        for target in targets:
            emit(Queued(node, target, name, len(events), noop))
        if graph.refreshes_itself(node):
            emit(Queued(node, node, name, 1, int(events[0].status == NOOP)))
    if any(event.drops_refreshes for event in sent):
        emit(RefreshUnscheduled(node))


def answer_events(
    graph: RunGraph,
    draft: Draft,
    node: int,
    *,
    noop: bool,
    refresh: Callable[[], None],
    emit: Emit,
) -> None:
    """Refresh a node if events wait for it, once, and pass events on.

    Nothing is done if all events are noop or the node is; the events are passed on nevertheless.
    """
    waiting = draft.waiting[node]
    if waiting is None:
        return
    if noop or waiting.noop == waiting.count:
        emit(RefreshWithheld(node, waiting.count))
        queue_events(graph, draft, node, [ResourceEvent(NOOP_RESTART, NOOP, "")], emit)
        return
    try:
        refresh()
    except ProviderError as error:
        for note in error.notes:
            emit(Said(node, note.level, note.message, note.part))
        emit(RefreshFailed(node, waiting.count, str(error)))
        return
    emit(Refreshed(node, waiting.count))
    queue_events(graph, draft, node, [ResourceEvent(RESTARTED, SUCCESS, "")], emit)
