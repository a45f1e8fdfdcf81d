"""The plan, the progress and the summary of a real run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from analyzer.apply.engine.events import Event, Said
from analyzer.apply.engine.log import LEVELS, Log
from analyzer.apply.engine.run_graph import RunGraph
from analyzer.apply.timeline import Timeline
from analyzer.escape import shown
from analyzer.export.runs.result import OutcomeGroups, Style, colored, count, grouped, own_nodes

COLORS = {
    "failed": "red",
    "skipped": "yellow",
    "refreshed": "cyan",
    "withheld": "cyan",
    "changed": "green",
    "noop": "green",
}
# How the groups are called in a line, and in a plan.
WORDS = {"withheld": "would be refreshed", "noop": "would change"}
PLANNED = {
    "failed": "fails",
    "skipped": "is skipped",
    "refreshed": "is refreshed",
    "changed": "changes",
}
SHOWN_LEVELS = frozenset(LEVELS[LEVELS.index("notice") :])

# By reference and property.
Diffs = Mapping[tuple[str, str], Iterable[str]]
Write = Callable[[str], object]


class Progress:
    """Writes a line for each thing that happens to a resource."""

    def __init__(self, graph: RunGraph, write: Write, style: Style) -> None:
        self.graph = graph
        self.names = names = graph.names
        self.write = write
        self.style = style
        self.groups = OutcomeGroups(names)

    def listen(self, event: Event) -> None:
        """Take an event."""
        if isinstance(event, Said) and event.level in SHOWN_LEVELS:
            self.write(f"            {self.style('dim', shown(event.message))}")
            return
        row = self.groups.row_of(event)
        if row is not None and self.is_own(row[1]):
            group, node, remark = row
            word = f"{WORDS.get(group, group):<10}"
            color = COLORS[group]
            self.write(f"{self.style(color, word)}  {shown(self.names[node])}  {shown(remark)}")

    def is_own(self, node: int) -> bool:
        """Return whether a node is a resource of the catalog, or was brought by one."""
        declared = len(self.graph.graph.catalog.resources)
        inside = node < declared or node >= self.graph.base
        return inside and self.graph.resource(node) is not None


class Console:
    """Writes the lines that `puppet apply` prints, as they happen, from a level on."""

    def __init__(self, log: Log, level: str, write: Write, style: Style) -> None:
        self.log = log
        self.wanted = frozenset(LEVELS[LEVELS.index(level) :])
        self.write = write
        self.style = style

    def listen(self, event: Event) -> None:
        """Take an event."""
        for line in self.log.lines((event,), debug="debug" in self.wanted):
            if line.level in self.wanted:
                self.write(colored(line, self.style))


@dataclass(frozen=True, slots=True)
class Planned:
    """One thing that a run would do; `doubts` are warnings before it, `diff` is of a file."""

    ref: str
    group: str
    remark: str
    doubts: tuple[str, ...]
    diff: tuple[str, ...]

    @property
    def message(self) -> str:
        """Return the remark behind its group, empty if there is none."""
        return "" if self.remark == "executed successfully" else shown(self.remark)


def planned(timeline: Timeline, diffs: Diffs) -> Iterator[Planned]:
    """Yield the planned changes of a run, in order, with differences of files."""
    groups = OutcomeGroups(timeline.graph.names)
    own = own_nodes(timeline)
    doubts: list[str] = []
    for event in timeline.past():
        if isinstance(event, Said) and event.level == "warning":
            doubts.append(event.message)
        row = groups.row_of(event)
        if row is None or row[1] not in own:
            continue
        group, node, remark = row
        name = timeline.graph.names[node]
        prop = getattr(getattr(event, "event", None), "property", None) or ""
        yield Planned(name, group, remark, tuple(doubts), tuple(diffs.get((name, prop), ())))
        doubts.clear()


def plan_text(timeline: Timeline, diffs: Diffs, style: Style) -> Iterator[str]:
    """Yield the planned changes of a run as lines, with differences of files."""
    for number, one in enumerate(planned(timeline, diffs), 1):
        words = style(COLORS[one.group], PLANNED.get(one.group, one.group))
        message = f": {one.message}" if one.message else ""
        yield f"{number:>4}. {shown(one.ref)} {words}{message}"
        for doubt in one.doubts:
            yield f"      {style('yellow', shown(doubt))}"
        for line in one.diff:
            color = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])
            yield f"      {style(color, shown(line)) if color else shown(line)}"


def verdict(timeline: Timeline, seconds: float | None, style: Style) -> str:
    """Return the last line of a run: how many resources came out how."""
    groups = grouped(timeline)
    parts = [
        f"{style(COLORS[group], str(len(rows)))} {WORDS.get(group, group)}"
        for group in COLORS
        if (rows := groups.get(group))
    ]
    status = style("red" if timeline.status == "failed" else "bold", timeline.status)
    took = "" if seconds is None else f" in {seconds:.2f} s"
    return f"status: {status}; {', '.join([count(list(own_nodes(timeline))), *parts])}{took}"
