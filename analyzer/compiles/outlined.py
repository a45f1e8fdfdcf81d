"""Stored outlines of compiles, in place of compiling again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from analyzer.compiles.reads import Reads
from analyzer.compiles.result import OF_THE_MOMENT, CompileResult, CompileTarget
from analyzer.compiles.target import Target
from analyzer.frontends.puppet.node.exports import Exports
from analyzer.graph.outline import Outline, OutlinedCatalog, outline_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.compiles.plan import CompilePlan
    from analyzer.graph.relationship_graph import RelationshipGraph


@dataclass(frozen=True, slots=True)
class Outlined:
    """The outline of a compile; `path` is that of its plan.

    `used` are the manifests of what it evaluated, and `depends` the files and keys that the outline
    depends on, besides those that all compiles of the code depend on.
    """

    path: str
    target: Target
    outline: Outline
    used: frozenset[str]
    depends: frozenset[str]

    @property
    def result(self) -> CompileResult:
        """Return the result of the compile, with the outline in place of the catalog."""
        catalog = OutlinedCatalog(self.outline)
        return CompileResult(self.target, catalog, None, Reads(used=self.used))


class Outlines(Protocol):
    """The stored outlines of the compiles of some code."""

    def find(self, plan: CompilePlan, target: Target) -> Outlined | None:
        """Return the valid outline of a target, None if there is none."""
        ...

    def note(self, plan: CompilePlan, result: CompileResult) -> None:
        """Note a result that was compiled, so that its outline can be stored."""
        ...


def with_outlines(make: CompileTarget, plan: CompilePlan, outlines: Outlines) -> CompileTarget:
    """Return a function that compiles the targets without a stored outline, and notes them."""

    def make_or_find(target: Target, exports: Exports) -> CompileResult:
        stored = outlines.find(plan, target)
        if stored is not None:
            return stored.result
        result = make(target, exports)
        outlines.note(plan, result)
        return result

    return make_or_find


def can_outline(result: CompileResult) -> bool:
    """Return whether the outline of a result may be stored.

    It is the same in another run, whether an error ends a compile or not, and whatever other nodes
    export. The errors of a class by itself, which end nothing, are gaps of its catalog.
    """
    reads, error = result.reads, result.error
    if reads.of_moment or reads.others or reads.exported or reads.collected:
        return False
    if result.catalog is None or error is None:
        return result.catalog is not None
    codes = {one.code for one in (error, *error.others)}
    return bool(result.target.alone) and codes.isdisjoint(OF_THE_MOMENT)


def outlined_of(
    path: str, result: CompileResult, graph: RelationshipGraph, of_gaps: int, common: Sequence[str]
) -> Outlined | None:
    """Return the outline of a result that can have one, None if its catalog has a finding.

    `path` is that of the plan, `of_gaps` the number of gaps of the compile itself, and `common` are
    the manifests of the site, on which all results depend; a file whose classes are compiled from
    it belongs to these alone.
    """
    outline = outline_of(graph, of_gaps, alone=bool(result.target.alone))
    if outline is None:
        return None
    used = result.reads.used
    depends = result.reads.depends(common) | (frozenset() if common else used)
    return Outlined(path, result.target, outline, used, depends)
