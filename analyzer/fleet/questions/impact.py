"""The effects of a failure or a change of a resource on every node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from analyzer.fleet.fold import place
from analyzer.fleet.questions.graphs import PLAIN, Graphs
from analyzer.fleet.questions.statements import statement_at, unknown_of
from analyzer.fleet.values import AnswerOfCatalog, CauseStatement, Occurrence
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.catalog import Catalog
from analyzer.model.refs import ResourceRef


@dataclass(frozen=True, slots=True)
class ImpactQuestion:
    """The question of `catgraph fleet impact REF`: a cause for each statement that is affected."""

    by_content: ClassVar[bool] = True

    ref: str
    graphs: Graphs = PLAIN

    @property
    def key(self) -> str:
        """Return the name with the reference."""
        return f"impact {self.ref} {self.graphs.state}"

    def answer(self, catalog: Catalog, name: str) -> AnswerOfCatalog:
        """Return the resources that wait, or are refreshed, by their statements."""
        graph = self.graphs.of(catalog)
        try:
            found = graph.impact(self.ref)
        except KeyError as error:
            return AnswerOfCatalog((), unknown_of(graph), lacks=error.args[0])
        refreshed = set(found.refreshed)
        made: dict[object, CauseStatement] = {}
        for ref in sorted({*found.skipped, *refreshed} - {found.ref}, key=str):
            one = affected(graph, ref, name, refreshed=ref in refreshed)
            made.setdefault(one.key, one)
        causes = [Occurrence("impact", "note", (one,), one.names[:1]) for one in made.values()]
        if found.in_cycle:
            made_by = f"{place(0)} is in a dependency cycle: Puppet applies nothing of the catalog"
            one = at_declaration(graph, found.ref, made_by, name)
            causes.insert(0, Occurrence("impact", "warning", (one,), one.names[:1]))
        return AnswerOfCatalog(tuple(causes), unknown_of(graph))


def affected(
    graph: RelationshipGraph, ref: ResourceRef, name: str, *, refreshed: bool
) -> CauseStatement:
    """Return the statement of a resource that is affected."""
    words = (
        "is skipped after a failure, refreshed after a change"
        if refreshed
        else ("is skipped after a failure")
    )
    return at_declaration(graph, ref, f"{place(0)} {words}", name)


def at_declaration(
    graph: RelationshipGraph, ref: ResourceRef, phrase: str, name: str
) -> CauseStatement:
    """Return a statement about a resource, at its declaration."""
    i = graph.id_exactly(str(ref))
    span = None if i is None else graph.resources[i].span
    return statement_at(graph.catalog, span, phrase, (str(ref),), name)
