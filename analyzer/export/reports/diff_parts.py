"""The parts of a report on two catalogs: heads and rows for all formats."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from analyzer.escape import shown
from analyzer.export.reports.diff_rows import (
    DiffRow,
    changed_rows,
    order_rows,
    relationship_rows,
    resource_rows,
)
from analyzer.graph.diff.values import CatalogDiff, CatalogSide
from analyzer.model.catalog import size_of
from analyzer.model.nouns import CFENGINE, PUPPET, Nouns, counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from analyzer.graph.cycles.search import Cycle
    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.model.refs import ResourceRef


@dataclass
class ComparedNode:
    """One node in both inputs, None in an input without it; `labels` name the inputs."""

    name: str
    first: RelationshipGraph | None
    second: RelationshipGraph | None
    labels: tuple[str, str] = ("A", "B")

    @cached_property
    def diff(self) -> CatalogDiff | None:
        """Return the differences between its catalogs, None if there is only one."""
        return self.first.diff(self.second) if self.first and self.second else None

    def same_inputs(self) -> None:
        """Take values that are unknown in both catalogs for equal: their files are the same."""
        if self.diff is not None:
            self.diff = replace(self.diff, undecided=())

    @property
    def differs(self) -> bool:
        """Return whether there is anything to report."""
        return bool(self.diff) or self.diff is None


@dataclass(frozen=True, slots=True)
class DiffPart:
    """A part of the report: its head, its rows, their number, and whether it reports problems."""

    head: str
    rows: Iterator[DiffRow]
    count: int
    bad: bool = False


def all_parts(node: ComparedNode) -> Iterator[DiffPart]:
    """Yield the parts about a node; if only one input has it, its cycles."""
    if node.diff is not None:
        yield from parts(node, node.diff)
    for word, graph, bad in (("former", node.first, False), ("new", node.second, True)):
        if node.diff is None and graph is not None and graph.has_cycle:
            yield cyclic(word, graph.cycles(), graph.catalog.nouns, bad=bad)


def parts(node: ComparedNode, found: CatalogDiff) -> Iterator[DiffPart]:
    """Yield the parts that are not empty, by severity."""
    nouns = node.second.catalog.nouns if node.second else PUPPET
    for made in (
        *broken("new", found.gained, nouns, bad=True),
        resources("added", found.gained, found, node.second),
        resources("removed", found.lost, found, node.first),
        changed(found, node.second),
        *order("gained", found.gained, found, node.second),
        *order("lost", found.lost, found, node.first),
        relationships("gained", found.gained, nouns),
        relationships("lost", found.lost, nouns),
        *broken("former", found.lost, nouns, bad=False),
        cyclic("in both", found.cycles, nouns, bad=False),
        moved(found, nouns),
        undecided(found),
    ):
        if made.count:
            yield made


def broken(word: str, side: CatalogSide, nouns: Nouns, *, bad: bool) -> Iterator[DiffPart]:
    """Yield cycles and missing targets."""
    yield cyclic(word, side.cycles, nouns, bad=bad)
    missing = (DiffRow(one.message) for one in side.missing)
    count = len(side.missing)
    yield DiffPart(
        f"{word}: {counted(count, 'reference')} to missing resources", missing, count, bad
    )


def cyclic(word: str, cycles: Sequence[Cycle], nouns: Nouns, *, bad: bool) -> DiffPart:
    """Return cycles, each with the place of the statement that breaks it."""
    rows = (DiffRow(str(cycle), str(cycle.place or "")) for cycle in cycles)
    noun = "depends_on cycle" if nouns is CFENGINE else "dependency cycle"
    return DiffPart(f"{word}: {counted(len(cycles), noun)}", rows, len(cycles), bad)


def resources(
    word: str, side: CatalogSide, found: CatalogDiff, graph: RelationshipGraph | None
) -> DiffPart:
    """Return the resources that only one catalog has."""
    refs = [ref for ref, _ in side.resources]
    return DiffPart(f"{word}: {sized(refs, graph)}", resource_rows(side, found), len(refs))


def changed(found: CatalogDiff, graph: RelationshipGraph | None) -> DiffPart:
    """Return the resources that changed."""
    refs = [one.ref for one in found.changed]
    return DiffPart(f"changed: {sized(refs, graph)}", changed_rows(found), len(refs))


def sized(refs: Sequence[ResourceRef], graph: RelationshipGraph | None) -> str:
    """Return numbers of resources and of containers, which the size of a catalog leaves out."""
    if graph is None:
        return counted(len(refs), PUPPET.node)
    catalog = graph.catalog
    rows = enumerate(catalog.resources)
    containers = {one.ref for row, one in rows if graph.is_container(row)} if refs else set()
    count = sum(ref in containers for ref in refs)
    rest = counted(len(refs) - count, catalog.nouns.node)
    if not count:
        return rest
    own = counted(count, "container")
    return f"{rest} and {own}" if count < len(refs) else own


def order(
    word: str, side: CatalogSide, found: CatalogDiff, graph: RelationshipGraph | None
) -> Iterator[DiffPart]:
    """Yield the orderings of one catalog that the other lacks."""
    if graph is not None:
        pairs = f"{counted(side.order.count, 'pair')} of {graph.catalog.nouns.node}s"
        rows = order_rows(side, found, graph)
        yield DiffPart(f"orderings {word}: {pairs}, implied by", rows, len(side.order.pairs))


def relationships(word: str, side: CatalogSide, nouns: Nouns) -> DiffPart:
    """Return the relationships that only one catalog has."""
    total = sum(edges.count for edges in side.relationships)
    return DiffPart(
        f"{nouns.edge}s {word}: {total:,}", relationship_rows(side), len(side.relationships)
    )


def moved(found: CatalogDiff, nouns: Nouns) -> DiffPart:
    """Return the resources that moved in the order of applying."""
    rows = (
        DiffRow(str(ref), note=f"now after {after}" if after else "now first")
        for ref, after in found.moved
    )
    count = len(found.moved)
    verb = "applied" if nouns is PUPPET else "evaluated"
    return DiffPart(f"{verb} at another position: {counted(count, nouns.node)}", rows, count)


def undecided(found: CatalogDiff) -> DiffPart:
    """Return possible differences, by the reason why they are unknown."""
    by_reason: dict[str, list[str]] = {}
    for one in found.undecided:
        by_reason.setdefault(one.reason, []).append(f"{one.ref} {one.parameter}")
    rows = (
        DiffRow(names[0] + (f" and {len(names) - 1:,} more" if len(names) > 1 else ""), note=reason)
        for reason, names in by_reason.items()
    )
    head = f"may differ (unknown values): {counted(len(found.undecided), 'parameter')}"
    return DiffPart(head, rows, len(by_reason))


def headline(graph: RelationshipGraph) -> str:
    """Return one line about a catalog."""
    catalog = graph.catalog
    whole = catalog.nouns.whole
    name = f"{whole} of {shown(catalog.name)}" if catalog.name else whole
    return f"{name}: {size_of(catalog, graph.relationship_count)}"


def heads(node: ComparedNode) -> Iterator[tuple[str, str]]:
    """Yield a description of each side."""
    for side, graph in zip(node.labels, (node.first, node.second), strict=True):
        yield side, headline(graph) if graph else f"has no node {shown(node.name)}"
