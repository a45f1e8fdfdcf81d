"""Decides which findings an incomplete catalog leaves open: what is unknown may order them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from analyzer.linter.puppet.subjects import Compiled
from analyzer.model.completeness import Gap
from analyzer.source import Span

# Gaps that hide resources and no relationship of those that are known.
HARMLESS = ("node", "class", "module")


@dataclass(frozen=True, slots=True)
class Doubts:
    """Where relationships may be missing: the files of unknown statements, and known ends."""

    files: frozenset[str]
    refs: frozenset[str]

    def concern(
        self, compiled: Compiled, refs: Iterable[str], spans: Iterable[Span | None]
    ) -> bool:
        """Return whether a missing relationship may order some resources of a catalog.

        What is unknown orders two known resources if both are related to it: one to something
        that is not there, or to what it declares, and that to the other one.
        """
        if any(span is not None and span.file in self.files for span in spans):
            return True
        return sum(self.touches(compiled, ref) for ref in refs) > 1

    def touches(self, compiled: Compiled, ref: str) -> bool:
        """Return whether a resource is related to something unknown, or contains it."""
        at = compiled.number(ref)
        opaque = "::" in ref.partition("[")[0] and at not in compiled.graph.contents
        return opaque or any(one in self.refs for one in around(compiled, ref))


def doubts_of(compiled: Compiled) -> Doubts:
    """Return the doubts about a catalog."""
    files: set[str] = set()
    refs: set[str] = set()
    ends = Ends(compiled)
    for gap in compiled.graph.gaps:
        if not gap.hides or gap.kind in HARMLESS or gap.span is None:
            continue
        known = ends.of(gap) if gap.name == "relationship" else ()
        refs.update(known)
        if not known:
            files.add(gap.span.file)
    return Doubts(frozenset(files), frozenset(refs))


def around(compiled: Compiled, ref: str) -> Iterator[str]:
    """Yield a resource and its containers, the innermost first."""
    at = compiled.number(ref)
    while at is not None:
        yield str(compiled.graph.resources[at])
        at = compiled.container.get(at)


class Ends:
    """The known ends of unknown relationships, by the place of their statements."""

    def __init__(self, compiled: Compiled) -> None:
        self.by_arrow: dict[Span, set[str]] = {}
        for chain in compiled.record.chains:
            refs = {str(ref) for operand in chain.operands for ref in operand.refs}
            for link in chain.links:
                if link.span is not None:
                    self.by_arrow.setdefault(link.span, set()).update(refs)
        self.by_file: dict[str, list[tuple[int, str]]] = {}
        for resource in compiled.graph.resources:
            if resource.span is not None:
                place = (resource.span.line, str(resource))
                self.by_file.setdefault(resource.span.file, []).append(place)
        for places in self.by_file.values():
            places.sort()

    def of(self, gap: Gap) -> set[str]:
        """Return the resources that a statement names, or whose attribute it is."""
        assert gap.span is not None
        if gap.span in self.by_arrow:
            return self.by_arrow[gap.span]
        places = self.by_file.get(gap.span.file, [])
        at = bisect_right(places, (gap.span.line, "\uffff"))
        line = places[at - 1][0] if at else None
        return {ref for number, ref in places[:at] if number == line} if at else set()
