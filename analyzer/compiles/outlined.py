"""Stored outlines of compiles, in place of compiling again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from analyzer.compiles.reads import Reads
from analyzer.compiles.result import OF_THE_MOMENT, CompileResult, CompileTarget
from analyzer.compiles.target import Target
from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet.node.exports import Exports
from analyzer.graph.outline import Outline, OutlinedCatalog, outline_of
from analyzer.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from analyzer.compiles.plan import CompilePlan
    from analyzer.graph.relationship_graph import RelationshipGraph


@dataclass(frozen=True, slots=True)
class OutlinedError:
    """An error of a compile as plain values: reports change errors."""

    message: str
    span: Span
    code: str
    snippet: str
    refusal: bool
    node: str

    @property
    def error(self) -> CompileError:
        """Return the error."""
        error = CompileError(self.message, self.span, self.code, self.snippet)
        error.refusal, error.node = self.refusal, self.node
        return error


def errors_of(result: CompileResult) -> tuple[OutlinedError, ...]:
    """Return the errors of a result, the first is the one that Puppet stops at."""
    if result.error is None:
        return ()
    return tuple(
        OutlinedError(one.message, one.span, one.code, one.snippet, one.refusal, one.node)
        for one in (result.error, *result.error.others)
    )


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
    errors: tuple[OutlinedError, ...] = ()

    @property
    def result(self) -> CompileResult:
        """Return the result of the compile, with the outline in place of the catalog."""
        catalog, errors = OutlinedCatalog(self.outline), [one.error for one in self.errors]
        error = errors[0] if errors else None
        if error is not None:
            error.others = tuple(errors[1:])
        return CompileResult(self.target, catalog, error, Reads(used=self.used))


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


def can_outline(result: CompileResult, errors: Iterable[OutlinedError]) -> bool:
    """Return whether the outline of a result with some errors may be stored.

    It is the same in another run, whatever other nodes export, and whether the compile is lenient
    or not: only for a node that names what is not declared this makes a difference.
    """
    reads, catalog = result.reads, result.catalog
    if reads.of_moment or reads.others or reads.exported or reads.collected or catalog is None:
        return False
    if not result.target.alone and catalog.record is not None and catalog.record.missing:
        return False
    return {one.code for one in errors}.isdisjoint(OF_THE_MOMENT)


def outlined_of(
    path: str,
    result: CompileResult,
    errors: tuple[OutlinedError, ...],
    graph: RelationshipGraph,
    of_gaps: int,
    common: Sequence[str],
) -> Outlined | None:
    """Return the outline of a result that can have one, None if its catalog has a finding.

    `path` is that of the plan, `errors` and `of_gaps` are the errors and the number of gaps of the
    compile itself, and `common` the manifests of the site, on which all results depend; a file
    whose classes are compiled from it belongs to these alone.
    """
    outline = outline_of(graph, of_gaps, alone=bool(result.target.alone))
    if outline is None:
        return None
    used = result.reads.used
    depends = result.reads.depends(common) | (frozenset() if common else used)
    return Outlined(path, result.target, outline, used, depends, errors)
