"""Events of a run without the values of Sensitive parameters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from analyzer.apply.engine import events as happened
from analyzer.apply.engine.display import REDACTED
from analyzer.apply.engine.events import FAILURE, NOOP, Event, ResourceEvent
from analyzer.apply.redaction import ResourceSecrets, texts_of


def without_secrets(event: Event, secrets: ResourceSecrets) -> Event:
    """Return an event of the resource without the values that must not be shown."""
    hide = MESSAGES.get(type(event))
    return hide(event, secrets) if hide else event


def with_hidden(field: str) -> Callable[[Any, ResourceSecrets], Event]:
    """Return a function that redacts the message in a field of an event."""

    def hide(event: Any, secrets: ResourceSecrets) -> Event:
        hidden: Event = replace(event, **{field: secrets.message(getattr(event, field))})
        return hidden

    return hide


def hide_change(event: happened.Changed, secrets: ResourceSecrets) -> Event:
    """Return a change without values and words that must not be shown."""
    change = event.event
    reason = secrets.message(event.reason)
    secret = change.sensitive or change.property in secrets.names
    shown = (change.message, *texts_of([change.old, change.new]), *change.diff)
    if not secret and not any(map(secrets.shows, shown)):
        return event
    return happened.Changed(event.node, redacted_event(change, reason), reason)


def redacted_event(change: ResourceEvent, reason: str) -> ResourceEvent:
    """Return the event of a change in Puppet's words for one that must not be shown."""
    words = {
        FAILURE: f"change from {REDACTED} to {REDACTED} failed: {reason}",
        NOOP: f"current_value {REDACTED}, should be {REDACTED} (noop)",
    }.get(change.status, f"changed {REDACTED} to {REDACTED}")
    return replace(change, message=words, old=REDACTED, new=REDACTED, sensitive=True, diff=())


MESSAGES: dict[type, Callable[[Any, ResourceSecrets], Event]] = {
    happened.Said: with_hidden("message"),
    happened.Changed: hide_change,
    happened.EvaluationFailed: with_hidden("reason"),
    happened.GenerationFailed: with_hidden("reason"),
    happened.RefreshFailed: with_hidden("reason"),
    happened.PutOff: with_hidden("reason"),
    happened.Unsuitable: with_hidden("provider"),
}
