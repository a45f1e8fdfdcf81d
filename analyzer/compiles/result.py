"""The result of a compile: a catalog, an error, or both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from analyzer.compiles.reads import NO_READS, Reads
from analyzer.compiles.target import Target
from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet.node.exports import Exports
from analyzer.frontends.puppet.refusals import gap_of
from analyzer.model.catalog import Catalog
from analyzer.model.certnames import EXAMPLE_NODE
from analyzer.model.completeness import Gap

# The codes of errors that may not occur again: limits of time and memory, and internal errors.
OF_THE_MOMENT = ("too-much", "too-deep", "internal-error", "unreadable")


@dataclass(slots=True)
class CompileResult:
    """A catalog or the error that prevented it; with both, the rest compiles in spite of it."""

    target: Target
    catalog: Catalog | None
    error: CompileError | None = None
    reads: Reads = NO_READS

    @property
    def gaps(self) -> list[Gap]:
        """Return the gaps of the catalog, or the class itself if it has no catalog."""
        if self.catalog is not None:
            return self.catalog.gaps
        if self.error is None:
            return []
        return [gap_of(self.target.name, self.error, EXAMPLE_NODE)]


# Compiles a target, with the exported resources of others.
CompileTarget = Callable[[Target, Exports], CompileResult]
