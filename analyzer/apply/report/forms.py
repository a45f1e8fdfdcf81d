"""Between data and the values of a report: one table of fields for reading and writing."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from analyzer.apply.report.values import (
    REDACTED,
    LogLine,
    Metric,
    RecordedEvent,
    RecordedStatus,
    RunReport,
)
from analyzer.frontends.json_document import MOST_NESTED, nesting
from analyzer.model.documents import JsonObject
from analyzer.model.resource import is_sensitive

Data = JsonObject
Read = Callable[[Any], Any]

# No run took that many seconds.
LARGEST = 1 << 62


class FormError(ValueError):
    """Data that a report cannot have in that place."""


def text(value: object) -> str | None:
    """Read a text; a number or a truth, written without quotes, is taken for one."""
    if value is None or type(value) is str:
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (int, float)):
        return str(value)
    raise FormError(f"{kind_of(value)} where a text was expected")


def flag(value: object) -> bool | None:
    """Read a truth; none is kept apart from false."""
    if value is None or type(value) is bool:
        return value
    raise FormError(f"{kind_of(value)} where true or false was expected")


def count(value: object) -> int | None:
    """Read a whole number; older formats wrote some as texts."""
    if value is None or type(value) is int:
        return value
    if isinstance(value, str) and value.isdecimal():
        return int(value)
    raise FormError(f"{kind_of(value)} where a whole number was expected")


def seconds(value: object) -> float | None:
    """Read a number."""
    if value is None or type(value) is float:
        return value
    if type(value) is int and value.bit_length() < LARGEST.bit_length():
        return float(value)
    raise FormError(f"{kind_of(value)} where a number was expected")


def texts(value: object) -> tuple[str, ...]:
    """Read a list of texts; a set of tags that was dumped as an object (before Puppet 4) too."""
    if isinstance(value, dict):
        value = list(value.get("hash", value))
    return tuple(one for one in map(text, rows_of(value)) if one is not None)


def data(value: object) -> object:
    """Read any data; values marked as Sensitive are not kept."""
    if isinstance(value, (dict, list)) and nesting(value) > MOST_NESTED:
        raise FormError(f"data nested more than {MOST_NESTED} deep")
    return REDACTED if is_sensitive(value) else value


def event(row: object) -> RecordedEvent:
    """Read one event."""
    return hidden(RecordedEvent(*fields_of(row, EVENT)))


def hidden(found: RecordedEvent) -> RecordedEvent:
    """Return an event without its values if it is redacted."""
    if not found.redacted:
        return found
    values = (found.previous_value, found.desired_value, found.historical_value)
    old, new, past = (None if value is None else REDACTED for value in values)
    return replace(found, previous_value=old, desired_value=new, historical_value=past)


def events(value: object) -> tuple[RecordedEvent, ...]:
    """Read the events of a resource."""
    return tuple(map(event, rows_of(value)))


EVENT: tuple[tuple[str, Read], ...] = (
    ("audited", flag),
    ("property", text),
    ("previous_value", data),
    ("desired_value", data),
    ("historical_value", data),
    ("message", text),
    ("name", text),
    ("status", text),
    ("time", text),
    ("redacted", flag),
    ("corrective_change", flag),
)
STATUS: tuple[tuple[str, Read], ...] = (
    ("title", text),
    ("file", text),
    ("line", count),
    ("resource", text),
    ("resource_type", text),
    ("provider_used", text),
    ("containment_path", texts),
    ("evaluation_time", seconds),
    ("tags", texts),
    ("time", text),
    ("failed", flag),
    ("failed_to_restart", flag),
    ("changed", flag),
    ("out_of_sync", flag),
    ("skipped", flag),
    ("change_count", count),
    ("out_of_sync_count", count),
    ("events", events),
    ("corrective_change", flag),
)
LOG: tuple[tuple[str, Read], ...] = (
    ("level", text),
    ("message", text),
    ("source", text),
    ("tags", texts),
    ("time", text),
    ("file", text),
    ("line", count),
)
HEAD: tuple[tuple[str, Read], ...] = (
    ("host", text),
    ("time", text),
    ("configuration_version", data),
    ("transaction_uuid", text),
    ("report_format", count),
    ("puppet_version", text),
    ("status", text),
    ("transaction_completed", flag),
    ("noop", flag),
    ("noop_pending", flag),
    ("environment", text),
)
# What is left out where there is nothing to say.
OPTIONAL = ("server_used", "catalog_uuid", "code_id", "job_id", "cached_catalog_status")


def report(document: Data) -> RunReport:
    """Read a whole report (Report#initialize_from_hash).

    Raises:
        FormError: something in it is not what it should be.
    """
    statuses = document["resource_statuses"]
    if not isinstance(statuses, (dict, tuple)):
        raise FormError(f"'resource_statuses' is {kind_of(statuses)}, not an object")
    read = statuses if isinstance(statuses, tuple) else status_table(statuses)
    named = {name: text(document.get(name)) for name in OPTIONAL}
    named["server_used"] = named["server_used"] or text(document.get("master_used"))
    values = [
        *fields_of(document, HEAD),
        tuple(
            row if isinstance(row, LogLine) else log(row) for row in rows_of(document.get("logs"))
        ),
        metrics(document.get("metrics")),
        read,
        flag(document.get("corrective_change")),
        *named.values(),
    ]
    return RunReport(*values)


def log(row: object) -> LogLine:
    """Read a line of the log."""
    return LogLine(*fields_of(row, LOG))


def status_table(table: Data) -> tuple[RecordedStatus, ...]:
    """Read the statuses, and let go of each row once it is read: there may be very many."""
    found = []
    for ref in list(table):
        row = table.pop(ref)
        # Ruby writes nil for a resource whose status was lost.
        if row:
            found.append(status(ref, row))
    return tuple(found)


def status(ref: str, row: Data) -> RecordedStatus:
    """Read what became of one resource."""
    try:
        if row.get("resource") is None:
            row = {**row, "resource": ref}
        return RecordedStatus(*fields_of(row, STATUS))
    except (FormError, AttributeError) as error:
        reason = error if isinstance(error, FormError) else f"{kind_of(row)}, not an object"
        raise FormError(f"{ref}: {reason}") from None


def fields_of(row: object, table: tuple[tuple[str, Read], ...]) -> list[Any]:
    """Return the fields of a row in the order of its table.

    Raises:
        FormError: one is not what it should be; its name stands before the reason.
    """
    if not isinstance(row, dict):
        raise FormError(f"{kind_of(row)} where an object was expected")
    get = row.get
    try:
        return [read(get(name)) for name, read in table]
    except FormError:
        for name, read in table:
            try:
                read(get(name))
            except FormError as error:
                raise FormError(f"'{name}': {error}") from None
        raise


def metrics(table: object) -> tuple[Metric, ...]:
    """Read the figures."""
    if table is None:
        return ()
    if not isinstance(table, dict):
        raise FormError(f"'metrics' is {kind_of(table)}, not an object")
    return tuple(metric(name, row) for name, row in table.items())


def metric(name: str, row: Data) -> Metric:
    """Read one group of figures."""
    try:
        values = tuple((str(key), text(label), value) for key, label, value in row["values"])
    except (TypeError, KeyError, ValueError):
        raise FormError(f"the metric '{name}' is not of the known form") from None
    if not all(isinstance(value, (int, float)) for _, _, value in values):
        raise FormError(f"the metric '{name}' holds something else than numbers")
    return Metric(text(row.get("name")) or name, text(row.get("label")), values)


def rows_of(value: object) -> Iterable[object]:
    """Return a list, an empty one for none."""
    if value is None:
        return ()
    if isinstance(value, (list, tuple)):
        return value
    raise FormError(f"{kind_of(value)} where a list was expected")


def kind_of(value: object) -> str:
    """Describe a value in words."""
    names = {dict: "an object", list: "a list", str: "a text", bool: "a truth", type(None): "null"}
    return names.get(type(value), "a number")


def to_data(found: RunReport) -> Data:
    """Return a report as `to_data_hash` does, keys in its order; PuppetDB's fields are left out."""
    optional = {name: getattr(found, name) for name in OPTIONAL}
    return {
        **{name: getattr(found, name) for name, _ in HEAD},
        "logs": [row_of(line, LOG) for line in found.logs],
        "metrics": {one.name: metric_data(one) for one in found.metrics},
        "resource_statuses": {one.resource: status_data(one) for one in found.resource_statuses},
        "corrective_change": found.corrective_change,
        **{name: value for name, value in optional.items() if value is not None},
    }


def status_data(found: RecordedStatus) -> Data:
    """Return a status as data."""
    row = row_of(found, STATUS)
    row["events"] = [row_of(one, EVENT) for one in found.events]
    return row


def metric_data(found: Metric) -> Data:
    """Return figures as data."""
    return {"name": found.name, "label": found.label, "values": [list(row) for row in found.values]}


def row_of(value: object, table: tuple[tuple[str, Read], ...]) -> Data:
    """Return the fields of a value as data; tuples become lists."""
    row = {name: getattr(value, name) for name, _ in table}
    return {name: list(one) if type(one) is tuple else one for name, one in row.items()}
