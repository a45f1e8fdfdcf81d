"""Nodes with the same behaviour share the exploration of the first of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from analyzer.frontends.puppet.worlds.refusals import MOST_ASSUMED
from analyzer.frontends.puppet.worlds.world import Facts, World
from analyzer.frontends.puppet.worlds.world_result import WorldResult
from analyzer.session.worlds.searching import WorldSearch, counted
from analyzer.worlds.explored import ConditionalFinding, ExploredNode

# The behaviour of a node on each of its systems.
Key = tuple[bytes, ...]

# The number of worlds in which another node must behave like the first.
COMPARED = 4
# The most nodes that another one is compared with.
MOST = 4


@dataclass(frozen=True, slots=True)
class First:
    """A node that was explored, and its behaviour in each of its worlds."""

    node: ExploredNode
    behaviour: dict[World, bytes]


class Sharing:
    """The nodes that were explored so far, by their behaviour on the unchanged systems.

    `assumed` are facts of the site that the last node needed.
    """

    def __init__(self, firsts: Mapping[Key, Sequence[First]], assumed: Facts) -> None:
        self.firsts = {key: list(found) for key, found in firsts.items()}
        self.assumed = assumed
        # The names of the nodes that this one was compared with, by key.
        self.looked: dict[Key, list[str]] = {}
        self.new: First | None = None

    def explored(self, search: WorldSearch, bound: Callable[[WorldSearch], None]) -> ExploredNode:
        """Explore a node, or return the exploration of one with the same behaviour.

        `bound` limits the worlds of a search by the time of its first ones.
        """
        if search.program.own:
            search.explorer.start(map(World, search.program.systems))
            bound(search)
            return search.node()
        search.program.assumed = self.assumed
        key = self.key(search)
        found = self.like(search, key)
        if self.assumed and (found is None or search.program.assumed != self.assumed):
            # A node with the same behaviour needs these facts, too; others may not.
            first = World(search.program.systems[0])
            facts, ran = search.program.assumed, search.explorer.seen.get(first)
            known = isinstance(ran, WorldResult) and search.program.needs(first, facts, ran)
            if len(facts) >= MOST_ASSUMED or not known:
                search.program.assumed = {}
                search.begin()
                key = self.key(search)
                found = self.like(search, key)
        if found is None:
            bound(search)
            found = search.node()
            done = {world.world: behaviour_of(search, world.world) for world in found.worlds}
            self.new = First(found.in_outline(), done)
            self.firsts.setdefault(key, []).insert(0, self.new)
        self.assumed = search.program.assumed or self.assumed
        return found

    def names(self, key: Key) -> list[str]:
        """Return the names of the nodes with a key."""
        return [first.node.name for first in self.firsts.get(key, ())]

    def key(self, search: WorldSearch) -> Key:
        """Return the behaviour of a node on each of its systems."""
        search.explorer.start(map(World, search.program.systems))
        return tuple(behaviour_of(search, World(system)) for system in search.program.systems)

    def like(self, search: WorldSearch, key: Key) -> ExploredNode | None:
        """Return the exploration of a node with the same behaviour."""
        firsts = self.firsts.get(key, [])
        self.looked.setdefault(key, self.names(key))
        for first in firsts[:MOST]:
            found = like(search, first)
            if found is not None:
                # The next node is most often of the same kind.
                firsts.remove(first)
                firsts.insert(0, first)
                return found
        return None


def like(search: WorldSearch, first: First) -> ExploredNode | None:
    """Return a node with the findings of another, None if they differ in any world."""
    tried = list(some_of(list(first.behaviour)))
    search.explorer.start(tried)
    if any(behaviour_of(search, world) != first.behaviour[world] for world in tried):
        return None
    findings = []
    for one in first.node.findings:
        world = search.at(one.world.world)
        same = next(filter(one.finding.is_like, search.findings(world)), None)
        if same is None:
            return None
        findings.append(ConditionalFinding(same, world, one.condition))
    found = search.explorer.found
    worlds = [counted(search.at(world)) for world, _ in found.worlds]
    return ExploredNode(
        search.program.name,
        worlds,
        findings,
        found.runs,
        first.node.exhausted,
        first.node.name,
        search.program.origin,
    )


def behaviour_of(search: WorldSearch, world: World) -> bytes:
    """Return the behaviour of a node in a world: its classes, and the arms that its code takes.

    Data of the node itself may differ from another's. Empty if the world was not compiled.
    """
    ran = search.explorer.seen.get(world)
    if not isinstance(ran, WorldResult):
        return b""
    resources = ran.catalog.resources if ran.catalog is not None else ()
    classes = sorted(str(one.ref) for one in resources if one.type == "Class")
    error = str(ran.error).replace(search.program.node, "")
    taken = sorted((place, sorted(arms)) for place, arms in ran.taken.items())
    return sha256(repr((classes, taken, error)).encode()).digest()


def some_of(worlds: Sequence[World]) -> Iterator[World]:
    """Yield a few worlds, spread over all that the search found."""
    yield from worlds[:: max(1, -(-len(worlds) // COMPARED))]
