"""Turns the engine's record of a resource into that of a report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from analyzer.apply.report.values import REDACTED, RecordedEvent, RecordedStatus
from analyzer.model.resource import Resource, is_sensitive


class EngineEvent(Protocol):
    """An event as the engine has it."""

    name: str
    status: str
    message: str
    property: str | None
    old: object
    new: object
    sensitive: bool


class EngineStatus(Protocol):
    """The outcome of a resource in the engine."""

    @property
    def skipped(self) -> bool: ...

    @property
    def failed(self) -> bool: ...

    @property
    def failed_to_restart(self) -> bool: ...

    @property
    def changed(self) -> bool: ...

    @property
    def out_of_sync(self) -> bool: ...

    @property
    def corrective_change(self) -> bool: ...

    @property
    def events(self) -> Sequence[Any]:
        """Values like EngineEvent."""


@dataclass(frozen=True, slots=True)
class TurnFacts:
    """The facts that only the run has: times in ISO 8601, seconds, containers of resources."""

    time: str
    seconds: float | None = None
    event_times: tuple[str, ...] = ()
    containment_path: tuple[str, ...] = ()
    provider: str | None = None


def recorded(resource: Resource, became: EngineStatus, turn: TurnFacts) -> RecordedStatus:
    """Return the status of a report; sensitive values do not get there."""
    times = [*turn.event_times, *[turn.time] * len(became.events)]
    events = tuple(
        recorded_event(resource, event, time)
        for event, time in zip(became.events, times, strict=False)
    )
    return RecordedStatus(
        title=resource.title,
        file=resource.file,
        line=resource.line,
        resource=str(resource),
        resource_type=resource.type,
        provider_used=turn.provider,
        containment_path=turn.containment_path,
        evaluation_time=turn.seconds,
        tags=tuple(resource.tags or ()),
        time=turn.time,
        failed=became.failed,
        failed_to_restart=became.failed_to_restart,
        changed=became.changed,
        out_of_sync=became.out_of_sync,
        skipped=became.skipped,
        change_count=sum(e.status == "success" for e in events),
        out_of_sync_count=sum(e.status != "audit" for e in events),
        events=events,
        corrective_change=became.corrective_change,
    )


def recorded_event(resource: Resource, event: EngineEvent, time: str) -> RecordedEvent:
    """Return the event of a report; values of what the resource marks as sensitive are hidden."""
    hidden = event.sensitive or event.property in (resource.sensitive or ())
    hidden = hidden or is_sensitive(event.old) or is_sensitive(event.new)
    old, new = (REDACTED, REDACTED) if hidden else (event.old, event.new)
    return RecordedEvent(
        property=event.property,
        previous_value=old,
        desired_value=new,
        message=event.message,
        name=event.name,
        status=event.status,
        time=time,
        redacted=hidden,
    )
