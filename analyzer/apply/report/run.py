"""A run as a sequence: what became of each resource, when its turn came, and how long it took."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from analyzer.apply.report.values import REFRESH, RecordedEvent, RecordedStatus, RunReport
from analyzer.model.documents import JsonObject
from analyzer.model.types import BUILT_IN

# Words for the status of a resource, by severity; without any of them, it was in sync.
WORDS = ("failed", "failed_to_restart", "skipped", "changed", "restarted", "noop")

ADDED = frozenset(f"{kind}[{title}]" for kind, title in BUILT_IN)


@dataclass(frozen=True, slots=True)
class ResourceTurn:
    """One resource's turn.

    `words` are those of WORDS that hold. `start` is in seconds since the first turn, `seconds`
    what the turn took with its refresh; None where the run was not measured or it was skipped.
    `messages` say what failed.
    """

    ref: str
    words: tuple[str, ...] = ()
    messages: tuple[str, ...] = ()
    start: float | None = None
    seconds: float | None = None
    corrective: bool = False
    events: tuple[RecordedEvent, ...] = ()


@dataclass(frozen=True, slots=True)
class ReportedRun:
    """A recorded or simulated run, its turns in order.

    `name` is the host's, or the file's if there is none. `measured` says whether it has seconds,
    `complete` whether resources that are not in it were not in the run.
    """

    name: str
    status: str
    turns: tuple[ResourceTurn, ...]
    time: str | None = None
    environment: str | None = None
    puppet_version: str | None = None
    complete: bool = True

    @property
    def measured(self) -> bool:
        """Return whether any turn has its seconds."""
        return any(turn.seconds is not None for turn in self.turns)

    @property
    def added(self) -> int:
        """Return the number of turns of resources that Puppet adds to every catalog."""
        return sum(turn.ref in ADDED for turn in self.turns)

    @property
    def seconds(self) -> float:
        """Return the seconds of all turns together."""
        return sum(turn.seconds or 0.0 for turn in self.turns)


def of_report(report: RunReport, path: str) -> ReportedRun:
    """Return the run that a report tells of."""
    first = min(filter(None, (moment(one.time) for one in report.resource_statuses)), default=None)
    return ReportedRun(
        name=report.host or path,
        status=report.status or "",
        turns=tuple(turn(one, first) for one in report.resource_statuses),
        time=report.time,
        environment=report.environment,
        puppet_version=report.puppet_version,
        complete=report.complete and not leaves_out(report),
    )


def leaves_out(report: RunReport) -> bool:
    """Return whether a report has fewer resources than the run had: `exclude_unchanged_resources`,
    the default from Puppet 8 on."""
    return report.metric("resources")["total"] > len(report.resource_statuses)


def turn(status: RecordedStatus, first: float | None) -> ResourceTurn:
    """Return the turn of one resource; `first` is when the first one began, in epoch seconds."""
    began = moment(status.time)
    return ResourceTurn(
        ref=status.resource,
        words=words_of(status),
        messages=tuple(e.message for e in status.events if e.status == "failure" and e.message),
        start=None if began is None or first is None else began - first,
        seconds=seconds_of(status, began),
        corrective=bool(status.corrective_change),
        events=status.events,
    )


def words_of(status: RecordedStatus) -> tuple[str, ...]:
    """Return the words that hold; `changed` only if there was more than a refresh."""
    changed = any(e.status == "success" and e.name != REFRESH for e in status.events)
    held = {
        "failed": status.failed,
        "failed_to_restart": status.failed_to_restart,
        "skipped": status.skipped,
        "changed": changed or (status.changed and not status.events),
        "restarted": status.restarted,
        "noop": status.pending,
    }
    return tuple(word for word in WORDS if held[word])


def seconds_of(status: RecordedStatus, began: float | None) -> float | None:
    """Return how long a turn took.

    Puppet's `evaluation_time` ends before the refresh, which follows at once and can be the most of
    it; the event of the refresh is made when that is over (transaction/event_manager.rb).
    """
    if status.evaluation_time is None:
        return None
    ends = [moment(e.time) for e in status.events if e.name in (REFRESH, "resource_error")]
    refreshed = [end - began for end in ends if end is not None and began is not None]
    return max([status.evaluation_time, *refreshed])


def moment(text: str | None) -> float | None:
    """Return a time in epoch seconds, None if there is none or it is written in another way."""
    if text is None:
        return None
    try:
        # Nine digits of a second are more than Python takes.
        head, dot, rest = text.partition(".")
        digits = rest[: len(rest) - len(rest.lstrip("0123456789"))]
        found = datetime.fromisoformat(head + rest[len(digits) :].replace("Z", "+00:00"))
        return found.timestamp() + (float("0." + digits) if dot and digits else 0.0)
    except ValueError:
        return None


def rows(run: ReportedRun) -> Iterator[JsonObject]:
    """Yield the turns as data, for other programs."""
    for one in run.turns:
        yield {
            "ref": one.ref,
            "start": rounded(one.start),
            "seconds": rounded(one.seconds),
            "outcome": list(one.words),
            "corrective": one.corrective,
            "events": [
                {"name": e.name, "property": e.property, "status": e.status, "message": e.message}
                for e in one.events
            ],
        }


def rounded(seconds: float | None) -> float | None:
    """Return seconds in microseconds' precision: more than was measured is noise."""
    return None if seconds is None else round(seconds, 6)
