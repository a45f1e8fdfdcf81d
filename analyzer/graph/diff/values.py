"""The differences between two catalogs, as values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from analyzer.graph.cycles.search import Cycle
from analyzer.graph.queries import MissingTarget
from analyzer.model.refs import ResourceRef
from analyzer.model.relationship import Relationship
from analyzer.source import Span

Refs = tuple[ResourceRef, ...]


@dataclass(frozen=True, slots=True)
class ParameterChange:
    """A parameter with another value; None is undef. Sensitive values are redacted here already."""

    name: str
    old: Any
    new: Any


@dataclass(frozen=True, slots=True)
class ResourceChange:
    """A resource that differs between the catalogs.

    `parameters` are those other than relationships. `entered` and `left` are containers. `old`
    and `new` are the places of its declarations, None where they are not known.
    """

    ref: ResourceRef
    parameters: tuple[ParameterChange, ...] = ()
    tags_gained: tuple[str, ...] = ()
    tags_lost: tuple[str, ...] = ()
    entered: Refs = ()
    left: Refs = ()
    exported: bool | None = None
    old: Span | None = None
    new: Span | None = None


@dataclass(frozen=True, slots=True)
class UndecidedParameter:
    """A parameter that may differ because it is unknown in a catalog, with the reason."""

    ref: ResourceRef
    parameter: str
    reason: str


@dataclass(frozen=True, slots=True)
class Edges:
    """Relationships from each of some resources to each of others, and one of them.

    Several sources or targets are those of one list, as chained collectors make it.
    """

    sources: Refs
    targets: Refs
    example: Relationship

    @property
    def count(self) -> int:
        """Return the number of these relationships."""
        return len(self.sources) * len(self.targets)


@dataclass(frozen=True, slots=True)
class Pairs:
    """Each of `first` is applied before each of `second`; a container as a whole."""

    first: Refs
    second: Refs


@dataclass(frozen=True, slots=True)
class OrderChange:
    """Order that one catalog has and the other lacks, between common resources.

    `pairs` is the smallest set of pairs that, with the common order, implies all of it. `count` is
    the number of pairs of resources.
    """

    pairs: tuple[Pairs, ...] = ()
    count: int = 0


@dataclass(frozen=True, slots=True)
class ChangeEffect:
    """The effects of a change of a resource in the second catalog: the resources that it refreshes,
    directly or through restarts, and the number of resources that wait for it."""

    ref: ResourceRef
    refreshed: Refs
    waiting: int


@dataclass(frozen=True, slots=True)
class CatalogSide:
    """The contents of one of the catalogs that the other one lacks."""

    resources: tuple[tuple[ResourceRef, Span | None], ...] = ()
    relationships: tuple[Edges, ...] = ()
    order: OrderChange = OrderChange()
    cycles: tuple[Cycle, ...] = ()
    missing: tuple[MissingTarget, ...] = ()

    def __bool__(self) -> bool:
        found = (self.resources, self.relationships, self.order.pairs, self.cycles, self.missing)
        return any(found)


@dataclass(frozen=True, slots=True)
class CatalogDiff:
    """The differences between two catalogs.

    `moved` are the resources whose position among the others changed, with or without
    relationships: the fewest that explain the second order, each with its new predecessor (None:
    none). It is empty if a catalog has no order, or an unknown one. `cycles` are those of the
    second catalog that are also in the first one, which is no difference.
    """

    gained: CatalogSide
    lost: CatalogSide
    changed: tuple[ResourceChange, ...]
    undecided: tuple[UndecidedParameter, ...]
    effects: tuple[ChangeEffect, ...]
    moved: tuple[tuple[ResourceRef, ResourceRef | None], ...]
    cycles: tuple[Cycle, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.gained or self.lost or self.changed or self.moved)
