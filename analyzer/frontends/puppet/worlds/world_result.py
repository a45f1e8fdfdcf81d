"""The result of a compile in a world."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property

from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet.worlds.outcomes import Place
from analyzer.model.catalog import Catalog


@dataclass(frozen=True)
class WorldResult:
    """The result of a compile in a world: a catalog or an error, and the arms that it took.

    With an error the catalog is what compiles in spite of it, None if nothing does; `fault` are
    the constructs around the error.
    """

    taken: Mapping[Place, frozenset[int]]
    catalog: Catalog | None
    error: CompileError | None
    fault: tuple[Place, ...] = ()

    @property
    def refused(self) -> bool:
        """Return whether the compile ended with an error."""
        return self.error is not None

    @cached_property
    def behaviour(self) -> Hashable:
        """Return the key that tells this outcome from others: its resources and relationships."""
        if self.catalog is None or self.error is not None:
            return str(self.error)
        resources = tuple(
            (str(r.ref), r.line, "" if r.type == "Class" else repr(r.parameters))
            for r in self.catalog.resources
        )
        record = self.catalog.record
        missing = record.missing if record is not None else ()
        return resources, missing, tuple(map(str, self.catalog.gaps))
