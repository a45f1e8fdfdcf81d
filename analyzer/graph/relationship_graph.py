"""The relationship graph that the other packages use (Puppet::Graph::RelationshipGraph)."""

from __future__ import annotations

import gc

from analyzer.graph.build import build
from analyzer.graph.core import GraphCore, NoOrderError
from analyzer.model.nouns import counted, verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import networkx

    from analyzer.graph.automatic.rules import Rules
    from analyzer.graph.diff.values import CatalogDiff
    from analyzer.graph.kernel import Kernel
    from analyzer.graph.provenance import Hop
    from analyzer.graph.queries import Impact, MissingTarget, Why
    from analyzer.graph.query.answer import Answer
    from analyzer.model.catalog import Catalog
    from analyzer.model.completeness import Gap
    from analyzer.model.refs import ResourceRef
    from analyzer.model.relationship import DroppedRelationship, Relationship


class RelationshipGraph(GraphCore):
    """The order of a catalog's resources, and the origin of each ordering."""

    def __init__(self, kernel: Kernel) -> None:
        super().__init__(kernel)
        self._gaps: Sequence[Gap] | None = None

    def __repr__(self) -> str:
        cycle = ", with a cycle" if self.has_cycle else ""
        edges = counted(self.relationship_count, "relationship")
        return f"<RelationshipGraph of {self.catalog!r}, {edges}{cycle}>"

    def find(self, ref: str) -> ResourceRef | None:
        """Return the resource that a reference names by title, alias or namevar, in any case."""
        found = self.kernel.lookup.find_ref(ref)
        return None if found is None else self.provenance.refs[found]

    def relationships(self) -> list[Relationship]:
        """Return explicit and automatic relationships in Puppet's order: by target, then source.

        Their ends are as declared: containers are not replaced. Containment is left out.
        """
        from analyzer.graph.replay import relationship_tables

        return [self._relationship(edge) for edge in relationship_tables(self.kernel).edges()]

    @property
    def relationship_count(self) -> int:
        """Return the number of relationships, explicit and automatic."""
        kernel = self.kernel
        return sum(len(ids) for _, _, ids in kernel.declared) + len(kernel.automatic)

    @property
    def resource_count(self) -> int:
        """Return the number of resources without containers."""
        from analyzer.model.catalog import resource_count

        return resource_count(self.catalog)

    @property
    def size(self) -> str:
        """Return the size in words: the numbers of resources and relationships."""
        from analyzer.model.catalog import size_of

        return size_of(self.catalog, self.relationship_count)

    @property
    def absent_count(self) -> int:
        """Return the number of references to resources that do not exist, each once."""
        return len(self.missing())

    def _relationship(self, edge: tuple[int, int, int | None, int, int]) -> Relationship:
        from analyzer.graph.labels import INWARD

        source, target, label, row, position = edge
        if label is None:
            raise ValueError("an edge inside a container has no relationship")
        if row >= 0:
            return self.provenance.automatic(source, target, label, row)
        inward = label in INWARD
        holder, other = (target, source) if inward else (source, target)
        return self.provenance.declared(holder, label, position, other)

    def dropped(self) -> list[DroppedRelationship]:
        """Return the automatic relationships that Puppet leaves out, with the reasons."""
        return self.provenance.dropped()

    def containment(self) -> list[Relationship]:
        """Return the contents of each container, in order."""
        return [
            self.provenance.contains(x, v)
            for x, contents in self.kernel.contents.items()
            for v in contents
        ]

    def expanded(self) -> Iterator[Hop]:
        """Yield the edges of the expanded graph in Puppet's order; a container is its two ends."""
        from analyzer.graph.replay import expanded_tables

        seen: set[tuple[int, int]] = set()
        for source, target, _, _, _ in expanded_tables(self.kernel).edges():
            if (source, target) not in seen:
                seen.add((source, target))
                yield self.provenance.hop(source, target)

    @property
    def gaps(self) -> Sequence[Gap]:
        """Return the gaps of the catalog and its graph; a catalog in JSON lists its own gaps."""
        if self._gaps is None:
            catalog, self._gaps = self.catalog, ()
            if catalog.gaps or catalog.record is not None:
                from analyzer.graph.gaps import gaps_of

                self._gaps = gaps_of(self.kernel)
            if catalog.unserved:
                self._gaps = [*self._gaps, *catalog.unserved]
        return self._gaps

    @property
    def is_complete(self) -> bool:
        """Return whether all resources and relationships of the node are known."""
        if not self.gaps:
            return True
        from analyzer.model.completeness import is_complete

        return is_complete(self.gaps)

    @property
    def verdict(self) -> str:
        """Return the sentence about a graph without a cycle; only a complete one is clean."""
        return verdict(self.catalog.nouns, complete=self.is_complete)

    def missing(self) -> list[MissingTarget]:
        """Return all references to resources that do not exist."""
        if not self.kernel.missing:
            return []
        from analyzer.graph.queries import missing_targets

        return missing_targets(self.kernel, self.provenance)

    def puppet_text(self) -> str:
        """Return the text that Puppet would log about cycles; empty if there is none."""
        from analyzer.graph.cycles.puppet_text import report

        return report(self.kernel, self.components())

    def why(self, first: str | ResourceRef, second: str | ResourceRef) -> Why:
        """Return the shortest explanation of "first before second", or of its opposite.

        Raises:
            KeyError: one of the two is not in the catalog.
        """
        from analyzer.graph.queries import explain_order

        return explain_order(self.kernel, self.provenance, str(first), str(second))

    def upstream(self, ref: str | ResourceRef) -> list[ResourceRef]:
        """Return all resources that must be applied before a resource, in catalog order."""
        from analyzer.graph.queries import reach

        return reach(self.kernel, self.provenance, str(ref), upstream=True)

    def downstream(self, ref: str | ResourceRef) -> list[ResourceRef]:
        """Return all resources that wait for a resource, in catalog order."""
        from analyzer.graph.queries import reach

        return reach(self.kernel, self.provenance, str(ref), upstream=False)

    def impact(self, ref: str | ResourceRef) -> Impact:
        """Return the effects of a failure or a change of a resource on others.

        Raises:
            KeyError: it is not in the catalog.
        """
        from analyzer.graph.queries import impact_of

        return impact_of(self.kernel, self.provenance, str(ref))

    def query(self, text: str, *, absent_ok: bool = False) -> Answer:
        """Return the results of an expression such as `type = File and before Service[ntp]`.

        With `absent_ok`, a resource that the catalog lacks matches nothing.

        Raises:
            InputError: it is not well-formed, or names a resource that is not in the catalog.
        """
        from analyzer.graph.query.answer import answer

        return answer(self.kernel, self.provenance, text, absent_ok=absent_ok)

    def diff(self, other: RelationshipGraph) -> CatalogDiff:
        """Return how another catalog and its graph differ from this one."""
        from analyzer.graph.diff.compare import diff

        return diff(self, other)

    def to_networkx(self) -> networkx.MultiDiGraph[str]:
        """Return the relationships as a networkx graph over `Type[title]` texts."""
        from analyzer.graph.networkx_graph import to_networkx

        return to_networkx(self.resources, [*self.relationships(), *self.containment()])


def relate(catalog: Catalog, rules: Rules | None = None) -> RelationshipGraph:
    """Build the relationship graph of a catalog as Puppet would.

    `rules` are the automatic rules, including the user's; the default is the standard rules.
    """
    enabled = gc.isenabled()
    # The garbage collector would visit all resources repeatedly, and find nothing to free.
    gc.disable()
    try:
        return RelationshipGraph(build(catalog, rules))
    finally:
        if enabled:
            gc.enable()


__all__ = ["NoOrderError", "RelationshipGraph", "relate"]
