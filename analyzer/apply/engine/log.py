"""Puppet's log of a run's events: level, source and message, word for word."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from analyzer.apply.engine import events as happened
from analyzer.apply.engine.events import FAILURE, Event
from analyzer.apply.engine.run_graph import RunGraph
from analyzer.apply.engine.simulated_changes import level_of
from analyzer.apply.engine.skipping import FAILED, SCHEDULE, SKIP_TAGS, TAGS, RunSettings
from analyzer.apply.engine.state import count_of_events
from analyzer.escape import joined, shown

PUPPET = "Puppet"

# How the console names levels, and which of them it prints on standard error.
CONSOLE = {
    "debug": "Debug",
    "info": "Info",
    "notice": "Notice",
    "warning": "Warning",
    "err": "Error",
    "alert": "Alert",
    "emerg": "Emergency",
    "crit": "Critical",
}


class Line(NamedTuple):
    """A line of the log; `source` is a path, or `Puppet`."""

    level: str
    source: str
    message: str

    def console(self) -> str:
        """Return the line as Puppet prints it, with unprintable characters escaped."""
        prefix = "" if self.source == PUPPET else f"{self.source}: "
        return shown(f"{CONSOLE[self.level]}: {prefix}{self.message}")


class Lines(Line):
    """A message of several lines, each of which is safe to print."""

    __slots__ = ()

    def console(self) -> str:
        """Return the lines as Puppet prints them."""
        return joined(f"{CONSOLE[self.level]}: {self.message}".split("\n"))


class Log:
    """Turns events into lines."""

    def __init__(self, graph: RunGraph, settings: RunSettings) -> None:
        self.graph = graph
        self.settings = settings
        self._paths: dict[int, str] = {}

    def lines(self, happenings: Iterable[Event], *, debug: bool = False) -> Iterator[Line]:
        """Yield the lines of events, those of level debug only if they are wanted."""
        for event in happenings:
            wording = WORDINGS.get(type(event))
            if wording is None:
                continue
            for line in wording(self, event):
                if debug or line.level != "debug":
                    yield line

    def path(self, node: int) -> str:
        """Return the path of a node."""
        known = self._paths.get(node)
        if known is None:
            known = self._paths[node] = self.graph.path(node)
        return known

    def of(self, node: int, level: str, message: str) -> Line:
        """Return a line of a node."""
        return Line(level, self.path(node), message)

    def name(self, node: int) -> str:
        """Return a node as messages name it."""
        return self.graph.names[node]

    def level(self, node: int) -> str:
        """Return the log level of changes of a resource."""
        resource = self.graph.resource(node)
        return level_of(resource) if resource else "notice"


def started(_: Log, event: happened.Started) -> Iterator[Line]:
    """Log which configuration is applied."""
    if event.version is not None:
        yield Line("info", PUPPET, f"Applying configuration version '{event.version}'")


def failure_told(log: Log, event: happened.FailureTold) -> Iterator[Line]:
    """Log of whose failure a resource is the first to hear."""
    message = f"Dependency {log.name(event.dependency)} has failures: true"
    yield log.of(event.node, "notice", message)


def skipped(log: Log, event: happened.Skipped) -> Iterator[Line]:
    """Log why a node is passed over."""
    settings = log.settings
    because = {
        SKIP_TAGS: f"Skipping with skip tags {', '.join(settings.skip_tags)}",
        TAGS: f"Not tagged with {', '.join(settings.tags)}",
        SCHEDULE: "Not scheduled",
    }.get(event.reason)
    if because:
        yield log.of(event.node, "debug", because)
    elif event.reason == FAILED and log.graph.resource(event.node) is not None:
        yield log.of(event.node, "warning", "Skipping because of failed dependencies")
    yield log.of(event.node, "debug", "Resource is being skipped, unscheduling all events")


def events_dropped(log: Log, event: happened.EventsDropped) -> Iterator[Line]:
    """Log that nothing waits for a node any more."""
    yield log.of(event.node, "info", f"Unscheduling all events on {log.name(event.node)}")


def said(log: Log, event: happened.Said) -> Iterator[Line]:
    """Log the message of a provider."""
    source = PUPPET if event.part is None else log.path(event.node)
    yield Line(event.level, f"{source}/{event.part}" if event.part else source, event.message)


def changed(log: Log, event: happened.Changed) -> Iterator[Line]:
    """Log a change, or why it was not made."""
    failure = event.event.status == FAILURE
    if failure:
        yield Line("err", PUPPET, event.reason)
    level = "err" if failure else log.level(event.node)
    yield Line(level, f"{log.path(event.node)}/{event.event.property}", event.event.message)


def evaluation_failed(log: Log, event: happened.EvaluationFailed) -> Iterator[Line]:
    """Log why nothing could be found out."""
    yield log.of(event.node, "err", f"Could not evaluate: {event.reason}")


def generation_failed(log: Log, event: happened.GenerationFailed) -> Iterator[Line]:
    """Log why a resource brings nothing."""
    hook = "generate" if event.early else "eval_generate"
    message = f"Failed to generate additional resources using '{hook}': {event.reason}"
    yield log.of(event.node, "err", message)


def stopped(log: Log, event: happened.Stopped) -> Iterator[Line]:
    """Log that a resource is passed over."""
    yield log.of(event.node, "debug", "Transaction canceled, skipping")


def queued(log: Log, event: happened.Queued) -> Iterator[Line]:
    """Log who is to answer an event."""
    name = log.name(event.target)
    if log.graph.is_completed_end(event.target):
        message = f"The container {name} will propagate my refresh event"
        yield log.of(event.source, "debug", message)
    else:
        yield log.of(event.source, "info", f"Scheduling refresh of {name}")


def refresh_unscheduled(log: Log, event: happened.RefreshUnscheduled) -> Iterator[Line]:
    """Log that a resource need not answer."""
    yield log.of(event.node, "info", f"Unscheduling refresh on {log.name(event.node)}")


def refreshed(log: Log, event: happened.Refreshed) -> Iterator[Line]:
    """Log that a resource answered; ends of containers are silent."""
    if log.graph.resource(event.node) is not None:
        yield log.of(event.node, "notice", count_of_events("Triggered 'refresh'", event.count))


def refresh_failed(log: Log, event: happened.RefreshFailed) -> Iterator[Line]:
    """Log why a resource could not answer."""
    yield log.of(event.node, "err", f"Failed to call refresh: {event.reason}")
    yield log.of(event.node, "err", event.reason)


def refresh_withheld(log: Log, event: happened.RefreshWithheld) -> Iterator[Line]:
    """Log what noop withheld."""
    message = count_of_events("Would have triggered 'refresh'", event.count)
    yield log.of(event.node, "notice", message)


def unsuitable(log: Log, event: happened.Unsuitable) -> Iterator[Line]:
    """Log that a provider does not work here."""
    if event.provider and not event.untagged:
        message = f"Provider {event.provider} is not functional on this host"
        yield log.of(event.node, "err", message)


def cycle_found(_: Log, event: happened.CycleFound) -> Iterator[Line]:
    """Log the cycles."""
    yield Lines("err", PUPPET, event.text)


def ended(_: Log, event: happened.Ended) -> Iterator[Line]:
    """Log which types lack a provider."""
    for name in event.types:
        yield Line("err", PUPPET, f"Could not find a suitable provider for {name}")


WORDINGS: dict[type, Callable[[Log, Any], Iterator[Line]]] = {
    happened.Started: started,
    happened.FailureTold: failure_told,
    happened.Skipped: skipped,
    happened.EventsDropped: events_dropped,
    happened.Said: said,
    happened.Changed: changed,
    happened.EvaluationFailed: evaluation_failed,
    happened.GenerationFailed: generation_failed,
    happened.Stopped: stopped,
    happened.Queued: queued,
    happened.RefreshUnscheduled: refresh_unscheduled,
    happened.Refreshed: refreshed,
    happened.RefreshFailed: refresh_failed,
    happened.RefreshWithheld: refresh_withheld,
    happened.Unsuitable: unsuitable,
    happened.CycleFound: cycle_found,
    happened.Ended: ended,
}
