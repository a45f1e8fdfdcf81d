"""Why a resource is where it is in a run: what it waits for, and why it came when it did."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.apply.engine import transaction as engine
from analyzer.apply.engine.state import NO_KIN
from tui.present.edges import EdgeIndex, edge_line
from tui.present.outcome import outcome, refreshed_by
from tui.present.pieces import BLANK, Line, line, printable, ref_pieces

if TYPE_CHECKING:
    from analyzer.apply.timeline import Timeline
    from tui.run.story import Story

# How many of what a resource waits for are shown by name.
SHOWN = 12


def blockers(timeline: Timeline, node: int) -> list[int]:
    """Return the resources and ends of containers directly before a node that are not done.

    Of the admitted end of a container, those before the container; of a completed one, what is
    left of it.
    """
    statuses = timeline.state.statuses
    kin = (timeline.state.kin or {}).get(node, NO_KIN)
    brought = [one for one in kin.before if statuses[one] is None]
    if node >= timeline.graph.base:
        return brought
    return timeline.graph.wiring.sources(node, lambda source: statuses[source] is None) + brought


def first_cause(timeline: Timeline, node: int) -> list[int]:
    """Return the way from a node up to what is ready: each waits for the one behind it."""
    way, seen = [node], {node}
    while True:
        ahead = [b for b in blockers(timeline, way[-1]) if b not in seen]
        if not ahead:
            return way
        way.append(ahead[0])
        seen.add(ahead[0])


def end_name(timeline: Timeline, node: int) -> str:
    """Return what a node is called: ends of containers by what they are."""
    graph = timeline.graph
    if graph.resource(node) is not None:
        return graph.names[node]
    what = "all of" if graph.is_completed_end(node) else "the start of"
    return f"{what} {graph.names[node]}"


def waits_for(timeline: Timeline, node: int) -> Line:
    """Return in short what a resource waits for."""
    found = blockers(timeline, node)
    if not found:
        return line(("waits for a turn", "dim"))
    resources = [b for b in found if timeline.graph.resource(b) is not None] or found
    more = f" +{len(found) - 1}" if len(found) > 1 else ""
    return line((f"after {printable(end_name(timeline, resources[0]))}{more}", "dim"))


def why(timeline: Timeline, story: Story, index: EdgeIndex, node: int) -> list[Line]:
    """Return why a resource came when it did, is ready, or has to wait."""
    graph = timeline.graph
    name = printable(graph.names[node])
    if graph.resource(node) is None:
        return [line((name, "strong"), " contains resources: ask of one of them")]
    turn = story.turn.get(node)
    if turn is not None and turn <= timeline.position:
        became = outcome(timeline, story, node)
        return [*became, BLANK, *was_done(timeline, node, turn), *edges_before(index, node)]
    if timeline.error:
        return cannot_run(timeline, node)
    told = refreshed_by(timeline, node) if timeline.state.waiting[node] else ""
    will = [line(("will refresh", "refreshed"), f" because of {told}"), BLANK] if told else []
    if engine.is_ready(timeline.state, graph, node):
        return [*will, *is_ready(timeline, node), *edges_before(index, node)]
    return [*will, *has_to_wait(timeline, index, node)]


def cannot_run(timeline: Timeline, node: int) -> list[Line]:
    """Say why a resource has no turn in a run that cannot begin: its cycle, if it is in one."""
    ref = timeline.graph.refs[node]
    for cycle in timeline.graph.graph.cycles():
        if ref in cycle.members:
            round_ = " => ".join(printable(str(one)) for one in cycle.path)
            where = "in" if ref in cycle.path else "in one component with"
            return [line(("cannot run", "failed"), f": {where} the cycle {round_}")]
    return [line(("cannot run", "failed"), f": {printable(timeline.error)}")]


def was_done(timeline: Timeline, node: int, turn: int) -> list[Line]:
    """Say why a resource came at its step."""
    name = printable(timeline.graph.names[node])
    text = f" came at step {turn}: of what was ready then, it has the first place in the catalog."
    return [line((name, "strong"), text), BLANK]


def is_ready(timeline: Timeline, node: int) -> list[Line]:
    """Say that nothing hinders a resource, and what comes first all the same."""
    name = printable(timeline.graph.names[node])
    if timeline.next == node:
        return [line((name, "strong"), " is next: it is ready, and first in the catalog."), BLANK]
    first = timeline.next
    text = " is ready: all that it waits for is done. Puppet takes what stands first in the catalog"
    found = [line((name, "strong"), text + ":")]
    if first is not None:
        found.append(line("  ", *ref_pieces(printable(timeline.graph.names[first])), " is next."))
    return [*found, BLANK]


def has_to_wait(timeline: Timeline, index: EdgeIndex, node: int) -> list[Line]:
    """Say what a resource waits for, and where that begins."""
    graph = timeline.graph
    name = printable(graph.names[node])
    found = blockers(timeline, node)
    lines = [line((name, "strong"), f" waits for {len(found)} that are not done:"), BLANK]
    for one in found[:SHOWN]:
        for edge in index.graph.provenance.between(one, node):
            lines.append(edge_line(edge, end_name(timeline, one)))
    if len(found) > SHOWN:
        lines.append(line((f"   and {len(found) - SHOWN} more", "dim")))
    way = first_cause(timeline, node)
    lines += [BLANK, line(("It begins with", "title"))]
    for depth, one in enumerate(reversed(way)):
        mark = "is ready" if depth == 0 and graph.resource(one) is not None else ""
        text = printable(end_name(timeline, one))
        lines.append(
            line(
                "  " * min(depth, 12),
                ("\N{BOX DRAWINGS LIGHT UP AND RIGHT} " if depth else "  ", "faint"),
                text,
                (f"  {mark}", "ready"),
            )
        )
    return lines


def edges_before(index: EdgeIndex, node: int) -> list[Line]:
    """Return what a resource had to wait for."""
    if node >= len(index.graph.successors):
        return [line(("Another resource brought it: it comes right after that.", "dim"))]
    lines: list[Line] = []
    for vertex in with_containers(index, node):
        edges = index.before(vertex)
        if edges:
            name = printable(str(index.graph.provenance.refs[vertex]))
            whose = "it" if vertex == node else f"{name}, which it is in,"
            lines += [BLANK] * bool(lines) + [line((f"What {whose} had to wait for", "title"))]
            lines += [edge_line(one, str(one.source)) for one in edges]
    return lines or [line(("No relationship lets it wait for anything.", "dim"))]


def with_containers(index: EdgeIndex, node: int) -> list[int]:
    """Return a resource and all containers that it is in, the innermost first."""
    found = {node: None}
    ahead = [node]
    while ahead:
        at = ahead.pop(0)
        above = [x for x in index.containers.get(at, ()) if x not in found]
        found.update(dict.fromkeys(above))
        ahead += above
    return list(found)
