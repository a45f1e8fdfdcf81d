"""Resources that others generate during the run (Transaction::AdditionalResourceGenerator).

What a resource brings is applied right after it, and an end behind all of that takes over the
resource's relationships. What was brought has ids beyond those of the graph, and is part of a
state as long as the state's `broods` say so.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Mapping

from analyzer.apply.engine.events import Generated
from analyzer.apply.engine.run_graph import RunGraph
from analyzer.apply.engine.state import AddedEdges, Draft
from analyzer.model.resource import Resource


def generation(
    graph: RunGraph, draft: Draft, node: int, resources: Iterable[Resource]
) -> Generated | None:
    """Return the event of what a resource brings; None if that is nothing.

    What is known by its reference already is not brought twice: it only has other parameters.
    """
    brought = tuple(resources)
    if not brought:
        return None
    born = {str(graph.born[n]): n for n in (draft.kin or ()) if n in graph.born}
    fresh = max(len(draft.statuses), graph.base)
    nodes = []
    for resource in brought:
        name = str(resource)
        place = graph.graph.id_exactly(name)
        if place is None:
            place = born.get(name)
        if place is None:
            place, fresh = fresh, fresh + 1
        nodes.append(place)
    return Generated(node, tuple(nodes), brought, fresh)


def kin_of(event: Generated, graph: RunGraph) -> Mapping[int, AddedEdges]:
    """Return how what was brought hangs together, by node."""
    by_path = {
        resource.title: node
        for node, resource in zip(event.nodes, event.resources, strict=True)
        if resource.type == "File"
    }
    holders = [nearest(by_path, one, event.node) for one in event.resources]
    held: dict[int, dict[int, None]] = {event.node: {}}
    for node, holder in zip(event.nodes, holders, strict=True):
        held.setdefault(holder, {})[node] = None
    brought = set(event.nodes)
    held[event.node].update((t, None) for t in static(graph, event.node) if t in brought)
    found = {
        node: AddedEdges((holder,), (*held.get(node, ()), event.end))
        for node, holder in zip(event.nodes, holders, strict=True)
    }
    found[event.node] = AddedEdges((), (*held[event.node], event.end), brings=True)
    found[event.end] = AddedEdges((*event.nodes, event.node), closes=event.node)
    return found


def nearest(by_path: Mapping[str, int], resource: Resource, otherwise: int) -> int:
    """Return the node of the nearest folder around a file."""
    path = resource.title if resource.type == "File" else ""
    while (above := posixpath.dirname(path)) != path:
        path = above
        if path in by_path:
            return by_path[path]
    return otherwise


def grow(draft: Draft, event: Generated) -> None:
    """Make generated resources wait for their containers, and the end for all of it."""
    graph = draft.graph
    graph.adopt(event)
    length = event.end + 1
    draft.statuses = draft.statuses.extended(length, None)
    draft.waiting = draft.waiting.extended(length, None)
    draft.values = draft.values.extended(length, None)
    blockers = draft.blockers.extended(length, 0)
    kin = kin_of(event, graph)
    open_nodes = 0
    before = static(graph, event.node)
    for node in event.nodes:
        if draft.statuses[node] is not None:
            continue
        open_nodes += 1
        if kin[node].before != (event.node,) or node not in before:
            blockers = blockers.put(node, blockers[node] + 1)
    draft.blockers = blockers.put(event.end, open_nodes + 1)
    known = draft.kin or {}
    merged = {node: known[node].and_also(one) for node, one in kin.items() if node in known}
    draft.kin = {**known, **kin, **merged}
    replaced = {n: r for n, r in zip(event.nodes, event.resources, strict=True) if n < graph.base}
    if replaced:
        draft.replaced = {**(draft.replaced or {}), **replaced}


def static(graph: RunGraph, node: int) -> Iterable[int]:
    """Return the dependents of a node in the catalog's graph."""
    return graph.succ[node] if node < graph.base else ()


def followers(draft: Draft, node: int) -> Iterable[int]:
    """Return the dependents of a node."""
    graph = draft.graph
    kin = draft.kin.get(node) if draft.kin else None
    if kin is None:
        return graph.succ[node]
    if kin.closes is not None:
        brought = set(kin.before)
        return [t for t in static(graph, kin.closes) if t not in brought]
    own = () if kin.brings else static(graph, node)
    return dict.fromkeys((*own, *kin.after))


def sources(graph: RunGraph, draft: Draft, node: int, keep: Callable[[int], bool]) -> list[int]:
    """Return the nodes directly before one, those that are to be kept, in Puppet's order."""
    known = draft.kin
    if not known:
        return graph.wiring.sources(node, keep)
    found: list[int] = []
    if node < graph.base:

        def last(source: int) -> int:
            kin = known.get(source)
            return kin.after[-1] if kin and kin.brings else source

        direct = graph.wiring.sources(node, lambda source: keep(last(source)))
        found = sorted(map(last, direct), key=lambda source: source >= graph.base)
    kin = known.get(node)
    if kin is not None:
        found += [source for source in kin.before if keep(source)]
    return list(dict.fromkeys(found))


def targets(graph: RunGraph, draft: Draft, node: int) -> list[int]:
    """Return where events of a node go, once for each relationship that carries them."""
    kin = draft.kin.get(node) if draft.kin else None
    if kin is None:
        return graph.wiring.targets(node)
    if kin.closes is not None:
        return graph.wiring.targets(kin.closes) if kin.closes < graph.base else []
    own = graph.wiring.targets(node) if node < graph.base and not kin.brings else []
    return [*own, *(t for t in kin.after if graph.is_completed_end(t))]
