"""A report as a run to go through: its events, put to the graph of its catalog or without one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from analyzer.apply.engine import events as happened
from analyzer.apply.engine.events import (
    FAILURE,
    NOOP,
    REFRESH,
    RESOURCE_ERROR,
    Event,
    ResourceEvent,
)
from analyzer.apply.engine.fold import take
from analyzer.apply.engine.log import Log
from analyzer.apply.engine.run_graph import RunGraph
from analyzer.apply.engine.skipping import FAILED, RunSettings, failed_dependencies
from analyzer.apply.engine.state import Draft, RunState
from analyzer.apply.report.run import ReportedRun, ResourceTurn
from analyzer.apply.report.values import LogLine, RecordedEvent, RunReport
from analyzer.model.catalog import Catalog
from analyzer.model.names import split_ref
from analyzer.model.resource import Resource

COUNT = re.compile(r"from (\d+) events?")
REFRESH_FAILED = "Failed to call refresh: "


def steps_of(
    graph: RunGraph, run: ReportedRun, logs: Sequence[LogLine] = ()
) -> tuple[list[list[Event]], list[str]]:
    """Return the steps of a recorded run, and the references that the graph does not have.

    Ends of containers are not in a report: they are passed as soon as what they wait for is done.
    `logs` are the report's lines; those of a resource are told in its step.
    """
    replay = Replay(graph, logs)
    replay.begin()
    steps = [replay.taken()]
    lost = []
    for turn in run.turns:
        try:
            node = graph.graph.locate(turn.ref)
        except KeyError:
            lost.append(turn.ref)
            continue
        if graph.resource(node) is not None:
            replay.turn(node, turn)
            steps.append(replay.taken())
    replay.emit(happened.Ended())
    steps[-1] += replay.taken()
    return steps, lost


class Replay:
    """Puts the turns of a run to a graph."""

    def __init__(self, graph: RunGraph, logs: Sequence[LogLine]) -> None:
        self.graph = graph
        self.draft = Draft(RunState.start(graph), graph)
        self.events: list[Event] = []
        self.ends = sum(1 << graph.place[n] for n in range(graph.nodes) if not graph.resource(n))
        self.log = Log(graph, RunSettings())
        self.logs_by_path: dict[str, list[LogLine]] = {}
        for one in logs:
            self.logs_by_path.setdefault(path_of(one.source or ""), []).append(one)

    def emit(self, event: Event) -> None:
        """Emit an event, and apply it to the state."""
        self.events.append(event)
        take(self.draft, event)

    def taken(self) -> list[Event]:
        """Return the events since the last time."""
        found, self.events = self.events, []
        return found

    def begin(self) -> None:
        """Start, and pass the containers that wait for nothing."""
        self.emit(happened.Started(None))
        self.pass_ends()

    def pass_ends(self) -> None:
        """Pass the ends of containers that wait for nothing."""
        while ready := self.draft.ready & self.ends:
            node = self.graph.queue[(ready & -ready).bit_length() - 1]
            self.emit(happened.Evaluating(node))
            self.emit(happened.Finished(node))

    def turn(self, node: int, turn: ResourceTurn) -> None:
        """Emit the events of a resource's turn."""
        self.emit(happened.Evaluating(node))
        failed = failed_dependencies(self.graph, self.draft, node)
        if failed and "skipped" in turn.words:
            self.emit(happened.DependenciesFailed(node, failed))
        found = [event_of(node, one) for one in turn.events]
        if "skipped" in turn.words:
            found = [happened.Skipped(node, FAILED if failed else ""), *found]
        for event in (*self.logged(node, found), *found):
            self.emit(event)
        self.emit(happened.Finished(node))
        self.pass_ends()

    def logged(self, node: int, found: Sequence[Event]) -> Iterator[Event]:
        """Yield the lines of the log that belong to no recorded event."""
        path = self.graph.path(node)
        known = {one.message for one in self.log.lines((*self.events, *found), debug=True)}
        for one in self.logs_by_path.get(path, ()):
            if one.message and one.message not in known:
                part = (one.source or "").removeprefix(path).removeprefix("/")
                yield happened.Said(node, one.level or "notice", one.message, part)


def path_of(source: str) -> str:
    """Return the path of the resource that a line of the log comes from, without the property."""
    return source[: source.rfind("]") + 1]


def event_of(node: int, recorded: RecordedEvent) -> Event:
    """Return the outcome of a recorded event."""
    message = recorded.message or ""
    found = COUNT.search(message)
    count = int(found[1]) if found else 1
    if recorded.name == REFRESH and recorded.status == "success":
        return happened.Refreshed(node, count)
    if recorded.name == RESOURCE_ERROR:
        if message.startswith(REFRESH_FAILED):
            return happened.RefreshFailed(node, count, message.removeprefix(REFRESH_FAILED))
        return happened.EvaluationFailed(node, message.removeprefix("Could not evaluate: "))
    if recorded.property is None and recorded.status == NOOP:
        return happened.RefreshWithheld(node, count)
    event = ResourceEvent(
        recorded.name or "",
        recorded.status or "",
        message,
        recorded.property,
        recorded.previous_value,
        recorded.desired_value,
        bool(recorded.redacted),
    )
    return happened.Changed(node, event, message if recorded.status == FAILURE else "")


def catalog_of(run: ReportedRun, report: RunReport | None = None) -> Catalog:
    """Return the resources that a run tells of as a catalog: what contains them, no relationships.

    Without a report there are no places and no containers either.
    """
    statuses = {one.resource: one for one in report.resource_statuses} if report else {}
    found: dict[str, Resource] = {}
    containment: dict[tuple[str, str], None] = {}
    for turn in run.turns:
        kind, title = split_ref(turn.ref) or ("", turn.ref)
        status = statuses.get(turn.ref)
        resource = Resource(kind, title, {})
        if status is not None:
            resource.file, resource.line = status.file, status.line
            resource.tags = list(status.tags)
            path = [container_ref(part) for part in status.containment_path[:-1]]
            for ref in path:
                found.setdefault(ref, Resource(*(split_ref(ref) or ("Class", ref)), {}))
            for outer, inner in zip(path, [*path[1:], turn.ref], strict=False):
                containment[outer, inner] = None
        found[turn.ref] = resource
    catalog = Catalog(list(found.values()), list(containment))
    catalog.name = run.name
    catalog.environment = run.environment or ""
    catalog.automatic = False
    catalog.format = 1
    return catalog


def container_ref(part: str) -> str:
    """Return the reference of a part of a containment path: classes stand there by their title."""
    return part if part.endswith("]") else f"Class[{part}]"
