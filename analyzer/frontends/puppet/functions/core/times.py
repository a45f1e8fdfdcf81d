"""strftime: moments and spans of time as text."""

from __future__ import annotations

from analyzer.frontends.puppet.functions.registry import Call, function
from analyzer.frontends.puppet.types.construct.moments import note_zone, now
from analyzer.model.timespan import Timespan
from analyzer.model.timestamp import Timestamp

DEPRECATED = (
    "The argument signature (String format, [String timezone]) is deprecated for #strftime. "
    "See #strftime documentation and Timespan type for more info"
)


@function("strftime", "Timespan $time_object, String $format")
def strftime_span(call: Call, span: Timespan, form: str) -> str:
    """Return a span of time as a format says."""
    try:
        return span.format(form)
    except ValueError as error:
        call.fail(str(error))


@function("strftime", "Timestamp $time_object, String $format, String $timezone = undef")
def strftime(call: Call, moment: Timestamp, form: str, zone: str | None = None) -> str:
    """Return a moment as a format says, in a zone."""
    note_zone(zone)
    try:
        return moment.format(form, zone)
    except ValueError as error:
        call.fail(str(error))


@function("strftime", "String $format, String $timezone = undef")
def strftime_now(call: Call, form: str, zone: str | None = None) -> str:
    """Return this moment as a format says."""
    call.warn(DEPRECATED)
    note_zone(zone)
    try:
        return now().format(form, zone)
    except ValueError as error:
        call.fail(str(error))
