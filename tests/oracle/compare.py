"""What the analyzer says about a recorded catalog, set against what Puppet said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import analyzer
from analyzer.graph.cycles.search import Cycle
from analyzer.graph.provenance import Hop
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.relationship import Relationship

from .case import Case, Catalog, Dropped, Edge

Record = tuple[str, ...]

_END = re.compile(r"\A(?:Admitted|Completed)\[(.*)\]\Z", re.DOTALL)
_REFUSAL = re.compile(r"Could not find depend(?:ency|ent) .*\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place where a list differs; `None` where one of the lists is at its end."""

    kind: str
    position: int
    expected: Record | None
    actual: Record | None

    def __str__(self) -> str:
        return f"{self.kind}[{self.position}]: Puppet {self.expected}, catgraph {self.actual}"


def differences(case: Case) -> list[Difference]:
    """Every kind of output in which the analyzer disagrees with Puppet, first place each."""
    graph = analyzer.relate(analyzer.load_catalog(case.catalog))
    found = (_first(kind, expected, actual) for kind, expected, actual in _pairs(case, graph))
    return [difference for difference in found if difference is not None]


def refusal_differences(catalog: Catalog, error: str) -> list[Difference]:
    """Like `differences`, for a catalog that Puppet refused to apply with this error.

    Only references that find no resource are compared: the analyzer does not validate values.
    """
    refused = _REFUSAL.search(error)
    if refused is None:
        return []
    graph = analyzer.relate(analyzer.load_catalog(catalog))
    found = _first("missing", [(refused.group(),)], _missing(graph)[:1])
    return [found] if found else []


def _missing(graph: RelationshipGraph) -> list[Record]:
    return [(target.message,) for target in graph.missing()]


def _pairs(
    case: Case, graph: RelationshipGraph
) -> Iterator[tuple[str, Sequence[Record], Sequence[Record]]]:
    hops = list(graph.expanded())
    yield "relationships", [_fields(e) for e in case.relationships], _relationships(graph)
    yield "dropped", [_fields(d) for d in case.dropped], _dropped(graph)
    yield "expanded", _pairs_of(case.expanded), [(h.source_name, h.target_name) for h in hops]
    yield "expanded labels", _labels(case.expanded), _labels(e for h in hops for e in _edges(h))
    yield "order", [(ref,) for ref in case.order], _order(graph)
    yield "missing", [], _missing(graph)
    cycles = graph.cycles()
    yield "cycles", _sorted(case.cycles), _sorted(cycle.nodes for cycle in cycles)
    yield "members", _sorted(map(_folded, case.cycles)), _members(cycles)
    if case.report or not case.cycles:
        yield "report", [(case.report,)], [(graph.puppet_text(),)]


def _fields(value: Edge | Dropped) -> Record:
    if isinstance(value, Edge):
        return (value.source, value.arrow, value.target, value.auto)
    return (value.source, value.target, value.auto, value.reason)


def _relationships(graph: RelationshipGraph) -> list[Record]:
    return [(str(r.source), _arrow(r), str(r.target), _auto(r)) for r in graph.relationships()]


def _dropped(graph: RelationshipGraph) -> list[Record]:
    rows = ((d.relationship, d.reason) for d in graph.dropped())
    return [(str(r.source), str(r.target), r.auto or "", reason) for r, reason in rows]


def _auto(relationship: Relationship) -> str:
    """How Puppet marks an edge: one to a resource that is generated is a plain `before`."""
    return "" if relationship.auto in (None, "generate") else str(relationship.auto)


def _arrow(relationship: Relationship) -> str:
    return "~>" if relationship.event else "->"


def _edges(hop: Hop) -> list[Edge]:
    """The edges that one hop stands for; that through an empty container has no relationship."""
    source, target = hop.source_name, hop.target_name
    found = [Edge(source, _arrow(r), target, _auto(r)) for r in hop.relationships]
    return found or [Edge(source, "->", target, "")]


def _pairs_of(edges: Iterable[Edge]) -> list[Record]:
    return list(dict.fromkeys((edge.source, edge.target) for edge in edges))


def _labels(edges: Iterable[Edge]) -> list[Record]:
    return sorted({_fields(edge) for edge in edges})


def _order(graph: RelationshipGraph) -> list[Record]:
    return [] if graph.has_cycle else [(str(ref),) for ref in graph.order()]


def _sorted(components: Iterable[Iterable[str]]) -> list[Record]:
    return sorted(tuple(sorted(members)) for members in components)


def _folded(members: Iterable[str]) -> set[str]:
    return {_END.sub(r"\1", member) for member in members}


def _members(cycles: Iterable[Cycle]) -> list[Record]:
    return _sorted(map(str, cycle.members) for cycle in cycles)


def _first(kind: str, expected: Sequence[Record], actual: Sequence[Record]) -> Difference | None:
    for position, (theirs, ours) in enumerate(zip_longest(expected, actual)):
        if theirs != ours:
            return Difference(kind, position, theirs, ours)
    return None
