"""Statements of manifests that a catalog does not keep: chains, collectors, includes, Unknowns."""

from __future__ import annotations

from dataclasses import dataclass, field

from analyzer.source import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from analyzer.model.values import Value


@dataclass(frozen=True, slots=True)
class Operand:
    """An operand of an arrow: references, or a collector and the resources that it found.

    `span` is the collector's place, None for references. `partly` tells that there may be more
    than was found: exported resources of other nodes, or a query with an Unknown.
    """

    text: str
    refs: tuple[str, ...]
    span: Span | None = None
    partly: bool = False

    @property
    def empty(self) -> bool:
        """Return whether it is a collector that finds nothing."""
        return self.span is not None and not self.refs and not self.partly


@dataclass(frozen=True, slots=True)
class Link:
    """One arrow of a chain, as written, and its place."""

    operator: str
    span: Span

    @property
    def reversed(self) -> bool:
        """Return whether it points to the left."""
        return self.operator.startswith("<")

    @property
    def event(self) -> bool:
        """Return whether it notifies."""
        return "~" in self.operator


@dataclass(frozen=True, slots=True)
class Chain:
    """A chain of arrows as evaluated once: one link less than operands.

    `within` is the class, define or node in whose body it stands.
    """

    operands: tuple[Operand, ...]
    links: tuple[Link, ...]
    within: str


@dataclass(frozen=True, slots=True)
class Collection:
    """A collector as evaluated once, and what it did.

    `attributes` are those that its query asks for, `realized` what was virtual until then,
    `overridden` the attributes (resource, name) of which a resource explicitly had another value.
    """

    type: str
    text: str
    span: Span
    within: str
    exported: bool
    attributes: tuple[str, ...]
    found: tuple[str, ...]
    realized: tuple[str, ...] = ()
    overridden: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ClassUse:
    """The origin of a class: `include`, `contain`, `require` or `class`, by whom and where."""

    form: str
    name: str
    within: str
    span: Span


@dataclass(frozen=True, slots=True)
class Inherited:
    """A relationship parameter that a resource has from a default of the class `within`."""

    ref: str
    name: str
    within: str
    span: Span


@dataclass(frozen=True, slots=True)
class Undecided:
    """A decision (a condition, a relationship, a title) that an Unknown prevented, and why."""

    what: str
    reason: str
    span: Span


@dataclass(frozen=True, slots=True)
class MissingReference:
    """A relationship between `ref`, which is not declared, and `other`; what Puppet says of it."""

    ref: str
    other: str
    message: str
    span: Span | None


@dataclass(frozen=True, slots=True)
class Record:
    """All of that for one compile; `virtual` are the resources that nothing realized.

    `unset` are the attributes that no declared resource of a type was given, by type: only for
    types and attributes that a collector asks for. `missing` is filled by a lenient compile only,
    `variables` (the values by class and name) where they are asked for.
    """

    chains: tuple[Chain, ...] = ()
    collections: tuple[Collection, ...] = ()
    class_uses: tuple[ClassUse, ...] = ()
    undecided: tuple[Undecided, ...] = ()
    virtual: frozenset[str] = frozenset()
    unset: frozenset[tuple[str, str]] = frozenset()
    missing: tuple[MissingReference, ...] = ()
    inherited: tuple[Inherited, ...] = ()
    variables: Mapping[str, Mapping[str, Value]] = field(default_factory=dict, compare=False)
