"""Moments that depend on the clock or the time zone of the machine, which is noted."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.model.timestamp import Timestamp
from analyzer.reading import note_clock


def now() -> Timestamp:
    """Return this moment."""
    note_clock()
    return Timestamp.now()


def moment_of(
    text: str, formats: str | Sequence[str] | None = None, zone: str | None = None
) -> Timestamp:
    """Return the moment that a text says, perhaps in the time zone of the machine.

    Raises:
        ValueError: it is none.
    """
    note_zone(zone)
    return Timestamp.parse(text, formats, zone)


def note_zone(zone: str | None) -> None:
    """Note that a time zone is the machine's, if it is."""
    if zone is not None and zone.lower() == "current":
        note_clock()
