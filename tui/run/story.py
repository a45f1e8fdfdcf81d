"""The story of a run: the most severe event of each step, its resource, and its log lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from analyzer.apply.breakpoints import is_failure
from analyzer.apply.engine.events import (
    NOOP,
    Changed,
    Evaluating,
    Event,
    NoopSet,
    OutcomeSet,
    Refreshed,
    RefreshWithheld,
    Skipped,
)
from analyzer.apply.timeline import Timeline

# The marks of steps, by severity; `steered` is a command of the user.
GRADES = ("failed", "restarted", "steered", "skipped", "changed", "noop", "unchanged")


class StoryLine(NamedTuple):
    """A line of the log: its step, level, resource, property, and message."""

    step: int
    level: str
    node: int | None
    part: str
    message: str


class Story:
    """The steps of a run, also those after the current position.

    `grades` are by step, from 0 for the beginning; `turn` is the step of each resource.
    `entries` are the lines of the log, `ends` their number after each step, and `passes` the signs
    of steps that begin a new part of the run. `MARKS` names the steps that `marks` finds.
    """

    MARKS = "failure, refresh or skip"

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.passes: dict[int, str] = {}
        self.grades: list[str] = []
        self.turn: dict[int, int] = {}
        self.nodes: list[int | None] = []
        self.entries: list[StoryLine] = []
        self.ends: list[int] = []
        self.follow()

    def follow(self) -> None:
        """Add the steps that are new."""
        for number in range(len(self.grades), len(self.timeline) + 1):
            self.take(number, self.timeline.step_at(number))

    def fork(self, timeline: Timeline) -> Story:
        """Return the story of a run that shares the steps up to its cursor."""
        position = timeline.position
        other = Story.__new__(Story)
        other.timeline = timeline
        other.passes = self.passes
        other.grades = self.grades[: position + 1]
        other.nodes = self.nodes[: position + 1]
        other.turn = {node: step for node, step in self.turn.items() if step <= position}
        other.entries = self.entries[: self.ends[position]]
        other.ends = self.ends[: position + 1]
        return other

    def take(self, number: int, step: Sequence[Event]) -> None:
        """Add one step."""
        graph, grade, node = self.timeline.graph, "unchanged", None
        for event in step:
            found = grade_of(event)
            of = getattr(event, "node", None)
            if of is not None and graph.resource(of) is None:
                # The ends of containers only pass events on.
                found = ""
            if found and GRADES.index(found) < GRADES.index(grade):
                grade = found
            if isinstance(event, Evaluating) and graph.resource(event.node) is not None:
                node = event.node
                self.turn[node] = number
            self.log(number, event)
        self.grades.append(grade)
        self.nodes.append(node)
        self.ends.append(len(self.entries))

    def log(self, number: int, event: Event) -> None:
        """Add the lines that an event writes to the log."""
        told = steering(self.timeline, event)
        if told:
            self.entries.append(StoryLine(number, "notice", told[0], "", told[1]))
            return
        node = getattr(event, "node", getattr(event, "source", None))
        for found in self.timeline.log_of.lines((event,)):
            part = ""
            if isinstance(node, int) and found.source != "Puppet":
                path = self.timeline.log_of.path(node)
                part = found.source.removeprefix(path).removeprefix("/")
            owner = node if isinstance(node, int) else None
            for row in found.message.splitlines():
                self.entries.append(StoryLine(number, found.level, owner, part, row))

    def following(self, position: int) -> int | None:
        """Return the resource of the step after a position."""
        return self.nodes[position + 1]

    def marks(self, position: int, *, back: bool) -> int | None:
        """Return the nearest step that matters, before or after a position."""
        steps = range(position - 1, 0, -1) if back else range(position + 1, len(self.grades))
        return next((step for step in steps if self.matters(step)), None)

    def matters(self, step: int) -> bool:
        """Return whether a step has a mark that matters."""
        return self.grades[step] in GRADES[: GRADES.index("skipped") + 1]


def steering(timeline: Timeline, event: Event) -> tuple[int | None, str] | None:
    """Return the resource and the message of a command that steered the run."""
    if isinstance(event, OutcomeSet):
        told = [
            f"{where} will {what}"
            for where, what in (
                ("apply", event.outcome.apply),
                ("refresh", event.outcome.refresh),
            )
            if what
        ]
        return event.node, f"injected: {' and '.join(told) or 'no outcome'}"
    if isinstance(event, NoopSet):
        return event.node, f"switched noop {'on' if event.noop else 'off'}"
    return None


def grade_of(event: Event) -> str:
    """Return the mark of an event; empty for none."""
    if is_failure(event):
        return "failed"
    if isinstance(event, Changed):
        return "noop" if event.event.status == NOOP else "changed"
    if isinstance(event, Refreshed):
        return "restarted"
    if isinstance(event, Skipped):
        return "skipped"
    if isinstance(event, RefreshWithheld):
        return "noop"
    return "steered" if isinstance(event, OutcomeSet | NoopSet) else ""
