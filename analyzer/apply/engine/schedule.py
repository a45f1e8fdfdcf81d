"""Checks whether a schedule lets a resource be applied at a time (the type schedule)."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime, time, timedelta
from typing import Any

NEVER = "never"
# What was never applied counts as applied then.
BEGINNING = datetime(1970, 1, 1)

# The periods with their seconds; each is a schedule of Puppet's own too, as is `puppet`.
SECONDS = {"hourly": 3600, "daily": 86400, "weekly": 604_800, "monthly": 2_592_000}
PUPPET = {"period": "hourly", "repeat": 2}

# periodmatch => number: whether a time is in another hour, day, ... than the one before.
OTHER: dict[str, Callable[[datetime, datetime], bool]] = {
    "hourly": lambda before, now: now.hour != before.hour,
    "daily": lambda before, now: now.day != before.day,
    "weekly": lambda before, now: (
        before.isoweekday() % 7 > now.isoweekday() % 7 or now - before > timedelta(days=7)
    ),
    "monthly": lambda before, now: now.month != before.month,
}

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_RANGE = re.compile(r"\s*-\s*")


class ScheduleError(ValueError):
    """A schedule's parameter means nothing; Puppet makes no such catalog."""


def allows(
    parameters: Mapping[str, Any], title: str, now: datetime, before: datetime = BEGINNING
) -> bool:
    """Return whether a schedule allows a resource that was last looked at some time before.

    Raises:
        ScheduleError: the range, the weekday or the number of repetitions is none.
    """
    if "period" not in parameters and title in (*SECONDS, NEVER):
        parameters = {**parameters, "period": title}
    elif title == "puppet":
        parameters = {**PUPPET, **parameters}
    period = parameters.get("period")
    days = weekdays(parameters.get("weekday"))
    ranges = as_list(parameters.get("range"))
    if period == NEVER:
        return False
    if period in SECONDS and not has_passed(parameters, now, before):
        return False
    if ranges:
        return any(within(str(entry), days, now) for entry in ranges)
    return days is None or now.weekday() in days


def has_passed(parameters: Mapping[str, Any], now: datetime, before: datetime) -> bool:
    """Return whether enough of the period has passed (Puppet::Type::Schedule, period)."""
    period = parameters["period"]
    if parameters.get("periodmatch") == "number":
        return OTHER[period](before, now)
    repeat = str(parameters.get("repeat", 1))
    if not repeat.isdecimal() or int(repeat) < 1:
        raise ScheduleError(f"Repeat must be a number, not {repeat}")
    return (now - before).total_seconds() // 1 >= SECONDS[period] // int(repeat)


def within(entry: str, days: set[int] | None, now: datetime) -> bool:
    """Return whether a time is in a range such as `22:00 - 04:00`; its day is that of its start."""
    start, end = clocks(entry)
    today = now.date()
    if start < end:
        return start <= now.time() <= end and on(today.weekday(), days)
    begins = datetime.combine(today, start)
    if begins <= now <= datetime.combine(today + timedelta(days=1), end):
        return on(today.weekday(), days)
    yesterday = today - timedelta(days=1)
    from_yesterday = datetime.combine(yesterday, start) <= now <= datetime.combine(today, end)
    return from_yesterday and on(yesterday.weekday(), days)


def clocks(entry: str) -> tuple[time, time]:
    """Read the two ends of a range."""
    try:
        start, end = (clock(part) for part in _RANGE.split(entry.strip()))
    except (ValueError, OverflowError):
        raise ScheduleError(f"Invalid range value '{entry}'") from None
    return start, end


def on(day: int, days: set[int] | None) -> bool:
    """Return whether a day is among those wanted."""
    return days is None or day in days


def clock(text: str) -> time:
    """Read `4`, `4:30` or `4:30:00`."""
    hour, minute, second = [*(int(part) for part in text.split(":")), 0, 0][:3]
    return time(hour, minute, second)


def weekdays(value: object) -> set[int] | None:
    """Read days: names, or numbers from Sunday on; None where there is no word of them."""
    if value is None:
        return None
    found = set()
    for entry in as_list(value):
        text = str(entry)
        if text.isdecimal() and int(text) < len(DAYS):
            found.add((int(text) - 1) % 7)
        elif text[:3].lower() in DAYS:
            found.add(DAYS.index(text[:3].lower()))
        else:
            raise ScheduleError(f"{text} is not a valid day of the week")
    return found


def as_list(value: object) -> list[Any]:
    """Return a parameter's values."""
    return value if isinstance(value, list) else [] if value is None else [value]
