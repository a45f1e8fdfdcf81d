"""Events as rows of data, and back: what a journal holds.

Values that must not be seen are not in events; parameters of resources that were brought are
redacted here. What resources are like (ValuesKept) is left out: providers keep secrets in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields
from typing import Any

from analyzer.apply.engine import events as happened
from analyzer.apply.engine.events import Event, Outcome, ResourceEvent
from analyzer.model.documents import JsonObject
from analyzer.model.resource import Resource

KINDS: dict[str, type] = {
    kind.__name__: kind
    for kind in (
        happened.Started,
        happened.Evaluating,
        happened.DependenciesFailed,
        happened.FailureTold,
        happened.Skipped,
        happened.EventsDropped,
        happened.Said,
        happened.Changed,
        happened.Evaluated,
        happened.EvaluationFailed,
        happened.Generated,
        happened.GenerationFailed,
        happened.Queued,
        happened.RefreshUnscheduled,
        happened.Refreshed,
        happened.RefreshFailed,
        happened.RefreshWithheld,
        happened.Finished,
        happened.PutOff,
        happened.TakenUp,
        happened.Unsuitable,
        happened.Stopped,
        happened.Aborted,
        happened.CycleFound,
        happened.Ended,
        happened.OutcomeSet,
        happened.NoopSet,
    )
}


class RowError(ValueError):
    """A row is not that of an event; the message says why."""


def row_of(event: Event) -> dict[str, object]:
    """Return an event as data: its kind as `kind`, and its fields."""
    kind = type(event)
    found: dict[str, object] = {"kind": kind.__name__}
    for field in fields(kind):
        found[field.name] = data_of(getattr(event, field.name))
    return found


def data_of(value: object) -> object:
    """Return a value as JSON; one that JSON cannot represent as text."""
    if isinstance(value, Resource):
        return resource_row(value)
    if isinstance(value, ResourceEvent | Outcome):
        return {f.name: data_of(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, list | tuple):
        return [data_of(one) for one in value]
    if isinstance(value, Mapping):
        return {str(key): data_of(one) for key, one in value.items()}
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def resource_row(resource: Resource) -> dict[str, object]:
    """Return a resource without its secrets."""
    return {
        "type": resource.type,
        "title": resource.title,
        "file": resource.file,
        "line": resource.line,
        "tags": resource.tags,
        "parameters": data_of(resource.shown_parameters()),
        "sensitive": resource.sensitive,
    }


def event_of_row(row: Mapping[str, object]) -> Event:
    """Return the event of a row; what the row has besides is not looked at.

    Raises:
        RowError: it is none.
    """
    kind = KINDS.get(str(row.get("kind")))
    if kind is None:
        raise RowError(f"there is no event {row.get('kind')!r}")
    values = {}
    for field in fields(kind):
        if field.name not in row:
            if field.default is not MISSING:
                # A journal of before there was such a field.
                continue
            raise RowError(f"{kind.__name__} lacks '{field.name}'")
        values[field.name] = read_field(kind, field.name, row[field.name])
    found: Event = kind(**values)
    return found


def read_field(kind: type, name: str, value: object) -> object:
    """Return the value of a field of an event.

    Raises:
        RowError: it is of another kind.
    """
    read = READERS.get((kind, name)) or READ_BY_NAME.get(name)
    try:
        return read(value) if read else value
    except (TypeError, ValueError, AttributeError, KeyError):
        raise RowError(f"'{name}' of {kind.__name__} is not valid") from None


def number(value: object) -> int:
    """Read a number of a node."""
    if type(value) is not int or value < 0:
        raise ValueError
    return value


def numbers(value: Iterable[object]) -> tuple[int, ...]:
    """Read numbers of nodes."""
    return tuple(map(number, value))


def resource_of(row: JsonObject) -> Resource:
    """Read a resource."""
    return Resource(
        str(row["type"]),
        str(row["title"]),
        dict(row["parameters"]),
        row["file"],
        row["line"],
        tags=row["tags"],
        sensitive=row["sensitive"],
    )


def lines_of(row: JsonObject) -> tuple[str, ...]:
    """Read the lines of an event's difference."""
    return tuple(map(str, row.get("diff", ())))


READ_BY_NAME: dict[str, Callable[[Any], object]] = {
    "node": number,
    "nodes": numbers,
    "dependency": number,
    "source": number,
    "target": number,
    "end": number,
    "failed": numbers,
    "types": tuple,
    "resources": lambda value: tuple(map(resource_of, value)),
    "outcome": lambda value: Outcome(**value),
}
READERS: dict[tuple[type, str], Callable[[Any], object]] = {
    (happened.Changed, "event"): lambda value: ResourceEvent(**{**value, "diff": lines_of(value)}),
    (happened.NoopSet, "node"): lambda value: None if value is None else number(value),
}
