"""Reasons to skip a resource: tags, schedule, failed dependencies (Transaction#skip?)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from analyzer.apply.engine.eval_generate import sources
from analyzer.apply.engine.run_graph import RunGraph
from analyzer.apply.engine.schedule import BEGINNING, ScheduleError, allows
from analyzer.apply.engine.state import Draft
from analyzer.apply.redaction import redact

SKIP_TAGS, TAGS, SCHEDULE, FAILED = "skip_tags", "tags", "schedule", "failed_dependencies"
REASONS = (SKIP_TAGS, TAGS, SCHEDULE, FAILED)


class NoScheduleError(Exception):
    """A resource's schedule is not there, or is none, which ends Puppet's whole run."""


@dataclass(frozen=True, slots=True)
class RunSettings:
    """The settings of a run, with Puppet's names.

    `look_only` is a noop that also holds for resources that say `noop => false`. `now` is the local
    time that schedules go by; `puppet_version` the major version whose words the log has.
    `checked` is when resources that have a schedule were last looked at, by reference.
    `unannounced` are resources that could not say what they bring, each with the reason.
    """

    noop: bool = False
    look_only: bool = False
    tags: tuple[str, ...] = ()
    skip_tags: tuple[str, ...] = ()
    ignoreschedules: bool = False
    puppet_version: int = 8
    now: datetime = datetime(2024, 1, 1, 12)
    checked: Mapping[str, datetime] = field(default_factory=dict)
    unannounced: tuple[tuple[str, str], ...] = ()


def reason_to_skip(graph: RunGraph, draft: Draft, settings: RunSettings, node: int) -> str:
    """Return which of REASONS holds first, empty for none.

    Raises:
        NoScheduleError: the resource's schedule is not there.
    """
    if settings.skip_tags and not graph.tags(node).isdisjoint(settings.skip_tags):
        return SKIP_TAGS
    if settings.tags and graph.tags(node).isdisjoint(settings.tags):
        return TAGS
    if not settings.ignoreschedules and not is_scheduled(graph, node, settings):
        return SCHEDULE
    return FAILED if draft.status(node).failed_dependencies else ""


def is_scheduled(graph: RunGraph, node: int, settings: RunSettings) -> bool:
    """Return whether a node's schedule allows it to be applied now."""
    resource = graph.resource(node)
    name = resource.parameters.get("schedule") if resource else None
    if not name:
        return True
    found = graph.graph.id_titled("Schedule", str(name))
    if found is None:
        raise NoScheduleError(f"Could not find schedule {name}")
    schedule = graph.resources[found]
    try:
        before = settings.checked.get(graph.names[node], BEGINNING)
        return allows(schedule.parameters, schedule.title, settings.now, before)
    except ScheduleError as error:
        raise NoScheduleError(f"{schedule}: {redact(schedule, str(error))}") from None


def failed_dependencies(graph: RunGraph, draft: Draft, node: int) -> tuple[int, ...]:
    """Return the failed resources that a node waits for, directly or further up.

    In Puppet's order: each source's own failed dependencies, then the source itself if it failed.
    """
    if not draft.tainted >> node & 1:
        return ()
    statuses = draft.statuses

    def is_in_trouble(source: int) -> bool:
        status = statuses[source]
        return status is not None and bool(status.failed or status.failed_dependencies)

    found: dict[int, None] = {}
    for source in sources(graph, draft, node, is_in_trouble):
        status = draft.status(source)
        found.update(dict.fromkeys(status.failed_dependencies))
        if status.failed:
            found[source] = None
    return tuple(found)
