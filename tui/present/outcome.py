"""The outcome of a resource and its reason: the first lines of the answer to why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.apply.breakpoints import is_failure
from analyzer.apply.engine.events import Event, Queued, Refreshed, Skipped
from analyzer.apply.engine.skipping import FAILED, SCHEDULE, SKIP_TAGS, TAGS
from tui.present.edges import edge_line
from tui.present.glyphs import LOOKS
from tui.present.pieces import Line, Piece, line, printable
from tui.run.rollup import word_of

if TYPE_CHECKING:
    from analyzer.apply.timeline import Timeline
    from tui.run.story import Story

# The reasons for a skip without a failure.
PASSED_OVER = {
    SKIP_TAGS: "it has a tag of --skip-tags",
    TAGS: "it has no tag of --tags",
    SCHEDULE: "its schedule does not allow it now",
}


def outcome(timeline: Timeline, story: Story, node: int) -> list[Line]:
    """Return the outcome of a resource that had its turn, and the reason."""
    status = timeline.state.statuses[node]
    if status is None:
        return []
    word = word_of(status)
    look = LOOKS[word]
    head = Piece(f"{look.glyph} {look.word}", look.style)
    if status.skipped:
        why, way = skipped(timeline, story, node)
        return [line(head, why), *way]
    if status.failed or status.failed_to_restart:
        reasons = [
            message_of(event) for event in events_of(timeline, story, node) if is_failure(event)
        ]
        return [line(head, f": {printable(one)}") for one in dict.fromkeys(reasons) if one]
    changes = [one for one in status.events if one.name != "refresh"]
    found = [
        line(head, f": {one.property or one.name}: {printable(one.message)}") for one in changes
    ]
    sources = refreshed_by(timeline, node) if status.restarted else ""
    if sources:
        look = LOOKS["restarted"]
        found.append(line((f"{look.glyph} {look.word}", look.style), f" because of {sources}"))
    return found or [line(head)]


def events_of(timeline: Timeline, story: Story, node: int) -> list[Event]:
    """Return the events of a resource in its step."""
    step = timeline.step_at(story.turn[node])
    return [event for event in step if getattr(event, "node", None) == node]


def message_of(event: Event) -> str:
    """Return the message of a failure."""
    reason = getattr(event, "reason", "") or getattr(event, "message", "")
    return str(reason or getattr(getattr(event, "event", None), "message", ""))


def skipped(timeline: Timeline, story: Story, node: int) -> tuple[str, list[Line]]:
    """Return why a resource was skipped, and the path from the failed resource to it."""
    reasons = [e.reason for e in events_of(timeline, story, node) if isinstance(e, Skipped)]
    status = timeline.state.statuses[node]
    failed = status.failed_dependencies if status else ()
    if not failed or (reasons and reasons[0] != FAILED):
        return f": {PASSED_OVER.get(reasons[0] if reasons else '', 'no reason is recorded')}", []
    names, first = timeline.graph.names, failed[0]
    more = f", and {len(failed) - 1} more" if len(failed) > 1 else ""
    turn = story.turn.get(first)
    at = f" at step {turn}" if turn is not None else ""
    return f": {printable(names[first])} failed{at}{more}", way(timeline, first, node)


def way(timeline: Timeline, first: int, node: int) -> list[Line]:
    """Return the relationships on the path from one resource of the catalog to another."""
    graph = timeline.graph
    if max(first, node) >= graph.base:
        return []
    hops = graph.graph.why(graph.names[first], graph.names[node]).hops
    return [edge_line(hop.relationships[0], hop.target_name) for hop in hops if hop.relationships]


def refreshed_by(timeline: Timeline, node: int) -> str:
    """Return the resources that notified a resource, up to its last refresh."""
    sources: dict[str, None] = {}
    for event in timeline.past():
        if isinstance(event, Queued) and event.target == node:
            sources[printable(timeline.graph.names[event.source])] = None
        elif isinstance(event, Refreshed) and event.node == node and sources:
            break
    first = list(sources)[:3]
    return ", ".join(first) + (f" and {len(sources) - 3} more" if len(sources) > 3 else "")
