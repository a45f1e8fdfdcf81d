"""Decides which findings are uncertain because something unknown may order their resources."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.model.statements import Record
from analyzer.source import Span

# Gaps that hide resources, but no relationships between known resources.
HARMLESS = ("node", "class", "module")


@dataclass(frozen=True, slots=True)
class Doubts:
    """The places where relationships may be missing: files, and known ends of statements."""

    graph: RelationshipGraph
    container: Mapping[int, int]
    files: frozenset[str]
    refs: frozenset[str]

    def concern(self, refs: Iterable[str], spans: Iterable[Span | None]) -> bool:
        """Return whether a missing relationship may order given resources of the catalog.

        Something unknown may order two known resources only if both are related to it: one of them
        to the unknown part or a resource that it declares, and that in turn to the other one.
        """
        if any(span is not None and span.file in self.files for span in spans):
            return True
        return sum(self.touches(ref) for ref in refs) > 1

    def touches(self, ref: str) -> bool:
        """Return whether a resource is related to something unknown, or contains it."""
        at = self.graph.id_of(ref)
        opaque = "::" in ref.partition("[")[0] and at not in self.graph.contents
        return opaque or any(one in self.refs for one in self.around(at))

    def around(self, at: int | None) -> Iterator[str]:
        """Yield a resource and its containers, the innermost first."""
        while at is not None:
            yield str(self.graph.resources[at])
            at = self.container.get(at)


def lacks_target(record: Record, refs: Iterable[str]) -> bool:
    """Return whether a given resource is related to a missing one, which may order them."""
    known = {*refs}
    return any(one.other in known for one in record.missing)


def doubts_of(graph: RelationshipGraph, record: Record, container: Mapping[int, int]) -> Doubts:
    """Return the doubts about a catalog."""
    files: set[str] = set()
    refs: set[str] = set()
    ends = Ends(graph, record)
    for gap in graph.gaps:
        if not gap.hides or gap.kind in HARMLESS or gap.span is None:
            continue
        known = ends.of(gap.span) if gap.name == "relationship" else ()
        refs.update(known)
        if not known:
            files.add(gap.span.file)
    return Doubts(graph, container, frozenset(files), frozenset(refs))


class Ends:
    """The known ends of unknown relationships, by the place of their statements."""

    def __init__(self, graph: RelationshipGraph, record: Record) -> None:
        self.by_arrow: dict[Span, set[str]] = {}
        for chain in record.chains:
            refs = {str(ref) for operand in chain.operands for ref in operand.refs}
            for link in chain.links:
                self.by_arrow.setdefault(link.span, set()).update(refs)
        self.by_file: dict[str, list[tuple[int, str]]] = {}
        for resource in graph.resources:
            if resource.span is not None:
                place = (resource.span.line, str(resource))
                self.by_file.setdefault(resource.span.file, []).append(place)
        for places in self.by_file.values():
            places.sort()

    def of(self, span: Span) -> set[str]:
        """Return the resources that a statement names, or whose attribute it sets."""
        if span in self.by_arrow:
            return self.by_arrow[span]
        places = self.by_file.get(span.file, [])
        at = bisect_right(places, (span.line, "\uffff"))
        start = bisect_right(places, (places[at - 1][0], "")) if at else 0
        return {ref for _, ref in places[start:at]}
