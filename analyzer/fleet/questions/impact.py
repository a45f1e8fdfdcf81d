"""What a failure or a change of a resource affects, on every node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from analyzer.fleet.fold import fold, place
from analyzer.fleet.questions.graphs import PLAIN, Graphs
from analyzer.fleet.questions.statements import statement_at, unknown_of
from analyzer.fleet.values import Answer, Occurrence, Statement
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.catalog import Catalog
from analyzer.model.refs import ResourceRef


@dataclass(frozen=True, slots=True)
class Impact:
    """The question of `catgraph fleet impact REF`: a cause for each statement that is affected.

    Nodes that lack the resource have no answer.
    """

    by_content: ClassVar[bool] = True

    ref: str
    graphs: Graphs = PLAIN

    @property
    def key(self) -> str:
        """Return the name with the reference."""
        return f"impact {self.ref} {self.graphs.state}"

    def answer(self, catalog: Catalog, name: str) -> Answer:
        """Return the resources that wait, or are refreshed, by their statements."""
        graph = self.graphs.of(catalog)
        if graph.find(self.ref) is None:
            return Answer((), unknown_of(graph))
        found = graph.impact(self.ref)
        refreshed = set(found.refreshed)
        made: dict[object, Statement] = {}
        for ref in sorted({*found.skipped, *refreshed}, key=str):
            one = affected(graph, ref, name, refreshed=ref in refreshed)
            made.setdefault(one.key, one)
        causes = (Occurrence("impact", "note", (one,), one.names[:1]) for one in made.values())
        return Answer(tuple(causes), unknown_of(graph))


def affected(
    graph: RelationshipGraph, ref: ResourceRef, name: str, *, refreshed: bool
) -> Statement:
    """Return the statement of a resource that is affected."""
    words = (
        "is skipped after a failure, refreshed after a change"
        if refreshed
        else ("is skipped after a failure")
    )
    i = graph.id_exactly(str(ref))
    span = None if i is None else graph.resources[i].span
    names = (fold(str(ref), name),)
    return statement_at(graph.catalog, span, f"{place(0)} {words}", names, name)
