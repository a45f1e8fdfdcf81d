"""Which nodes have resources or edges that an expression finds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from analyzer.diagnostics import InputError
from analyzer.fleet.fold import place
from analyzer.fleet.questions.graphs import PLAIN, Graphs
from analyzer.fleet.questions.statements import statement_at, statement_of, unknown_of
from analyzer.fleet.values import AnswerOfCatalog, CauseStatement, Occurrence
from analyzer.graph.query.answer import Answer as Found
from analyzer.graph.query.refusal import ABSENT
from analyzer.graph.relationship_graph import RelationshipGraph, relate
from analyzer.model.catalog import Catalog


@dataclass(frozen=True, slots=True)
class QueryQuestion:
    """The question of `catgraph fleet query EXPR`; each statement that is found is a cause."""

    by_content: ClassVar[bool] = True

    text: str
    graphs: Graphs = PLAIN

    @property
    def key(self) -> str:
        """Return the name with the expression."""
        return f"query {self.text} {self.graphs.state}"

    def answer(self, catalog: Catalog, name: str) -> AnswerOfCatalog:
        """Return the matches of the expression; none in a catalog without the named resources.

        Raises:
            InputError: the expression is not well-formed.
        """
        graph = self.graphs.of(catalog)
        try:
            found = graph.query(self.text)
        except InputError as error:
            if error.code != ABSENT:
                raise
            return AnswerOfCatalog((), unknown_of(graph), lacks=error.message)
        unique = {one.key: one for one in sorted(statements(graph, found, name), key=by_names)}
        causes = tuple(Occurrence("query", "note", (one,), one.names) for one in unique.values())
        undecided = [f"{ref}: {why}" for ref, why in found.undecided]
        return AnswerOfCatalog(causes, (*unknown_of(graph), *undecided))


def check(text: str) -> None:
    """Check an expression before any node is asked.

    Raises:
        InputError: it is invalid for any catalog.
    """
    relate(Catalog([], [])).query(text, absent_ok=True)


def statements(graph: RelationshipGraph, found: Found, name: str) -> Iterator[CauseStatement]:
    """Yield the statements of resources and of edges."""
    for ref, span in zip(found.resources, found.places, strict=True):
        yield statement_at(graph.catalog, span, place(0), (str(ref),), name)
    for made in found.relationships:
        yield statement_of(graph, made, name)


def by_names(one: CauseStatement) -> tuple[str, ...]:
    """Return a sort key that does not depend on the catalog's order; the last one counts."""
    return one.names
