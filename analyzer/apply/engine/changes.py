"""Changes as events, and in words (Puppet::Transaction::ResourceHarness)."""

from __future__ import annotations

from analyzer.apply.engine.display import REDACTED, shown, with_reasons
from analyzer.apply.engine.events import ResourceEvent
from analyzer.apply.provider import PropertyChange

# The major version that words what noop withholds as it words changes.
CHANGE_AND_NOOP = 8


def event_of(change: PropertyChange, status: str, message: str) -> ResourceEvent:
    """Return the event of a change."""
    old, new = (REDACTED, REDACTED) if change.sensitive else (change.old, change.new)
    return ResourceEvent(
        change.event,
        status,
        message,
        change.property,
        with_reasons(old),
        with_reasons(new),
        change.sensitive,
        change.drops_refreshes,
        () if change.sensitive else change.diff,
    )


def withheld(change: PropertyChange, version: int) -> str:
    """Return the message of a change that noop prevents."""
    if version >= CHANGE_AND_NOOP and not change.sensitive:
        return f"{change.message} (noop)"
    old, new = old_and_new(change)
    return f"current_value {old}, should be {new} (noop)"


def old_and_new(change: PropertyChange) -> tuple[str, str]:
    """Return both values of a change as they may be shown."""
    if change.sensitive:
        return REDACTED, REDACTED
    return change.shown or (shown(change.old), shown(change.new))
