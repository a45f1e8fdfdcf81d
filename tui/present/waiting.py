"""Explains the place of a resource in a run: its pending dependencies, or why it is next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.apply.engine import transaction as engine
from analyzer.apply.engine.state import NO_KIN
from analyzer.model.nouns import counted
from tui.present.edges import GENERATED, link_lines
from tui.present.outcome import outcome, refreshed_by
from tui.present.pieces import BLANK, Line, line, printable, ref_pieces
from tui.project.neighbours import Neighbour, Surroundings

if TYPE_CHECKING:
    from analyzer.apply.timeline import Timeline
    from analyzer.graph.cycles.search import Cycle
    from tui.run.story import Story

# The most dependencies that are shown by name.
SHOWN = 12


def blockers(timeline: Timeline, node: int) -> list[int]:
    """Return the resources and ends of containers directly before a node that are not done.

    For the start of a container, those before the container; for its end, the rest of it.
    """
    statuses = timeline.state.statuses
    kin = (timeline.state.kin or {}).get(node, NO_KIN)
    brought = [one for one in kin.before if statuses[one] is None]
    if node >= timeline.graph.base:
        return brought
    return timeline.graph.wiring.sources(node, lambda source: statuses[source] is None) + brought


def first_cause(timeline: Timeline, node: int) -> list[int]:
    """Return the path from a node to a ready resource: each node waits for the next one."""
    way, seen = [node], {node}
    while True:
        ahead = [b for b in blockers(timeline, way[-1]) if b not in seen]
        if not ahead:
            return way
        way.append(ahead[0])
        seen.add(ahead[0])


def end_name(timeline: Timeline, node: int) -> str:
    """Return the name of a node, with words for an end of a container."""
    graph = timeline.graph
    if graph.resource(node) is not None:
        return graph.names[node]
    what = "all of" if graph.is_completed_end(node) else "the start of"
    return f"{what} {graph.names[node]}"


def pending(timeline: Timeline, around: Surroundings, node: int) -> list[Neighbour]:
    """Return the direct dependencies of a resource that are not done, as the graph shows them."""
    statuses, graph = timeline.state.statuses, around.graph
    if node >= graph.vertices:
        return []
    near = around.near(node, after=False)
    return [link for link in near if statuses[graph.completed[link.vertex]] is None]


def waits_for(timeline: Timeline, around: Surroundings, node: int) -> tuple[str, str, str]:
    """Return the first dependency that a resource waits for, between the words around it."""
    completed = around.graph.completed
    found = [completed[link.vertex] for link in pending(timeline, around, node)]
    found = found or blockers(timeline, node)
    if not found:
        return "waits for its turn", "", ""
    more = f" +{len(found) - 1}" if len(found) > 1 else ""
    return "after ", printable(timeline.graph.names[found[0]]), more


def why(timeline: Timeline, story: Story, around: Surroundings, node: int) -> list[Line]:
    """Return why a resource came at its step, is ready, or waits."""
    graph = timeline.graph
    name = printable(graph.names[node])
    if graph.resource(node) is None:
        return [line((name, "strong"), " is a container: select a resource in it")]
    turn = story.turn.get(node)
    if turn is not None and turn <= timeline.position:
        became = outcome(timeline, story, node)
        return [*became, BLANK, *was_done(timeline, node, turn), *edges_before(around, node)]
    if timeline.error:
        return cannot_run(timeline, node)
    sources = refreshed_by(timeline, node) if timeline.state.waiting[node] else ""
    will = [line(("will refresh", "refreshed"), f" because of {sources}"), BLANK] if sources else []
    if engine.is_ready(timeline.state, graph, node):
        return [*will, *is_ready(timeline, node), *edges_before(around, node)]
    return [*will, *has_to_wait(timeline, around, node)]


def cannot_run(timeline: Timeline, node: int) -> list[Line]:
    """Return why a resource has no turn in a run that cannot start: the cycle, if there is one."""
    graph = timeline.graph.graph
    ref = timeline.graph.refs[node]
    cycles = graph.cycles()
    before = frozenset(graph.upstream(ref)) if cycles else frozenset()
    for cycle in cycles:
        members = frozenset(cycle.members)
        if ref in cycle.path:
            return cycle_line(cycle, "in the cycle ")
        if ref in members:
            return cycle_line(cycle, "in the strongly connected component of the cycle ")
        if not members.isdisjoint(before):
            return cycle_line(cycle, "it comes after the cycle ")
    if cycles:
        return cycle_line(cycles[0], "Puppet applies nothing of a catalog with a cycle: ")
    return [line(("cannot run", "failed"), f": {printable(timeline.error)}")]


def cycle_line(cycle: Cycle, words: str) -> list[Line]:
    """Return the line for a resource that cannot run because of a cycle; the path ends it."""
    path = " => ".join(printable(str(one)) for one in cycle.path)
    return [line(("cannot run", "failed"), f": {words}{path}")]


def was_done(timeline: Timeline, node: int, turn: int) -> list[Line]:
    """Return the reason why a resource was evaluated at its step."""
    name = printable(timeline.graph.names[node])
    text = (
        f" was evaluated in step {turn}: of the ready resources, it was the first in the catalog."
    )
    return [line((name, "strong"), text), BLANK]


def is_ready(timeline: Timeline, node: int) -> list[Line]:
    """Return the lines for a ready resource, with the one that comes before it."""
    name = printable(timeline.graph.names[node])
    if timeline.next == node:
        return [
            line(
                (name, "strong"),
                " is next: of the resources that are ready, it is the first in the catalog.",
            ),
            BLANK,
        ]
    first = timeline.next
    text = " is ready: its dependencies are done. Puppet takes the first one in the catalog"
    found = [line((name, "strong"), text + ":")]
    if first is not None:
        found.append(line("  ", *ref_pieces(printable(timeline.graph.names[first])), " is next."))
    return [*found, BLANK]


def has_to_wait(timeline: Timeline, around: Surroundings, node: int) -> list[Line]:
    """Return the dependencies that a resource waits for, and the path to a ready one."""
    graph = timeline.graph
    name = printable(graph.names[node])
    found = pending(timeline, around, node)
    count = len(found) or len(blockers(timeline, node))
    lines = [
        line((name, "strong"), f" waits for {counted(count, 'dependency', 'dependencies')}:"),
        BLANK,
    ]
    lines += [row for link in found[:SHOWN] for row in link_lines(around, link)]
    if len(found) > SHOWN:
        lines.append(line((f"   and {len(found) - SHOWN} more", "dim")))
    way = first_cause(timeline, node)
    lines += [BLANK, line(("Path from a ready resource", "title"))]
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


def edges_before(around: Surroundings, node: int) -> list[Line]:
    """Return the dependencies of a resource, also those through its containers."""
    if node >= around.graph.vertices:
        return [line((GENERATED, "dim"))]
    near = around.near(node, after=False)
    if not near:
        return [line(("It depends on nothing.", "dim"))]
    head = line(("Its dependencies", "title"), (f"  {len(near)}", "dim"))
    return [head, *(row for link in near for row in link_lines(around, link))]
