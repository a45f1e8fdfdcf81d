"""Outlines of catalogs without a cycle: what reports say about them, without the resources.

A stored result has the outline in place of the catalog. `OutlinedCatalog` and `OutlinedGraph` take
the places of a catalog and its graph in reports; asking them for resources is an error
(AttributeError).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.catalog import Catalog
from analyzer.model.completeness import Gap
from analyzer.model.nouns import PUPPET, counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.graph.cycles.search import Cycle
    from analyzer.graph.queries import MissingTarget


@dataclass(frozen=True, slots=True)
class Outline:
    """A catalog as reports describe it; it has an order, and all the targets that it needs.

    `gaps` are those of the compile, `of_graph` those of the graph. `absent` counts references to
    resources that others may declare, of a class by itself.
    """

    path: str
    environment: str
    resources: int
    relationships: int
    absent: int
    gaps: tuple[Gap, ...]
    of_graph: tuple[Gap, ...]
    warnings: tuple[str, ...]
    definitions: frozenset[str]


def outline_of(graph: RelationshipGraph, own: int, *, alone: bool) -> Outline | None:
    """Return the outline of a compiled catalog, None if it has a finding.

    `own` is the number of gaps of its compile; those after them are about its input.
    """
    catalog = graph.catalog
    if graph.has_cycle or (graph.missing_count and not alone):
        return None
    return Outline(
        catalog.path,
        catalog.environment,
        graph.resource_count,
        graph.relationship_count,
        graph.absent_count,
        tuple(catalog.gaps[:own]),
        tuple(graph.gaps[len(catalog.gaps) :]),
        (*catalog.warnings, *graph.warnings),
        catalog.definitions,
    )


class OutlinedCatalog(Catalog):
    """A catalog of which only the outline is known."""

    __slots__ = ("outline",)

    def __init__(self, outline: Outline) -> None:
        super().__init__([], [])
        del self.resources, self.containment
        self.outline = outline
        self.path = outline.path
        self.environment = outline.environment
        self.gaps = [*outline.gaps]
        self.warnings = [*outline.warnings]
        self.graph = OutlinedGraph(self, outline)

    @property
    def definitions(self) -> frozenset[str]:
        """Return the names of its classes, and of the defined types of its resources."""
        return self.outline.definitions


class OutlinedGraph(RelationshipGraph):
    """The graph of a catalog of which only the outline is known."""

    def __init__(self, catalog: Catalog, outline: Outline) -> None:
        self.outlined = catalog
        self.outline = outline

    @property
    def has_cycle(self) -> bool:
        """Return False."""
        return False

    @property
    def warnings(self) -> list[str]:
        """Return no warning: the catalog has them all."""
        return []

    @property
    def catalog(self) -> Catalog:
        """Return the catalog."""
        return self.outlined

    @property
    def gaps(self) -> Sequence[Gap]:
        """Return the gaps of the catalog and its graph."""
        return [*self.outlined.gaps, *self.outline.of_graph]

    @property
    def relationship_count(self) -> int:
        """Return the number of relationships, explicit and automatic."""
        return self.outline.relationships

    @property
    def resource_count(self) -> int:
        """Return the number of resources without containers."""
        return self.outline.resources

    @property
    def size(self) -> str:
        """Return the numbers of resources and relationships in words."""
        counts = (self.resource_count, PUPPET.node), (self.relationship_count, PUPPET.edge)
        return ", ".join(counted(*one) for one in counts)

    @property
    def absent_count(self) -> int:
        """Return the number of references to resources that are not there."""
        return self.outline.absent

    def cycles(self) -> list[Cycle]:
        """Return no cycle."""
        return []

    def missing(self) -> list[MissingTarget]:
        """Return no missing target: none is a finding."""
        return []

    @property
    def missing_count(self) -> int:
        """Return the number of missing targets that are findings."""
        return 0
