"""Which nodes have a dependency cycle or a missing resource, and which statements are behind it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from analyzer.fleet.fold import fold, place, relative
from analyzer.fleet.questions.graphs import PLAIN, Graphs
from analyzer.fleet.questions.statements import statement_at, statements_of, unknown_of
from analyzer.fleet.values import AnswerOfCatalog, Occurrence
from analyzer.graph.canonical import canonical_cycle
from analyzer.graph.cycles.search import folded
from analyzer.graph.queries import MissingTarget
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.catalog import Catalog


@dataclass(frozen=True, slots=True)
class Cycles:
    """The question of `catgraph fleet cycles`."""

    by_content: ClassVar[bool] = True
    graphs: Graphs = PLAIN

    @property
    def key(self) -> str:
        """Return the name, with the state of the user's types."""
        return f"cycles {self.graphs.state}"

    def answer(self, catalog: Catalog, name: str) -> AnswerOfCatalog:
        """Return the cycles and missing resources of one catalog."""
        graph = self.graphs.of(catalog)
        return AnswerOfCatalog(tuple(occurrences(graph, name)), unknown_of(graph))


def occurrences(graph: RelationshipGraph, name: str) -> Iterator[Occurrence]:
    """Yield the missing targets and the cycles of a graph, in an order that the graph gives."""
    components = graph.components() if graph.has_cycle else []
    yield from occurrences_of(graph, graph.missing(), components, name)


def occurrences_of(
    graph: RelationshipGraph,
    targets: Iterable[MissingTarget],
    components: Iterable[list[int]],
    name: str,
) -> list[Occurrence]:
    """Return the occurrences of some missing targets and of some components of a graph."""
    found = [] if graph.catalog.alone else [missing(graph, one, name) for one in targets]
    found += [cycle(graph, component, name) for component in components]
    return sorted(found, key=lambda one: (one.code, one.key, one.path))


def missing(graph: RelationshipGraph, target: MissingTarget, name: str) -> Occurrence:
    """Return the occurrence of a reference that finds nothing."""
    ends = str(target.declared_by), str(target.target)
    phrase = f"{place(0)} names {place(1)}, which is not in the catalog"
    made = statement_at(graph.catalog, target.span, phrase, ends, name)
    return Occurrence("CG201", "error", (made,), made.names)


def cycle(graph: RelationshipGraph, component: list[int], name: str) -> Occurrence:
    """Return the occurrence of a strongly connected component."""

    def rank(i: int) -> tuple[object, ...]:
        one = graph.resources[i]
        file = relative(one.file or "", graph.catalog.environment, graph.catalog.path)
        return file, one.line or 0, one.type, fold(one.title, name), one.title

    hops = canonical_cycle(graph, component, rank)
    path = folded([hops[0].source_ref, *(hop.target_ref for hop in hops)])
    names = tuple(fold(str(ref), name) for ref in path)
    return Occurrence(
        "CG301", "error", statements_of(graph, hops, name, graph.cut_of(component)), names
    )
