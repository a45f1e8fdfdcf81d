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
    """An operand of an arrow: references, or a collector with the resources that it found.

    `span` is the collector's place, None for references. `partly` is true if there may be more
    resources: exported ones of other nodes, or those of a query with an Unknown.
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
    """One evaluation of a chain of arrows: it has one link less than operands.

    `within` is the class, define or node whose body contains it.
    """

    operands: tuple[Operand, ...]
    links: tuple[Link, ...]
    within: str


@dataclass(frozen=True, slots=True)
class Collection:
    """One evaluation of a collector, with its effects.

    `attributes` are those in its query. `realized` are the resources that it realized. `overridden`
    are the attributes (resource, name) that had another explicit value.
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
    """The origin of a class: `include`, `contain`, `require` or `class`, its code and place."""

    form: str
    name: str
    within: str
    span: Span


@dataclass(frozen=True, slots=True)
class Inherited:
    """A relationship parameter that comes from a default in the class `within`."""

    ref: str
    name: str
    within: str
    span: Span


@dataclass(frozen=True, slots=True)
class LateDefault:
    """A relationship parameter of a default that no resource has.

    `refs` are the resources of its scope that were declared before it.
    """

    refs: tuple[str, ...]
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
    """A relationship between `ref`, which is not declared, and `other`, with Puppet's message."""

    ref: str
    other: str
    message: str
    span: Span | None


@dataclass(frozen=True, slots=True)
class Record:
    """The statements of one compile; `virtual` are the resources that were not realized.

    `unset` are the attributes that no declared resource of a type has, by type, only for types and
    attributes in the query of a collector. `untitled` are the references whose title is undef.
    `missing` is filled only by a lenient compile, and `variables` (the values by class and name)
    only on request.
    """

    chains: tuple[Chain, ...] = ()
    collections: tuple[Collection, ...] = ()
    class_uses: tuple[ClassUse, ...] = ()
    undecided: tuple[Undecided, ...] = ()
    virtual: frozenset[str] = frozenset()
    unset: frozenset[tuple[str, str]] = frozenset()
    missing: tuple[MissingReference, ...] = ()
    inherited: tuple[Inherited, ...] = ()
    late_defaults: tuple[LateDefault, ...] = ()
    untitled: tuple[Span, ...] = ()
    variables: Mapping[str, Mapping[str, Value]] = field(default_factory=dict, compare=False)
