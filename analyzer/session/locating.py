"""Adds to a graph the places of a catalog's relationships, if the source is available."""

from __future__ import annotations

from functools import cache

from analyzer.model.nouns import PUPPET

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.frontends.puppet.statement_places import StatementPlaces
    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.model.resource import Resource
    from analyzer.source import Span


def locate(graph: RelationshipGraph) -> None:
    """Make a graph look up the statements of a catalog that was not compiled here.

    Call it before the cycles of the graph are used.
    """
    catalog = graph.catalog
    if catalog.record is not None or catalog.nouns is not PUPPET or not catalog.path:
        return

    @cache
    def places() -> StatementPlaces:
        from analyzer.frontends.puppet.statement_places import StatementPlaces

        return StatementPlaces(catalog)

    def place(resource: Resource, form: str, position: int) -> Span | None:
        return places().place(resource, form, position)

    graph.provenance.finder = place
