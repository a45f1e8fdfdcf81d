"""Reduces a view: to the neighbourhood of a resource, to classes, to edges that are not implied."""

from __future__ import annotations

from dataclasses import replace

from analyzer.export.graph.view import GraphView, ViewEdge, ViewNode, containers
from analyzer.graph.algorithms.reduction import transitive_reduction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.model.refs import ResourceRef
    from analyzer.model.resource import Resource


def adjacency(view: GraphView) -> tuple[dict[str, int], list[list[int]]]:
    """Return the number of each node by ref, and the successors of each number."""
    ids = {node.ref: i for i, node in enumerate(view.nodes)}
    succ: list[list[int]] = [[] for _ in view.nodes]
    for edge in view.edges:
        succ[ids[edge.source]].append(ids[edge.target])
    return ids, succ


def restrict(view: GraphView, kept: Callable[[ViewNode], bool]) -> GraphView:
    """Return the view with only some of its nodes and the edges between them."""
    nodes = [node for node in view.nodes if kept(node)]
    refs = {node.ref for node in nodes}
    shown = tuple(n if n.container in refs else replace(n, container=None) for n in nodes)
    edges = tuple(e for e in view.edges if e.source in refs and e.target in refs)
    return replace(view, nodes=shown, edges=edges)


def focus(graph: RelationshipGraph, view: GraphView, ref: str, depth: int = 2) -> GraphView:
    """Return the nodes within `depth` edges of a resource.

    The neighbourhood of a container is that of all its contents. After a fold, it is that of the
    resource's class.

    Raises:
        KeyError: it is not in the catalog; the message suggests similar names.
    """
    wanted = graph.provenance.refs[graph.locate(ref)]
    start = contents_of(view, starting_nodes(view, graph, str(wanted)))
    ids, succ = adjacency(view)
    pred: list[list[int]] = [[] for _ in succ]
    for s, targets in enumerate(succ):
        for t in targets:
            pred[t].append(s)
    first = {ids[r] for r in start}
    near = within(succ, first, depth) | within(pred, first, depth)
    return restrict(view, lambda node: ids[node.ref] in near)


def select(
    view: GraphView, refs: Iterable[ResourceRef], into: Mapping[str, str] | None = None
) -> GraphView:
    """Return some resources (containers with both ends) and the edges between them.

    After a fold, `into` (a `class_map`) has their classes, which stay instead.
    """
    found = {into[str(ref)] if into else str(ref) for ref in refs}
    return restrict(view, lambda node: f"{node.type}[{node.title}]" in found)


def starting_nodes(view: GraphView, graph: RelationshipGraph, ref: str) -> set[str]:
    """Return the nodes that represent a resource: itself, both its ends, or its folded class."""
    names = {ref, f"Admitted[{ref}]", f"Completed[{ref}]"}
    found = {node.ref for node in view.nodes if node.ref in names}
    return found or {class_map(graph)[ref]}


def contents_of(view: GraphView, start: set[str]) -> set[str]:
    """Return the given nodes and everything in them."""
    inside: dict[str, list[str]] = {}
    for node in view.nodes:
        if node.container is not None:
            inside.setdefault(node.container, []).append(node.ref)
    found = set(start)
    todo = list(start)
    while todo:
        for ref in inside.get(todo.pop(), ()):
            if ref not in found:
                found.add(ref)
                todo.append(ref)
    return found


def within(succ: list[list[int]], start: set[int], depth: int) -> set[int]:
    """Return the nodes at most `depth` edges from the given ones, these included."""
    found = set(start)
    frontier: Iterable[int] = start
    for _ in range(depth):
        frontier = {t for v in frontier for t in succ[v]} - found
        found |= frontier
    return found


def class_map(graph: RelationshipGraph) -> dict[str, str]:
    """Return the class that each resource folds into; classes, stages and other resources stay.

    A resource of a define folds into the class that declares the define.
    """
    resources, refs = graph.resources, graph.provenance.refs
    holder = containers(graph)
    target = {}
    for i, resource in enumerate(resources):
        up = i
        seen = {i}
        while not stays(resource) and not holds_others(resources[up]):
            if up not in holder or holder[up] in seen:
                up = i
                break
            up = holder[up]
            seen.add(up)
        if resources[up].type == "Stage":
            up = i
        target[str(refs[i])] = str(refs[up])
    return target


def stays(resource: Resource) -> bool:
    """Return whether a resource is never folded."""
    return resource.type == "Stage" or holds_others(resource)


def holds_others(resource: Resource) -> bool:
    """Return whether others fold into a resource: a class, or a call of a policy's bundle."""
    return resource.type == "Class" or is_bundle(resource)


def is_bundle(resource: Resource) -> bool:
    """Return whether a resource is the call of a bundle in a policy's run."""
    return resource.type == "Bundle" and resource.kind == "class"


def fold_classes(graph: RelationshipGraph, view: GraphView) -> GraphView:
    """Return the view with every resource folded into its nearest class.

    Parallel edges become one with a count; edges inside a class are removed. The ends of a
    container in the expanded view are folded too.
    """
    into = class_map(graph)
    home = {n.ref: into[f"{n.type}[{n.title}]"] for n in view.nodes}
    count: dict[str, int] = {}
    cyclic: set[str] = set()
    for node in view.nodes:
        target = home[node.ref]
        if f"{node.type}[{node.title}]" != target and node.role != "completed":
            count[target] = count.get(target, 0) + 1
        if node.in_cycle:
            cyclic.add(target)
    nodes = tuple(
        replace(
            node,
            ref=home[node.ref],
            role="container" if node.role == "admitted" else node.role,
            container=folded_container(node, home),
            in_cycle=home[node.ref] in cyclic,
            folded=count.get(home[node.ref], 0),
        )
        for node in view.nodes
        if f"{node.type}[{node.title}]" == home[node.ref] and node.role != "completed"
    )
    return replace(view, nodes=nodes, edges=merge(view.edges, home))


def folded_container(node: ViewNode, home: dict[str, str]) -> str | None:
    """Return the container of a node after folding; a class does not contain itself."""
    if node.container is None:
        return None
    holder = home[node.container]
    return holder if holder != home[node.ref] else None


def merge(edges: Iterable[ViewEdge], home: dict[str, str]) -> tuple[ViewEdge, ...]:
    """Return the edges between new ends, with parallel edges merged; the strongest kind wins."""
    merged: dict[tuple[str, str], ViewEdge] = {}
    for edge in edges:
        pair = home[edge.source], home[edge.target]
        if pair[0] == pair[1]:
            continue
        known = merged.get(pair)
        if known is None:
            merged[pair] = replace(edge, source=pair[0], target=pair[1])
            continue
        kinds = {known.kind, edge.kind}
        kind = next(k for k in ("notify", "before", "contains") if k in kinds)
        merged[pair] = replace(
            known,
            kind=kind,
            event=known.event or edge.event,
            auto=known.auto if known.auto and edge.auto else None,
            in_cycle=known.in_cycle or edge.in_cycle,
            count=known.count + edge.count,
        )
    return tuple(merged.values())


def implied_edges(view: GraphView) -> list[bool]:
    """Return for each edge whether other edges imply its order.

    An edge that notifies is never implied: its order may be, but its refresh is not. Edges of
    cycles stay. The containment view does not change, because it shows no order.
    """
    if view.kind == "containment":
        return [False] * len(view.edges)
    ids, succ = adjacency(view)
    kept = [set(targets) for targets in transitive_reduction(succ)]
    return [e.kind != "notify" and ids[e.target] not in kept[ids[e.source]] for e in view.edges]


def reduce(view: GraphView) -> GraphView:
    """Return the view without edges whose order others imply."""
    pairs = zip(view.edges, implied_edges(view), strict=True)
    edges = tuple(edge for edge, implied in pairs if not implied)
    return replace(view, edges=edges)
