"""The differences of two catalogs one by one, each with what shows that it is gone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from analyzer.graph.diff.values import CatalogDiff, CatalogSide, Edges, ResourceChange
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.resource import REDACTED
from analyzer.model.secrets import is_secret

# Kinds of differences, in the order of reports.
NODE, ADDED, REMOVED, PARAMETER, OTHER = "node", "added", "removed", "parameter", "other"
CYCLE, MISSING, RELATIONSHIP, ORDER, POSITION = (
    "cycle", "missing", "relationship", "order", "position",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Alteration:
    """A difference: its kind, what it is about, and the `name` of a parameter.

    `gained`: the second catalog has it. `refs` are the resources that it is about. `secret`: the
    value must not be shown.
    """

    kind: str
    refs: tuple[str, ...]
    name: str = ""
    gained: bool = True
    secret: bool = field(default=False, compare=False)

    @property
    def ref(self) -> str:
        """Return the first resource."""
        return self.refs[0]


# The states of differences in the second catalog: one is another difference if its state is.
States = dict[Alteration, object]


def states_of(found: CatalogDiff) -> States:
    """Return the differences of two catalogs with their states."""
    return {
        **dict(side_states(found.gained, gained=True)),
        **dict(side_states(found.lost, gained=False)),
        **{row: state for one in found.changed for row, state in change_states(one)},
        **{Alteration(POSITION, (str(ref),)): str(after or "") for ref, after in found.moved},
    }


def side_states(side: CatalogSide, *, gained: bool) -> Iterator[tuple[Alteration, object]]:
    """Yield what only one catalog has."""
    for ref, _ in side.resources:
        yield Alteration(ADDED if gained else REMOVED, (str(ref),), gained=gained), ""
    for cycle in side.cycles:
        yield Alteration(CYCLE, tuple(map(str, cycle.members)), gained=gained), ""
    for one in side.missing:
        yield Alteration(MISSING, (str(one.declared_by), one.target), one.parameter, gained), ""
    for edges in side.relationships:
        for pair in ends_of(edges):
            yield Alteration(RELATIONSHIP, pair, str(edges.example.kind), gained), ""
    for pairs in side.order.pairs:
        for first in pairs.first[:MOST]:
            for second in pairs.second[:MOST]:
                yield Alteration(ORDER, (str(first), str(second)), gained=gained), ""


# The members of lists of one relationship, or order, that are looked at by themselves.
MOST = 5


def ends_of(edges: Edges) -> Iterator[tuple[str, str]]:
    """Yield the ends of relationships of one list."""
    for source in edges.sources[:MOST]:
        for target in edges.targets[:MOST]:
            yield str(source), str(target)


def change_states(one: ResourceChange) -> Iterator[tuple[Alteration, object]]:
    """Yield the changes of a resource that both catalogs have."""
    ref = (str(one.ref),)
    for change in one.parameters:
        secret = REDACTED in (change.old, change.new) or is_secret(change.name)
        yield Alteration(PARAMETER, ref, change.name, secret=secret), repr(change.new)
    others: tuple[tuple[str, tuple[object, object]], ...] = (
        ("tags", (one.tags_gained, one.tags_lost)),
        ("container", (one.entered, one.left)),
    )
    for name, state in others:
        if state != ((), ()):
            yield Alteration(OTHER, ref, name), state
    if one.exported is not None:
        yield Alteration(OTHER, ref, "exported"), one.exported


class Compared:
    """The differences that a catalog still has after something was undone."""

    def __init__(self, old: RelationshipGraph, now: RelationshipGraph) -> None:
        self.old = old
        self.now = now
        self.states = states_of(old.diff(now))

    def is_gone(self, one: Alteration) -> bool:
        """Return whether a difference is gone."""
        if one.kind != ORDER or one in self.states:
            return one not in self.states
        # Of the same order other pairs may be shown.
        return is_before(self.now, *one.refs) == is_before(self.old, *one.refs)

    def is_same(self, one: Alteration, state: object) -> bool:
        """Return whether a difference is what it was."""
        return one in self.states and self.states[one] == state


def is_before(graph: RelationshipGraph, first: str, second: str) -> bool:
    """Return whether one resource is applied before another because of relationships."""
    if graph.find(first) is None or graph.find(second) is None:
        return False
    return graph.why(first, second).verdict in ("before", "cycle")
