"""Compares relationship graphs: ours of a catalog, and the real tool's as an answer has it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from analyzer.graph.cycles.search import Cycle
from analyzer.graph.provenance import Hop
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.relationship import Relationship
from analyzer.pattern import pattern

Record = tuple[str, ...]

END = pattern(r"\A(?:Admitted|Completed)\[((?s:.)*)\]\Z")


@dataclass(frozen=True, slots=True)
class VerifyEdge:
    """One edge: `~>` carries all events, `->` none; `auto` is the kind of automatic rule or ''."""

    source: str
    arrow: str
    target: str
    auto: str


@dataclass(frozen=True, slots=True)
class Dropped:
    """An automatic edge that Puppet proposed and left out, and why."""

    source: str
    target: str
    auto: str
    reason: str


@dataclass(frozen=True, slots=True)
class PuppetGraph:
    """The relationship graph that Puppet makes of a catalog; sequences are in its order.

    `order` is empty when there is a cycle. `report` is the exact text Puppet logs about cycles,
    or '' where there is none or nobody asked for it.
    """

    relationships: tuple[VerifyEdge, ...]
    dropped: tuple[Dropped, ...]
    expanded: tuple[VerifyEdge, ...]
    order: tuple[str, ...]
    cycles: tuple[tuple[str, ...], ...]
    report: str = ""


def graph_in(answer: Mapping[str, Any]) -> PuppetGraph:
    """Return the graph of an answer, as `ruby/graph.rb` describes it."""
    return PuppetGraph(
        relationships=tuple(edge_of(row) for row in answer["relationships"]),
        dropped=tuple(Dropped(r[0], r[1], r[4], r[5]) for r in answer["dropped"]),
        expanded=tuple(edge_of(row) for row in answer["expanded"]),
        order=tuple(answer.get("order") or ()),
        cycles=tuple(tuple(members) for members in answer["cycles"]),
        report=answer.get("report") or "",
    )


def edge_of(row: Sequence[str | None]) -> VerifyEdge:
    """Return a row of an answer as an edge."""
    source, target, *label, auto = row
    return VerifyEdge(str(source), ARROWS[(*label, bool(auto))], str(target), auto or "")


# Callback, event, automatic: the table of labels in Puppet is closed.
ARROWS: dict[tuple[str | bool | None, ...], str] = {
    (None, None, False): "->",
    (None, "NONE", True): "->",
    # Its label outlives the replacement of a container, its rule does not.
    (None, "NONE", False): "->",
    ("refresh", "ALL_EVENTS", False): "~>",
    ("refresh", "ALL_EVENTS", True): "~>",
}


@dataclass(frozen=True, slots=True)
class GraphDifference:
    """The first place where a list differs; `None` where one of the lists is at its end."""

    kind: str
    position: int
    expected: Record | None
    actual: Record | None

    def __str__(self) -> str:
        return f"{self.kind}[{self.position}]: Puppet {self.expected}, catgraph {self.actual}"


def graph_differences(theirs: PuppetGraph, ours: RelationshipGraph) -> list[GraphDifference]:
    """Return the first difference of each list of two graphs."""
    compared = (first_of(kind, expected, actual) for kind, expected, actual in lists(theirs, ours))
    return [difference for difference in compared if difference is not None]


def lists(
    theirs: PuppetGraph, ours: RelationshipGraph
) -> Iterator[tuple[str, Sequence[Record], Sequence[Record]]]:
    """Yield what is compared: the kind, Puppet's list, and ours."""
    hops = list(ours.expanded())
    yield "relationships", [fields(e) for e in theirs.relationships], relationships(ours)
    yield "dropped", [fields(d) for d in theirs.dropped], dropped(ours)
    yield "expanded", pairs_of(theirs.expanded), [(h.source_name, h.target_name) for h in hops]
    yield "expanded labels", labels(theirs.expanded), labels(e for h in hops for e in edges_of(h))
    yield "order", [(ref,) for ref in theirs.order], order(ours)
    yield "missing", [], missing(ours)
    cycles = ours.cycles()
    yield "cycles", sorted_members(theirs.cycles), sorted_members(cycle.nodes for cycle in cycles)
    yield "members", sorted_members(map(folded, theirs.cycles)), members(cycles)
    if theirs.report or not theirs.cycles:
        yield "report", [(theirs.report,)], [(ours.puppet_text(),)]


def missing(graph: RelationshipGraph) -> list[Record]:
    """Return the messages about targets of relationships that are not there."""
    return [(target.message,) for target in graph.missing()]


def fields(value: VerifyEdge | Dropped) -> Record:
    """Return an edge as a record."""
    if isinstance(value, VerifyEdge):
        return (value.source, value.arrow, value.target, value.auto)
    return (value.source, value.target, value.auto, value.reason)


def relationships(graph: RelationshipGraph) -> list[Record]:
    """Return our edges before containers are replaced."""
    return [(str(r.source), arrow(r), str(r.target), auto(r)) for r in graph.relationships()]


def dropped(graph: RelationshipGraph) -> list[Record]:
    """Return the automatic edges that we leave out."""
    rows = ((d.relationship, d.reason) for d in graph.dropped())
    return [(str(r.source), str(r.target), r.auto or "", reason) for r, reason in rows]


def auto(relationship: Relationship) -> str:
    """Return how Puppet marks an edge: one to a generated resource is a plain `before`."""
    return "" if relationship.auto in (None, "generate") else str(relationship.auto)


def arrow(relationship: Relationship) -> str:
    """Return the arrow of a relationship."""
    return "~>" if relationship.event else "->"


def edges_of(hop: Hop) -> list[VerifyEdge]:
    """Return the edges of a hop; that through an empty container has no relationship."""
    source, target = hop.source_name, hop.target_name
    edges = [VerifyEdge(source, arrow(r), target, auto(r)) for r in hop.relationships]
    return edges or [VerifyEdge(source, "->", target, "")]


def pairs_of(edges: Iterable[VerifyEdge]) -> list[Record]:
    """Return the ends of edges, each pair once."""
    return list(dict.fromkeys((edge.source, edge.target) for edge in edges))


def labels(edges: Iterable[VerifyEdge]) -> list[Record]:
    """Return edges with their labels, sorted."""
    return sorted({fields(edge) for edge in edges})


def order(graph: RelationshipGraph) -> list[Record]:
    """Return the order of our resources, none if there is a cycle."""
    return [] if graph.has_cycle else [(str(ref),) for ref in graph.order()]


def sorted_members(components: Iterable[Iterable[str]]) -> list[Record]:
    """Return components and their members, sorted."""
    return sorted(tuple(sorted(names)) for names in components)


def folded(names: Iterable[str]) -> set[str]:
    """Return the members of a cycle, with containers for their ends."""
    return {END.sub(r"\1", name) for name in names}


def members(cycles: Iterable[Cycle]) -> list[Record]:
    """Return the members of our cycles."""
    return sorted_members(map(str, cycle.members) for cycle in cycles)


def first_of(
    kind: str, expected: Sequence[Record], actual: Sequence[Record]
) -> GraphDifference | None:
    """Return the first place where two lists differ, None if they do not."""
    for position, (theirs, ours) in enumerate(zip_longest(expected, actual)):
        if theirs != ours:
            return GraphDifference(kind, position, theirs, ours)
    return None
