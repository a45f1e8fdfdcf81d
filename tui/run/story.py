"""What happened step by step: the gravest of each, the log, and when each resource had its turn."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple, overload

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
from tui.present.glyphs import LOOKS
from tui.present.pieces import Line, Piece, printable, ref_pieces

# What a step is marked with, the gravest first; `steered` is a word of the person.
GRADES = ("failed", "restarted", "steered", "skipped", "changed", "noop", "unchanged")
LEVELS = {"err": "failed", "warning": "warning", "info": "dim", "debug": "faint"}


class Entry(NamedTuple):
    """A line of the log: its step, level, the resource, the rest of its source, and the text."""

    step: int
    level: str
    node: int | None
    part: str
    message: str


class Story:
    """Everything known of a run, also of what lies ahead of the cursor.

    `grades` are by step, from 0 for the beginning; `turn` is the step of each resource;
    `entries` are the lines of the log, `ends` how many of them there are after each step,
    `passes` the signs of steps at which a new part of the run begins; `MARKS` says which matter.
    """

    MARKS = "failure, refresh or skip"

    def __init__(self, timeline: Timeline) -> None:
        self.timeline = timeline
        self.passes: dict[int, str] = {}
        self.grades: list[str] = []
        self.turn: dict[int, int] = {}
        self.nodes: list[int | None] = []
        self.entries: list[Entry] = []
        self.ends: list[int] = []
        self.follow()

    def follow(self) -> None:
        """Take in the steps that are new."""
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
        """Take in one step."""
        graph, grade, node = self.timeline.graph, "unchanged", None
        for event in step:
            found = grade_of(event)
            of = getattr(event, "node", None)
            if of is not None and graph.resource(of) is None:
                # Ends of containers only pass on what others did.
                found = ""
            if found and GRADES.index(found) < GRADES.index(grade):
                grade = found
            if isinstance(event, Evaluating) and graph.resource(event.node) is not None:
                node = event.node
                self.turn[node] = number
            self.tell(number, event)
        self.grades.append(grade)
        self.nodes.append(node)
        self.ends.append(len(self.entries))

    def tell(self, number: int, event: Event) -> None:
        """Add what an event writes to the log."""
        told = steering(self.timeline, event)
        if told:
            self.entries.append(Entry(number, "notice", told[0], "", told[1]))
            return
        node = getattr(event, "node", getattr(event, "source", None))
        for found in self.timeline.log_of.lines((event,)):
            part = ""
            if isinstance(node, int) and found.source != "Puppet":
                path = self.timeline.log_of.path(node)
                part = found.source.removeprefix(path).removeprefix("/")
            owner = node if isinstance(node, int) else None
            self.entries.append(Entry(number, found.level, owner, part, found.message))

    def following(self, position: int) -> int | None:
        """Return the resource of the step after a position, as far as that is known."""
        return self.nodes[position + 1]

    def marks(self, position: int, *, back: bool) -> int | None:
        """Return the nearest step with a mark that matters, before or after a position."""
        steps = range(position - 1, 0, -1) if back else range(position + 1, len(self.grades))
        return next((step for step in steps if self.matters(step)), None)

    def matters(self, step: int) -> bool:
        """Tell whether a step has a mark that matters."""
        return self.grades[step] in GRADES[: GRADES.index("skipped") + 1]


def steering(timeline: Timeline, event: Event) -> tuple[int | None, str] | None:
    """Return what a person did to the run, and to which resource."""
    if isinstance(event, OutcomeSet):
        told = [
            f"{where} is to {what}"
            for where, what in (
                ("applying it", event.outcome.apply),
                ("its refresh", event.outcome.refresh),
            )
            if what
        ]
        return event.node, f"you said: {' and '.join(told) or 'as it would'}"
    if isinstance(event, NoopSet):
        return event.node, f"you said: noop {'on' if event.noop else 'off'}"
    return None


def grade_of(event: Event) -> str:
    """Return the grade of an event, empty for what is no mark."""
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


class LogLines(Sequence[Line]):
    """The first lines of a story's log; `chosen` are the places of those that pass a filter."""

    def __init__(self, story: Story, count: int, chosen: Sequence[int] | None = None) -> None:
        self.story = story
        self.chosen = chosen
        self.length = count if chosen is None else bisect_left(chosen, count)

    def __len__(self) -> int:
        return self.length

    def entry(self, index: int) -> Entry:
        """Return the entry of a line."""
        return self.story.entries[index if self.chosen is None else self.chosen[index]]

    @overload
    def __getitem__(self, index: int) -> Line: ...
    @overload
    def __getitem__(self, index: slice) -> list[Line]: ...
    def __getitem__(self, index: int | slice) -> Line | list[Line]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(self.length))]
        return log_line(self.story, self.entry(index))


def log_line(story: Story, entry: Entry) -> Line:
    """Return a line of the log: step, resource, property, what is said."""
    style = LEVELS.get(entry.level, "")
    look = LOOKS["failed"] if entry.level == "err" else None
    glyph = Piece(f"{look.glyph if look else ' '} ", "failed")
    head = (Piece(f"{entry.step or '':>5} ", "faint"), glyph)
    if entry.node is None:
        return (*head, Piece(printable(entry.message), style))
    name = ref_pieces(printable(story.timeline.graph.names[entry.node]))
    part = f" {entry.part}" if entry.part else ""
    return (*head, *name, Piece(part, "dim"), Piece("  "), Piece(printable(entry.message), style))
