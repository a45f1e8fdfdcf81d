"""A real run for people: the plan before it, a line for each thing as it happens, the verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from analyzer.apply.events import Event, Said
from analyzer.apply.log import LEVELS, Log
from analyzer.apply.run_graph import RunGraph
from analyzer.apply.timeline import Timeline
from analyzer.escape import shown
from analyzer.export.run import Groups, Style, colored, count, grouped, own_nodes

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
TOLD = frozenset(LEVELS[LEVELS.index("notice") :])

# By reference and property.
Diffs = Mapping[tuple[str, str], Iterable[str]]
Write = Callable[[str], Any]


class Progress:
    """Writes a line for each thing that happens to a resource."""

    def __init__(self, graph: RunGraph, write: Write, style: Style) -> None:
        self.graph = graph
        self.names = names = graph.names
        self.write = write
        self.style = style
        self.groups = Groups(names)

    def listen(self, event: Event) -> None:
        """Take an event."""
        if isinstance(event, Said) and event.level in TOLD:
            self.write(f"            {self.style('dim', shown(event.message))}")
            return
        row = self.groups.row_of(event)
        if row is not None and self.is_own(row[1]):
            group, node, remark = row
            word = f"{WORDS.get(group, group):<10}"
            color = COLORS[group]
            self.write(f"{self.style(color, word)}  {shown(self.names[node])}  {shown(remark)}")

    def is_own(self, node: int) -> bool:
        """Tell whether a node is a resource of the catalog, or was brought by one."""
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


def plan_text(timeline: Timeline, diffs: Diffs, style: Style) -> Iterator[str]:
    """Yield what a run would do, in order, with the differences that it would make to files."""
    groups = Groups(timeline.graph.names)
    own = own_nodes(timeline)
    number = 0
    doubts: list[str] = []
    for event in timeline.past():
        if isinstance(event, Said) and event.level == "warning":
            doubts.append(event.message)
        row = groups.row_of(event)
        if row is None or row[1] not in own:
            continue
        group, node, remark = row
        number += 1
        name = timeline.graph.names[node]
        words = style(COLORS[group], PLANNED.get(group, group))
        said = "" if remark == "executed successfully" else f": {shown(remark)}"
        yield f"{number:>4}. {shown(name)} {words}{said}"
        while doubts:
            yield f"      {style('yellow', shown(doubts.pop(0)))}"
        prop = getattr(getattr(event, "event", None), "property", None) or ""
        for line in diffs.get((name, prop), ()):
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
