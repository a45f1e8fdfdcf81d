"""Reports as PuppetDB has them: what it answers to queries, and the command `store report` (8).

It keeps no seconds of a resource and no flags: those are worked out from the events. The query
form has changed resources only, unless PuppetDB is of the enterprise edition.
"""

from __future__ import annotations

from analyzer.apply.report.forms import (
    Data,
    FormError,
    count,
    data,
    flag,
    hidden,
    kind_of,
    log,
    rows_of,
    text,
    texts,
)
from analyzer.apply.report.metrics import labelled
from analyzer.apply.report.values import Metric, RecordedEvent, RecordedStatus, RunReport
from analyzer.model.names import capitalize_type

SKIPPED = "skipped"
# What the event of a failed refresh says (transaction/event_manager.rb).
FAILED_REFRESH = "Failed to call refresh: "


def is_puppetdb(document: Data) -> bool:
    """Return whether an object is one of PuppetDB's reports."""
    return "certname" in document and ("start_time" in document or "resource_events" in document)


def to_report(document: Data) -> RunReport:
    """Read a report.

    Raises:
        FormError: something in it is not what it should be.
    """
    everything = expanded(document.get("resources"))
    by_events = expanded(document.get("resource_events"))
    if everything is None and by_events is None:
        raise FormError("it has neither 'resources' nor 'resource_events'")
    statuses = resources(everything) if everything is not None else grouped(by_events or [])
    return RunReport(
        host=text(document.get("certname")),
        time=text(document.get("start_time")),
        configuration_version=data(document.get("configuration_version")),
        transaction_uuid=text(document.get("transaction_uuid")),
        report_format=count(document.get("report_format")),
        puppet_version=text(document.get("puppet_version")),
        status=text(document.get("status")),
        noop=flag(document.get("noop")),
        noop_pending=flag(document.get("noop_pending")),
        environment=text(document.get("environment")),
        logs=tuple(log(row) for row in expanded(document.get("logs")) or ()),
        metrics=metrics(expanded(document.get("metrics")) or []),
        resource_statuses=tuple(sorted(statuses, key=lambda one: one.time or "")),
        corrective_change=flag(document.get("corrective_change")),
        catalog_uuid=text(document.get("catalog_uuid")),
        code_id=text(document.get("code_id")),
        job_id=text(document.get("job_id")),
        cached_catalog_status=text(document.get("cached_catalog_status")),
        producer=text(document.get("producer")),
        end_time=text(document.get("end_time")),
        complete=False,
    )


def expanded(value: object) -> list[object] | None:
    """Return a list as stored, or from the query form `{"data": [...], "href": ...}`."""
    if isinstance(value, dict):
        value = value.get("data")
    return None if value is None else list(rows_of(value))


def resources(rows: list[object]) -> list[RecordedStatus]:
    """Read resources with their events."""
    return [
        status(row, [event(one) for one in rows_of(row.get("events"))]) for row in map(row_in, rows)
    ]


def grouped(rows: list[object]) -> list[RecordedStatus]:
    """Read events with the resource in each; one resource's come together."""
    found: dict[tuple[object, object], list[Data]] = {}
    for row in map(row_in, rows):
        key = (row.get("resource_type"), str(row.get("resource_title")))
        found.setdefault(key, []).append(row)
    made = []
    for of_one in found.values():
        of_one.sort(key=lambda row: str(row.get("timestamp")))
        skipped = any(row.get("status") == SKIPPED for row in of_one)
        events = [event(row) for row in of_one if row.get("status") != SKIPPED]
        made.append(status({**of_one[0], "skipped": skipped}, events))
    return made


def row_in(row: object) -> Data:
    """Return a row that is an object."""
    if not isinstance(row, dict):
        raise FormError(f"{kind_of(row)} where an object was expected")
    return row


def event(row: object) -> RecordedEvent:
    """Read one event."""
    get = row_in(row).get
    message = text(get("message"))
    return hidden(
        RecordedEvent(
            property=text(get("property")),
            previous_value=data(get("old_value")),
            desired_value=data(get("new_value")),
            message=message,
            name=text(get("name")),
            status=text(get("status")),
            time=text(get("timestamp")),
            redacted=message is not None and "[redacted]" in message,
            corrective_change=flag(get("corrective_change")),
        )
    )


def status(row: Data, events: list[RecordedEvent]) -> RecordedStatus:
    """Make a status of a row and its events, as Puppet::Resource::Status#add_event does."""
    kind, title = text(row.get("resource_type")), text(row.get("resource_title"))
    if not kind or title is None:
        raise FormError("a resource has no 'resource_type' or no 'resource_title'")
    path = texts(row.get("containment_path"))
    made = sum(e.status == "success" for e in events)
    return RecordedStatus(
        title=title,
        file=text(row.get("file")),
        line=count(row.get("line")),
        resource=f"{capitalize_type(kind)}[{title}]",
        resource_type=kind,
        containment_path=path,
        time=text(row.get("timestamp")),
        failed=any(e.status == "failure" for e in events),
        failed_to_restart=any((e.message or "").startswith(FAILED_REFRESH) for e in events),
        changed=made > 0,
        out_of_sync=any(e.status != "audit" for e in events),
        skipped=flag(row.get("skipped")),
        change_count=made,
        out_of_sync_count=sum(e.status != "audit" for e in events),
        events=tuple(events),
        corrective_change=any(e.corrective_change for e in events),
    )


def metrics(rows: list[object]) -> tuple[Metric, ...]:
    """Read the figures, group by group."""
    groups: dict[str, dict[str, float]] = {}
    for row in rows:
        category, name, value = (row_in(row).get(key) for key in ("category", "name", "value"))
        if not isinstance(value, (int, float)):
            raise FormError(f"the metric '{category}' holds {kind_of(value)}")
        groups.setdefault(str(category), {})[str(name)] = value
    return tuple(labelled(name, figures) for name, figures in groups.items())
