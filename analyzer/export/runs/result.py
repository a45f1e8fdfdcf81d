"""The result of a run as text, as JSON, and as Puppet prints it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from analyzer.apply.breakpoints import is_failure
from analyzer.apply.engine.events import (
    NOOP,
    Changed,
    DependenciesFailed,
    EvaluationFailed,
    Event,
    GenerationFailed,
    PutOff,
    Queued,
    Refreshed,
    RefreshFailed,
    RefreshWithheld,
    Skipped,
    Stopped,
    Unsuitable,
)
from analyzer.apply.engine.log import Line
from analyzer.apply.provider import LEVELS
from analyzer.apply.shuffle import OrderDependence
from analyzer.apply.timeline import Timeline
from analyzer.escape import joined, shown
from analyzer.export.encode import json_text
from analyzer.model.names import split_ref
from analyzer.model.nouns import counted

# A function that marks up a text: its arguments are a style's name and the text.
Style = Callable[[str, str], str]

SHOWN = 20
CONSOLE_STYLES = {"err": "red", "warning": "yellow", "info": "green", "debug": "cyan"}
BECAUSE = {
    "skip_tags": "has a tag of --skip-tags",
    "tags": "has no tag of --tags",
    "schedule": "not scheduled now",
}


def as_json(timeline: Timeline) -> str:
    """Return status, order, resources and log as a JSON object."""
    refs = timeline.graph.refs
    found = {
        str(ref): {
            "flags": status.flags,
            "failed_deps": [str(refs[node]) for node in status.failed_dependencies],
            "events": [
                {
                    "name": event.name,
                    "property": event.property,
                    "status": event.status,
                    "message": event.message,
                }
                for event in status.events
            ],
        }
        for ref, status in timeline.resources()
    }
    order = [str(ref) for ref in timeline.order]
    resources = {ref: found[ref] for ref in dict.fromkeys([*order, *found])}
    document = {
        "status": timeline.status,
        "order": order,
        "resources": resources,
        "log": [list(line) for line in timeline.log()],
    }
    return json_text({**document, "error": timeline.error} if timeline.error else document)


def as_console(timeline: Timeline, level: str, style: Style) -> str:
    """Return the lines that `puppet apply` prints; a simulated run takes no time."""
    wanted = LEVELS[LEVELS.index(level) :]
    lines = [
        colored(line, style)
        for line in timeline.log(debug=level == "debug")
        if line.level in wanted
    ]
    if timeline.error:
        lines.append(failed_with(timeline, style))
    else:
        lines.append(applied_in(0.0))
    return "\n".join(lines)


def failed_with(timeline: Timeline, style: Style) -> str:
    """Return the last line that `puppet apply` prints for a run that could not be finished."""
    return style("red", shown(f"Error: Failed to apply catalog: {timeline.error}"))


def applied_in(seconds: float) -> str:
    """Return the last line that `puppet apply` prints."""
    return f"Notice: Applied catalog in {seconds:.2f} seconds"


def colored(line: Line, style: Style) -> str:
    """Return a line of the log as Puppet prints it."""
    color = CONSOLE_STYLES.get(line.level)
    return style(color, line.console()) if color else line.console()


def as_text(timeline: Timeline, style: Style, *, everything: bool = False) -> str:
    """Return the resources, by status."""
    if timeline.error:
        return joined([style("red", f"the run fails: {timeline.error}"), *causes(timeline)])
    groups = grouped(timeline)
    noop = timeline.settings.noop
    lines = []
    for name, words, color in (
        ("failed", ("fails", "fail"), "red"),
        ("skipped", ("is skipped", "are skipped"), "yellow"),
        ("refreshed", ("is refreshed", "are refreshed"), "cyan"),
        ("withheld", ("would be refreshed", "would be refreshed"), "cyan"),
        ("changed", ("changes", "change"), "green"),
        ("noop", ("would change", "would change"), "green"),
    ):
        rows = groups.get(name, [])
        if rows:
            lines.append(f"{style(color, count(rows))} {words[len(rows) != 1]}")
            lines += listed(rows, everything)
    touched = {ref for rows in groups.values() for ref, _ in rows}
    others = [node for node in own_nodes(timeline) if timeline.graph.names[node] not in touched]
    if others or not lines:
        lines.append(f"{count(others)} unchanged")
    mark = " (noop)" if noop and not is_pending(timeline, groups) else ""
    lines.append(f"status: {status_words(timeline, groups, style)}{mark}")
    return joined(lines)


def status_words(timeline: Timeline, groups: Mapping[str, object], style: Style) -> str:
    """Return the status of a run's report; `noop_pending` is its word for changes not made."""
    if is_pending(timeline, groups):
        return style("green", "changes pending (noop_pending)")
    return style("red" if timeline.status == "failed" else "bold", timeline.status)


def is_pending(timeline: Timeline, groups: Mapping[str, object]) -> bool:
    """Return whether a run made no change, but found some to make."""
    return timeline.status == "unchanged" and bool(groups.get("noop") or groups.get("withheld"))


def causes(timeline: Timeline) -> Iterator[str]:
    """Yield advice if a run cannot be made."""
    if timeline.graph.graph.has_cycle:
        yield from (f"  {cycle}" for cycle in timeline.graph.graph.cycles())
        yield "run 'catgraph cycles' to explain the cycles"


Row = tuple[str, str]


def own_nodes(timeline: Timeline) -> set[int]:
    """Return the catalog's own resources, without Puppet's schedules and filebucket."""
    graph = timeline.graph
    declared = len(graph.graph.catalog.resources)
    return {
        node
        for node in timeline.nodes()
        if (node < declared or node >= graph.base) and graph.resource(node) is not None
    }


def grouped(timeline: Timeline) -> dict[str, list[Row]]:
    """Return references with remarks, by outcome and in the order of the run."""
    found: dict[str, dict[str, str]] = {}
    groups = OutcomeGroups(timeline.graph.names)
    own = own_nodes(timeline)
    for event in timeline.past():
        row = groups.row_of(event)
        if row is not None:
            group, node, remark = row
            if node in own:
                rows = found.setdefault(group, {})
                name = timeline.graph.names[node]
                rows[name] = f"{rows[name]}; {remark}" if name in rows else remark
    return {group: list(rows.items()) for group, rows in found.items()}


class OutcomeGroups:
    """Returns the outcome of a resource, and its reason, for each event."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = names
        self._sources: dict[int, dict[str, None]] = {}
        self._failed: dict[int, tuple[int, ...]] = {}
        self._unsuitable: dict[int, str] = {}

    def row_of(self, event: Event) -> tuple[str, int, str] | None:
        """Return the group of a resource after an event, and the remark."""
        if isinstance(event, Queued):
            self._sources.setdefault(event.target, {})[self.names[event.source]] = None
        elif isinstance(event, DependenciesFailed):
            self._failed[event.node] = event.failed
        elif isinstance(event, PutOff):
            self._unsuitable[event.node] = event.reason
        elif isinstance(event, Unsuitable) and is_failure(event):
            reason = self._unsuitable.get(event.node, "")
            return "failed", event.node, reason or "its provider is not suitable for this host"
        elif isinstance(event, Changed):
            group = {"success": "changed", NOOP: "noop"}.get(event.event.status, "failed")
            return group, event.node, event.event.message.removesuffix(" (noop)")
        elif isinstance(event, Skipped):
            return "skipped", event.node, self.skip_reason(event)
        elif isinstance(event, Stopped):
            return "skipped", event.node, "the run was stopped"
        elif isinstance(event, Refreshed | RefreshWithheld):
            group = "refreshed" if isinstance(event, Refreshed) else "withheld"
            return group, event.node, f"by {first_names(list(self._sources.get(event.node, ())))}"
        else:
            return failure_of(event)
        return None

    def skip_reason(self, event: Skipped) -> str:
        """Return the reason why a resource is skipped."""
        if event.reason in BECAUSE:
            return BECAUSE[event.reason]
        failed = self._failed.get(event.node, ())
        return f"failed dependency: {first_names([self.names[node] for node in failed])}"


def failure_of(event: Event) -> tuple[str, int, str] | None:
    """Return the row of an event that is a failure."""
    if isinstance(event, RefreshFailed):
        return "failed", event.node, f"refresh failed: {event.reason}"
    if isinstance(event, EvaluationFailed):
        return "failed", event.node, event.reason
    if isinstance(event, GenerationFailed):
        return "failed", event.node, f"cannot generate its resources: {event.reason}"
    return None


def first_names(names: Sequence[str]) -> str:
    """Return the first names."""
    shown = ", ".join(names[:3])
    return f"{shown} and {len(names) - 3} more" if len(names) > 3 else shown


def count(rows: Sequence[object]) -> str:
    """Return `1 resource`, `1,000 resources`."""
    return counted(len(rows), "resource")


def listed(rows: Sequence[Row], everything: bool) -> Iterator[str]:
    """Yield references with their remarks in columns, limited unless all are wanted."""
    cut = [(shown(ref), remark) for ref, remark in (rows if everything else rows[:SHOWN])]
    width = min(max(len(ref) for ref, _ in cut), 40)
    for ref, remark in cut:
        yield f"  {ref:<{width}}  {shown(remark)}"
    if len(rows) > len(cut):
        yield f"  ... and {len(rows) - len(cut):,} more (--all lists them)"


def differences_text(found: Sequence[OrderDependence], times: int, style: Style) -> str:
    """Return the differences in other valid orders, and the missing relationships."""
    orders = counted(times, "other valid order")
    if not found:
        return f"{orders}: every resource has the same result"
    verb = "ends" if len(found) == 1 else "end"
    lines = [f"{orders}: {style('yellow', count(found))} {verb} differently"]
    for difference in found:
        words = ", ".join(f"{word} in {number:,}" for word, number in difference.others)
        lines.append(f"  {difference.ref}: {difference.usual} in Puppet's order, {words}")
        lines += [
            f"    missing: {written(str(before))} -> {written(str(difference.ref))}"
            for before in difference.missing
        ]
    return joined(lines)


def differences_json(found: Sequence[OrderDependence], times: int, _: Style) -> str:
    """Return the differences in other valid orders as a JSON object."""
    rows = [
        {
            "ref": str(difference.ref),
            "usual": difference.usual,
            "others": dict(difference.others),
            "missing": [
                {"source": str(before), "target": str(difference.ref), "kind": "before"}
                for before in difference.missing
            ],
        }
        for difference in found
    ]
    return json_text({"orders": times, "differences": rows})


def written(ref: str) -> str:
    """Return a reference in a manifest's syntax: `Package['nginx']`."""
    kind, title = split_ref(ref) or (ref, "")
    return f"{kind}['{title}']"
