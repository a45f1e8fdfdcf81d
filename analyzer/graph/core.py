"""The relationship graph in ids, for front ends that draw or walk it.

A resource's id is its place in the catalog. A container's own id stands for its admitted end,
`completed[id]` for its completed end; junctions of many-to-many relationships come last.
"""

from __future__ import annotations

from analyzer.graph.algorithms.components import components, is_cyclic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from analyzer.graph.cycles.cuts import Cut
    from analyzer.graph.cycles.search import Cycle
    from analyzer.graph.kernel import Kernel
    from analyzer.graph.order import Ordering
    from analyzer.graph.provenance import Provenance
    from analyzer.graph.wiring import Wiring
    from analyzer.model.catalog import Catalog
    from analyzer.model.refs import ResourceRef
    from analyzer.model.resource import Resource


class NoOrderError(ValueError):
    """The graph has a cycle, so its resources have no order."""


class GraphCore:
    """A graph in ids, with its provenance, its cycles and its order.

    Only `analyzer.graph` uses `kernel`; the lists returned here must not be changed.
    """

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self._provenance: Provenance | None = None
        self._cycles: list[Cycle] | None = None
        self._cyclic: bool | None = None

    @property
    def catalog(self) -> Catalog:
        """Return the catalog the graph was made from."""
        return self.kernel.catalog

    @property
    def provenance(self) -> Provenance:
        """Return the references and origins for ids."""
        if self._provenance is None:
            from analyzer.graph.provenance import Provenance

            self._provenance = Provenance(self.kernel)
        return self._provenance

    # ------------------------------------------------------------------ nodes

    @property
    def resources(self) -> Sequence[Resource]:
        """Return the resources by id: those of the catalog, then those that Puppet adds."""
        return self.kernel.resources

    @property
    def vertices(self) -> int:
        """Return the number of resources and containers."""
        return self.kernel.vertices

    @property
    def ends(self) -> int:
        """Return the number of nodes other than junctions; their ids come first."""
        return self.kernel.vertices + len(self.kernel.owner)

    @property
    def containers(self) -> Sequence[int]:
        """Return the ids of the containers, in the order of their completed ends."""
        return self.kernel.owner

    @property
    def completed(self) -> Sequence[int]:
        """Return the completed end of each container, by id; a resource's is itself."""
        return self.kernel.completed

    @property
    def contents(self) -> Mapping[int, Sequence[int]]:
        """Return the resources that each container holds directly, in their order."""
        return self.kernel.contents

    def is_container(self, vertex: int) -> bool:
        """Return whether the id is that of a class, a define's instance or a stage."""
        return self.kernel.completed[vertex] != vertex

    def end_of(self, node: int) -> tuple[str, int]:
        """Return the role of a node and the id of its resource, as `Kernel.end_of` has them."""
        return self.kernel.end_of(node)

    def nearest_containers(self) -> dict[int, int]:
        """Return the nearest container of each resource that has one."""
        from analyzer.graph.containers import nearest_containers

        return nearest_containers(self.kernel)

    def first_containers(self) -> dict[int, int]:
        """Return the first container of each resource, in the catalog's order of edges."""
        from analyzer.graph.containers import first_containers

        return first_containers(self.kernel)

    # ------------------------------------------------------------------ names

    def id_of(self, ref: object) -> int | None:
        """Return the id of the resource that a reference names by title, alias or namevar."""
        return self.kernel.lookup.find_ref(ref)

    def id_exactly(self, ref: str) -> int | None:
        """Return the id of the resource with a reference in exactly this spelling."""
        return self.kernel.lookup.by_ref.get(ref)

    def id_titled(self, kind: str, title: str) -> int | None:
        """Return the id of a type's resource by its title, alias or namevar."""
        return self.kernel.lookup.find(kind, title)

    def locate(self, ref: str) -> int:
        """Return the id of a resource.

        Raises:
            KeyError: it is not in the catalog; the message suggests similar names.
        """
        from analyzer.graph.queries import locate

        return locate(self.kernel, ref)

    def did_you_mean(self, ref: object) -> tuple[str, ...]:
        """Return up to three references similar to the given one, the best first."""
        from analyzer.graph.queries import did_you_mean

        return did_you_mean(self.kernel, ref)

    # ------------------------------------------------------------------ edges

    @property
    def successors(self) -> list[list[int]]:
        """Return the successors of each node in the expanded graph."""
        return self.kernel.succ

    def predecessors(self) -> list[list[int]]:
        """Return the expanded graph with its edges reversed."""
        from analyzer.graph.queries import predecessors

        return predecessors(self.kernel)

    def event_edges(self) -> list[list[int]]:
        """Return the edges of the expanded graph that events follow."""
        from analyzer.graph.queries import event_edges

        return event_edges(self.kernel)

    @property
    def declared(self) -> Sequence[tuple[int, int, Sequence[int]]]:
        """Return the relationship parameters: holder, label (graph.labels), target ids."""
        return self.kernel.declared

    @property
    def automatic(self) -> Sequence[tuple[int, int, int, int]]:
        """Return the automatic relationships: source, target, label, number of the rule."""
        return self.kernel.automatic

    @property
    def junctions(self) -> Sequence[tuple[int, Sequence[int], Sequence[int]]]:
        """Return the many-to-many relationships: label, holders, the ids that all of them name."""
        return self.kernel.junctions

    def wiring(self) -> Wiring:
        """Return the edges by node, in the order of Puppet's own tables."""
        from analyzer.graph.wiring import Wiring

        return Wiring(self.kernel)

    @property
    def refreshable(self) -> frozenset[str]:
        """Return the types that can refresh."""
        return self.kernel.refreshable

    @property
    def self_refreshing(self) -> frozenset[str]:
        """Return the types that also refresh after their own changes."""
        from analyzer.model.types import SELF_REFRESHING

        rules = self.kernel.rules
        return self.catalog.self_refreshing | (rules.self_refreshing if rules else SELF_REFRESHING)

    # ------------------------------------------------------------------ problems

    @property
    def warnings(self) -> list[str]:
        """Return warnings about features that Puppet's catalogs never have."""
        return self.kernel.warnings

    @property
    def missing_count(self) -> int:
        """Return the number of references in relationship parameters that match no resource."""
        return len(self.kernel.missing)

    @property
    def has_cycle(self) -> bool:
        """Return whether Puppet would refuse to apply this catalog because of a cycle."""
        if self._cyclic is None:
            self._cyclic = is_cyclic(self.kernel.succ)
        return self._cyclic

    def components(self) -> list[list[int]]:
        """Return the strongly connected components of the expanded graph with a cycle."""
        return components(self.kernel.succ)

    def cut_of(self, component: list[int]) -> Cut:
        """Return the statements to remove so that one of `components()` has no cycle."""
        from analyzer.graph.cycles.cuts import smallest_cut

        return smallest_cut(self.kernel, self.provenance, component)

    def cycles(self) -> list[Cycle]:
        """Return every cyclic component, explained."""
        if self._cycles is None:
            self._cycles = []
            if self.has_cycle:
                from analyzer.graph.cycles.search import find_cycles

                self._cycles = find_cycles(self.kernel, self.provenance)
        return list(self._cycles)

    # ------------------------------------------------------------------ order

    def traverse(self, rank: Sequence[int] | None = None) -> list[int]:
        """Return the nodes without junctions in the order of applying, up to a cycle.

        `rank` are the priorities of the resources, as `ranks` returns them.
        """
        from analyzer.graph.order import traverse

        return traverse(self.kernel, rank)

    def ranks(self, ordering: Ordering, seed: int = 0) -> list[int] | None:
        """Return the priority of each resource in an ordering (None: Puppet's own)."""
        from analyzer.graph.order import ranks

        return ranks(self.kernel, ordering, seed)

    def order(self, ordering: Ordering = "manifest", seed: int = 0) -> list[ResourceRef]:
        """Return the resources in the order in which Puppet applies them, without containers.

        Raises:
            NoOrderError: the graph has a cycle.
        """
        from analyzer.graph.order import ranks, traverse

        kernel = self.kernel
        nodes = traverse(kernel, ranks(kernel, ordering, seed))
        if len(nodes) < self.ends:
            raise NoOrderError("there is no order: the graph has a dependency cycle")
        refs, completed = self.provenance.refs, kernel.completed
        return [refs[v] for v in nodes if v < kernel.vertices and completed[v] == v]
