"""The words of queries that relate resources to other resources."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from analyzer.graph.algorithms.walks import reached
from analyzer.graph.query.world import GraphProperties, Ids, Succ

# Takes the operands and the most steps, and returns the resources that are found. More operands
# never find fewer resources.
Relate = Callable[[GraphProperties, Ids, int | None], Ids]


@dataclass(frozen=True, slots=True)
class RelationRow:
    """A row: the word, its description, its function; `deep` relations accept a number of steps.

    A resource is `converse` to X if a resource of X is `name` to it.
    """

    name: str
    what: str
    find: Relate
    converse: str
    deep: bool = False


def before(world: GraphProperties, ids: Ids, depth: int | None) -> Ids:
    """Return the resources that are complete before the given ones begin; all of a container."""
    kernel = world.kernel
    ends = walked(world, world.pred, ids, depth)
    return {r for r in world.everything if kernel.completed[r] in ends}


def after(world: GraphProperties, ids: Ids, depth: int | None) -> Ids:
    """Return the resources that begin after the given ones are complete; all of a container."""
    ends = walked(world, world.kernel.succ, (world.kernel.completed[i] for i in ids), depth)
    return world.own(ends)


def walked(world: GraphProperties, succ: Succ, starts: Iterable[int], depth: int | None) -> Ids:
    """Return the nodes that are reachable in at most `depth` steps.

    A step leads from a resource to a resource. Ends of containers and junctions on the path do not
    count, and an end is as far away as a resource in its place.
    """
    if depth is None:
        return reached(succ, starts)
    seen: Ids = set()
    frontier = list(starts)
    for _ in range(depth):
        ahead: list[int] = []
        while frontier:
            for t in succ[frontier.pop()]:
                if t not in seen:
                    seen.add(t)
                    (ahead if world.is_plain(t) else frontier).append(t)
        if not ahead:
            break
        frontier = ahead
    return seen


def inside(world: GraphProperties, ids: Ids, depth: int | None) -> Ids:
    """Return the contents of containers, including those of contained classes and defines."""
    return world.own(climbed(world.kernel.contents, ids, depth))


def containing(world: GraphProperties, ids: Ids, depth: int | None) -> Ids:
    """Return the containers of resources."""
    return world.own(climbed(world.held, ids, depth))


def climbed(adjacent: dict[int, list[int]], ids: Ids, depth: int | None) -> Ids:
    """Return the nodes within `depth` steps."""
    seen: Ids = set()
    frontier = list(ids)
    while frontier and depth != 0:
        ahead = {t for i in frontier for t in adjacent.get(i, ())} - seen
        seen |= ahead
        frontier = list(ahead)
        depth = None if depth is None else depth - 1
    return seen


def requiring(world: GraphProperties, ids: Ids, _: int | None) -> Ids:
    """Return the resources with a relationship that orders them after some resources."""
    return world.own(world.related(ids, inward=False))


def required(world: GraphProperties, ids: Ids, _: int | None) -> Ids:
    """Return the resources with a relationship that orders them before some resources."""
    return world.own(world.related(ids, inward=True))


def notifying(world: GraphProperties, ids: Ids, _: int | None) -> Ids:
    """Return the resources with a relationship that sends their events to some resources."""
    return world.own(world.related(ids, inward=True, events=True))


def notified(world: GraphProperties, ids: Ids, _: int | None) -> Ids:
    """Return the resources with a relationship that sends them events of some resources."""
    return world.own(world.related(ids, inward=False, events=True))


def refreshed(world: GraphProperties, ids: Ids, _: int | None) -> Ids:
    """Return the resources that a change of some resources refreshes, directly or by restarts."""
    completed = world.kernel.completed
    found = sent(world, world.events, {completed[i] for i in ids}, passes_on)
    return {i for i in world.own(found) if is_refreshable(world, i)}


def refreshing(world: GraphProperties, ids: Ids, _: int | None) -> Ids:
    """Return the resources whose change refreshes some of the resources."""
    starts = {i for i in ids if is_refreshable(world, i)}
    found = sent(world, world.events_back, starts, passes_on)
    return {i for i in world.everything if world.kernel.completed[i] in found}


def sent(
    world: GraphProperties, succ: Succ, starts: Ids, goes_on: Callable[[GraphProperties, int], bool]
) -> Ids:
    """Return the nodes that events reach; they go beyond a node only if it passes them on."""
    seen: Ids = set()
    open_nodes = list(starts)
    while open_nodes:
        for t in succ[open_nodes.pop()]:
            if t not in seen:
                seen.add(t)
                if goes_on(world, t):
                    open_nodes.append(t)
    return seen


def passes_on(world: GraphProperties, node: int) -> bool:
    """Return whether a node passes an event on: an end, or a resource that restarts."""
    return not world.is_plain(node) or is_refreshable(world, node)


def is_refreshable(world: GraphProperties, i: int) -> bool:
    """Return whether a resource's type can refresh."""
    kernel = world.kernel
    return world.is_plain(i) and kernel.resources[i].type in kernel.refreshable


def path(world: GraphProperties, sources: Ids, targets: Ids) -> Ids:
    """Return the nodes on paths from the sources to the targets, with both ends."""
    behind, ahead = after(world, sources, None), before(world, targets, None)
    return (sources & ahead) | (behind & ahead) | (targets & behind)


RELATIONS = {
    row.name: row
    for row in (
        RelationRow("before", "must be applied before X", before, "after", deep=True),
        RelationRow("after", "must be applied after X", after, "before", deep=True),
        RelationRow("upstream", "same as before X", before, "after", deep=True),
        RelationRow("downstream", "same as after X", after, "before", deep=True),
        RelationRow(
            "requires", "has a relationship that puts it directly after X", requiring, "required by"
        ),
        RelationRow(
            "required by", "has a relationship that puts it directly before X", required, "requires"
        ),
        RelationRow("notifies", "has a relationship that notifies X", notifying, "notified by"),
        RelationRow(
            "notified by", "has a relationship through which X notifies it", notified, "notifies"
        ),
        RelationRow(
            "refreshes", "refreshes X when it changes, also indirectly", refreshing, "refreshed by"
        ),
        RelationRow(
            "refreshed by", "is refreshed when X changes, also indirectly", refreshed, "refreshes"
        ),
        RelationRow("in", "is in the class, define or stage X", inside, "contains", deep=True),
        RelationRow(
            "contains", "is a class, define or stage that contains X", containing, "in", deep=True
        ),
    )
}

PATH = "path"
