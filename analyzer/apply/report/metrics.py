"""Metrics of a run: figures, its status, the summary (Report#finalize_report)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from analyzer.apply.report.values import Metric, RecordedStatus, RunReport

TOTAL = "total"
# Puppet::Resource::Status::STATES; a report does not tell `scheduled`, which is one more.
STATES = (
    "skipped",
    "failed",
    "failed_to_restart",
    "restarted",
    "changed",
    "out_of_sync",
    "scheduled",
    "corrective_change",
)


def labelled(name: str, figures: Mapping[str, float]) -> Metric:
    """Return figures with Puppet's labels: the first letter large, blanks for underscores."""
    rows = tuple((key, label(key), value) for key, value in figures.items())
    return Metric(name, label(name), rows)


def label(name: str) -> str:
    """Return the label of a name (Puppet::Util::Metric.labelize)."""
    return name.capitalize().replace("_", " ")


def resource_figures(
    statuses: tuple[RecordedStatus, ...], scheduled: int | None = None
) -> dict[str, int]:
    """Count the resources by what became of them; `scheduled` counts those that had their turn."""
    figures = {TOTAL: len(statuses)}
    for state in STATES:
        if state == "scheduled":
            figures[state] = scheduled or 0
        else:
            figures[state] = sum(bool(getattr(one, state)) for one in statuses)
    return figures


def time_figures(
    statuses: tuple[RecordedStatus, ...], times: Mapping[str, float]
) -> dict[str, float]:
    """Return the seconds by type, then those of the run that were measured besides."""
    figures: dict[str, float] = {}
    for one in statuses:
        if one.evaluation_time is not None:
            kind = (one.resource_type or "").lower()
            figures[kind] = figures.get(kind, 0.0) + one.evaluation_time
    for name, seconds in times.items():
        figures[name.lower()] = seconds
    return figures


def event_figures(statuses: tuple[RecordedStatus, ...]) -> dict[str, int]:
    """Count the events by their status."""
    figures = {TOTAL: 0, "failure": 0, "success": 0}
    for one in statuses:
        for event in one.events:
            figures[TOTAL] += 1
            key = event.status or ""
            figures[key] = figures.get(key, 0) + 1
    return figures


def finished(
    report: RunReport,
    times: Mapping[str, float] | None = None,
    *,
    completed: bool = True,
    scheduled: int | None = None,
) -> RunReport:
    """Return a report with its figures and its status, as Puppet makes them at a run's end.

    `times` are seconds that no resource has, in Puppet's names: config_retrieval,
    transaction_evaluation, catalog_application, total.
    """
    statuses = report.resource_statuses
    counted = resource_figures(statuses, scheduled)
    changes = sum(one.change_count or 0 for one in statuses)
    return replace(
        report,
        metrics=(
            labelled("resources", counted),
            labelled("time", time_figures(statuses, times or {})),
            labelled("changes", {TOTAL: changes}),
            labelled("events", event_figures(statuses)),
        ),
        transaction_completed=completed,
        status=status_of(counted, changes, completed),
        noop_pending=any(one.pending for one in statuses),
        corrective_change=any(one.corrective_change for one in statuses),
    )


def status_of(counted: Mapping[str, int], changes: int, completed: bool) -> str:
    """Return the status of a run (Report#compute_status)."""
    if not completed or counted["failed"] or counted["failed_to_restart"]:
        return "failed"
    return "changed" if changes else "unchanged"
