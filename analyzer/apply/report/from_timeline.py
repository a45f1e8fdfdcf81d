"""The report of a run that was made here, as Puppet would have written it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from uuid import uuid4

from analyzer.apply.engine import events as happened
from analyzer.apply.engine.log import Line
from analyzer.apply.journals.journal import ReadJournal
from analyzer.apply.provider import LEVELS
from analyzer.apply.redaction import redact
from analyzer.apply.report.from_run import TurnFacts, recorded
from analyzer.apply.report.metrics import finished
from analyzer.apply.report.values import LogLine, RecordedStatus, RunReport
from analyzer.apply.timeline import Timeline

# Events that a status keeps (state.RULES).
KEPT = (
    happened.Changed,
    happened.EvaluationFailed,
    happened.Refreshed,
    happened.RefreshFailed,
)
TOLD = frozenset(LEVELS[LEVELS.index("notice") :])


@dataclass(frozen=True, slots=True)
class RunTimes:
    """The times of a run: `start` in epoch seconds, `at` for each event in seconds since.

    Without `at` nothing was measured, as in a simulation. `figures` are seconds of the run in
    Puppet's names (metrics.finished); `host` is where it was.
    """

    start: float
    at: Sequence[float] = ()
    figures: Mapping[str, float] = field(default_factory=dict)
    host: str = ""

    def time(self, place: int) -> str:
        """Return when an event was."""
        since = self.at[place] if 0 <= place < len(self.at) else 0.0
        return written(self.start + since)


def written(moment: float) -> str:
    """Return a time in epoch seconds as Puppet writes it: ISO 8601 with nine digits, in UTC."""
    whole = datetime.fromtimestamp(moment, UTC)
    return f"{whole:%Y-%m-%dT%H:%M:%S}.{whole.microsecond:06}000+00:00"


@dataclass(slots=True)
class Times:
    """The times of one resource's turn, by place among the events."""

    began: int = 0
    evaluated: int | None = None
    kept: list[int] = field(default_factory=list)


def report_of(timeline: Timeline, clock: RunTimes, *, last_words: Sequence[str] = ()) -> RunReport:
    """Return the report of a run, of as much of it as there is behind the cursor.

    `last_words` are logged at its end by the run itself.
    """
    catalog, settings = timeline.graph.graph.catalog, timeline.settings
    logs = [*log_lines(timeline, clock)]
    end = clock.time(len(timeline.events) - 1)
    logs += [LogLine("notice", words, "Puppet", ("notice",), end) for words in last_words]
    if timeline.error:
        message = f"Failed to apply catalog: {timeline.error}"
        logs.append(LogLine("err", message, "Puppet", ("err",), end))
    report = RunReport(
        host=clock.host or catalog.name,
        time=written(clock.start),
        configuration_version=catalog.version,
        transaction_uuid=str(uuid4()),
        puppet_version=f"{int(settings.puppet_version)}.0.0",
        noop=settings.noop,
        environment=catalog.environment or "production",
        logs=tuple(logs),
        resource_statuses=tuple(statuses(timeline, clock)),
    )
    completed = timeline.state.phase == "ended"
    made = finished(report, clock.figures, completed=completed)
    return replace(made, status="failed") if timeline.state.generation_failed else made


def report_of_recording(recording: ReadJournal, timeline: Timeline) -> RunReport:
    """Return the report of a run from its journal."""
    at = [one.at for one in recording.happenings]
    figures = dict(recording.header.get("figures", {}))
    if at:
        figures["transaction_evaluation"] = at[-1]
    host = str(recording.header.get("host", ""))
    return report_of(timeline, RunTimes(recording.time, at, figures, host))


def log_lines(timeline: Timeline, clock: RunTimes) -> Iterator[LogLine]:
    """Yield the log lines, from level notice on."""
    for place, event in enumerate(timeline.past()):
        for line in timeline.log_of.lines((event,)):
            if line.level in TOLD:
                yield log_line(timeline, event, line, clock.time(place))


def log_line(timeline: Timeline, event: happened.Event, line: Line, time: str) -> LogLine:
    """Return a line of the log with the place and the tags of what speaks."""
    node = getattr(event, "node", None)
    resource = None if node is None else timeline.graph.resource(node)
    if resource is None or line.source == "Puppet":
        return LogLine(line.level, line.message, line.source, (line.level,), time)
    tags = (line.level, *(resource.tags or ()))
    return LogLine(line.level, line.message, line.source, tags, time, resource.file, resource.line)


def statuses(timeline: Timeline, clock: RunTimes) -> Iterator[RecordedStatus]:
    """Yield the status of each resource, in the order of their turns."""
    graph, found = timeline.graph, timeline.state.statuses
    for node, times in times_of(timeline).items():
        resource, became = graph.resource(node), found[node]
        if resource is None or became is None:
            continue
        seconds = None
        if clock.at and times.evaluated is not None:
            seconds = max(0.0, clock.at[times.evaluated] - clock.at[times.began])
        turn = TurnFacts(
            clock.time(times.began),
            seconds,
            tuple(clock.time(place) for place in times.kept),
            tuple(graph.containment_path(node)),
            provider_of(timeline, node),
        )
        yield recorded(resource, became, turn)


def provider_of(timeline: Timeline, node: int) -> str | None:
    """Return the provider that a resource names."""
    resource = timeline.graph.resource(node)
    named = resource.parameters.get("provider") if resource else None
    return redact(resource, named) if isinstance(named, str) else None


def times_of(timeline: Timeline) -> dict[int, Times]:
    """Return the times of each node's turn."""
    found: dict[int, Times] = {}
    for place, event in enumerate(timeline.past()):
        if isinstance(event, happened.Evaluating | happened.Stopped):
            found[event.node] = Times(place)
        elif isinstance(event, happened.CycleFound):
            for node in event.nodes:
                found[node] = Times(place)
        elif isinstance(event, happened.Unsuitable):
            found.setdefault(event.node, Times(place))
        elif isinstance(event, happened.Evaluated):
            found[event.node].evaluated = place
        elif isinstance(event, KEPT):
            found[event.node].kept.append(place)
    return found
