"""Where a run that goes on by itself is to stop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from analyzer.apply.events import (
    FAILURE,
    Changed,
    EvaluationFailed,
    Event,
    Finished,
    Refreshed,
    RefreshFailed,
    Unsuitable,
)
from analyzer.apply.run_graph import RunGraph


@dataclass(frozen=True, slots=True)
class Breakpoints:
    """Stop before resources, before all of some types, after a failure, after a refresh.

    `nodes` are ids, `types` names with a capital. All are looked at between two steps.
    """

    nodes: frozenset[int] = field(default_factory=frozenset)
    types: frozenset[str] = field(default_factory=frozenset)
    failure: bool = False
    refresh: bool = False

    def stops_before(self, graph: RunGraph, node: int) -> bool:
        """Tell whether to stop as a node is next."""
        if node in self.nodes:
            return True
        resource = graph.resource(node)
        return resource is not None and resource.type in self.types

    def stops_after(self, step: Sequence[Event]) -> bool:
        """Tell whether to stop for what a step did."""
        if not self.failure and not self.refresh:
            return False
        return any(
            (self.failure and is_failure(event)) or (self.refresh and isinstance(event, Refreshed))
            for event in step
        )


def is_failure(event: Event) -> bool:
    """Tell whether an event is a failure."""
    if isinstance(event, Changed):
        return event.event.status == FAILURE
    return isinstance(event, EvaluationFailed | RefreshFailed | Unsuitable)


def finishes(step: Sequence[Event], node: int) -> bool:
    """Tell whether a step finished a node."""
    return any(isinstance(event, Finished) and event.node == node for event in step)
