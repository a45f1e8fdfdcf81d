"""The values of a report (Puppet::Transaction::Report), fields in the order of `to_data_hash`."""

from __future__ import annotations

from dataclasses import dataclass, field

# What Puppet writes in the place of a value that must not be seen (util/log, Event#redacted).
REDACTED = "[redacted]"

# Name of the event that a refresh ends with; its status is the result.
REFRESH = "refresh"


@dataclass(frozen=True, slots=True)
class RecordedEvent:
    """The event of one property, or of a refresh (Puppet::Transaction::Event).

    `status` is success, failure, noop or audit. Values are data: texts, numbers, lists, hashes.
    `time` is a text in ISO 8601. `redacted` says that the values were sensitive: they are not here.
    """

    audited: bool | None = False
    property: str | None = None
    previous_value: object = None
    desired_value: object = None
    historical_value: object = None
    message: str | None = None
    name: str | None = None
    status: str | None = None
    time: str | None = None
    redacted: bool | None = False
    corrective_change: bool | None = False


@dataclass(frozen=True, slots=True)
class RecordedStatus:
    """The status of one resource (Puppet::Resource::Status).

    `resource` is its reference, `evaluation_time` the seconds that its own turn took (without
    refreshes; None: it was skipped, or it is not known), `time` when its turn came.
    """

    title: str | None
    file: str | None
    line: int | None
    resource: str
    resource_type: str | None
    provider_used: str | None = None
    containment_path: tuple[str, ...] = ()
    evaluation_time: float | None = None
    tags: tuple[str, ...] = ()
    time: str | None = None
    failed: bool | None = False
    failed_to_restart: bool | None = False
    changed: bool | None = False
    out_of_sync: bool | None = False
    skipped: bool | None = False
    change_count: int | None = 0
    out_of_sync_count: int | None = 0
    events: tuple[RecordedEvent, ...] = ()
    corrective_change: bool | None = False

    @property
    def restarted(self) -> bool:
        """Return whether it was refreshed; reports keep only the event."""
        return any(e.name == REFRESH and e.status == "success" for e in self.events)

    @property
    def pending(self) -> bool:
        """Return whether only noop prevented a change."""
        return any(e.status == "noop" for e in self.events)


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of the log of a run (Puppet::Util::Log); `level` is debug, info, notice, ..."""

    level: str | None
    message: str | None
    source: str | None
    tags: tuple[str, ...] = ()
    time: str | None = None
    file: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Metric:
    """A group of figures (Puppet::Util::Metric): `values` are name, label, figure."""

    name: str
    label: str | None
    values: tuple[tuple[str, str | None, float], ...] = ()

    def __getitem__(self, name: str) -> float:
        return next((value for known, _, value in self.values if known == name), 0)


@dataclass(frozen=True, slots=True)
class RunReport:
    """A run as Puppet reports it; `resource_statuses` stand in the order of evaluation.

    `status` is failed, changed or unchanged. `producer` and `end_time` are PuppetDB's alone.
    `complete` says whether the form it was read from tells of every resource and its seconds,
    which those of PuppetDB do not.
    """

    host: str | None
    time: str | None
    configuration_version: object = None
    transaction_uuid: str | None = None
    report_format: int | None = 12
    puppet_version: str | None = None
    status: str | None = None
    transaction_completed: bool | None = None
    noop: bool | None = False
    noop_pending: bool | None = None
    environment: str | None = None
    logs: tuple[LogLine, ...] = ()
    metrics: tuple[Metric, ...] = ()
    resource_statuses: tuple[RecordedStatus, ...] = ()
    corrective_change: bool | None = None
    server_used: str | None = None
    catalog_uuid: str | None = None
    code_id: str | None = None
    job_id: str | None = None
    cached_catalog_status: str | None = None
    producer: str | None = None
    end_time: str | None = None
    complete: bool = field(default=True)

    def metric(self, name: str) -> Metric:
        """Return a group of figures, an empty one if the report has none of that name."""
        return next((m for m in self.metrics if m.name == name), Metric(name, None))
