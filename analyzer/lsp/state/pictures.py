"""The results of a file's last compile: each catalog's resources, their order and edges."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from analyzer.export.redact import HIDDEN, text_of
from analyzer.frontends.puppet.evaluate.text import text_of as puppet_text
from analyzer.model.relationship import Relationship
from analyzer.model.secrets import is_secret
from analyzer.model.statements import Chain, Collection
from analyzer.model.values import Sensitive, Unknown
from analyzer.source import Span

if TYPE_CHECKING:
    from analyzer.linter.puppet.subjects import Compiled
    from analyzer.model.resource import Resource

# The most edges of a catalog that are passed on; chained collectors make millions.
MOST_EDGES = 50_000

# The most resources of the file with details, and the most skipped resources that are named.
MOST_DETAILS, MOST_NAMED = 400, 5


@dataclass(frozen=True, slots=True)
class ResourceDetail:
    """A resource of the file: values of its attributes as text, and the effect of its failure.

    `skipped` counts the resources that its failure skips, `first` names the first ones.
    """

    values: Mapping[str, str]
    skipped: int
    first: tuple[str, ...]


@dataclass(frozen=True)
class CatalogPicture:
    """One catalog: plain values, for features that must not wait for a compile.

    `name` is its name in findings (`class app`, a node). `resources` has the place of each resource
    by reference, in the order of the catalog, and `container` the container of each. `order` is the
    order of the run, empty if there is a cycle. `relationships` have their origins, and `cyclic`
    are the resources on cycles. `complete` is true if nothing is unknown. `containers` are classes,
    stages and instances of defines. For the file there are
    `details` of its resources, and the results of its arrows and collectors (`chains`,
    `collections`). `classes` has the values of variables by class, such as `app::web`, for the
    classes that the file names.
    """

    name: str
    complete: bool
    cycles: int
    resources: Mapping[str, Span | None]
    container: Mapping[str, str]
    order: tuple[str, ...]
    relationships: tuple[Relationship, ...]
    cyclic: frozenset[str] = frozenset()
    details: Mapping[str, ResourceDetail] = field(default_factory=dict)
    classes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    chains: tuple[Chain, ...] = ()
    collections: tuple[Collection, ...] = ()
    containers: frozenset[str] = frozenset()

    @cached_property
    def into(self) -> dict[str, list[Relationship]]:
        """Return the edges to each resource."""
        found: dict[str, list[Relationship]] = {}
        for edge in self.relationships:
            found.setdefault(str(edge.target), []).append(edge)
        return found

    @cached_property
    def turn(self) -> dict[str, int]:
        """Return the place of each resource in the order of the run, from 1.

        The resources that Puppet adds to every catalog are not counted.
        """
        own = (ref for ref in self.order if self.resources.get(ref) is not None)
        return {ref: place for place, ref in enumerate(own, 1)}

    def at(self, path: str, line: int) -> Iterator[str]:
        """Yield the resources that a line of a file declares; lines count from 1."""
        for ref, span in self.resources.items():
            if span is not None and span.line == line and os.path.abspath(span.file) == path:
                yield ref

    def before(self, ref: str) -> list[Relationship]:
        """Return the edges to a resource: its dependencies, and their origins."""
        return self.into.get(ref, [])

    def after(self, ref: str) -> list[Relationship]:
        """Return the edges from a resource to its dependents."""
        return [edge for edge in self.relationships if str(edge.source) == ref]


def picture_of(compiled: Compiled, path: str, text: str) -> CatalogPicture:
    """Return the picture of a catalog, with details of one file, whose content is `text`."""
    graph = compiled.graph
    resources = {str(one.ref): one.span for one in graph.catalog.resources}
    cycles = graph.cycles()
    container = {str(edge.target): str(edge.source) for edge in graph.containment()}
    record, named = compiled.record, text.lower()
    return CatalogPicture(
        compiled.name,
        compiled.complete,
        len(cycles),
        resources,
        container,
        () if compiled.cyclic else tuple(map(str, graph.order())),
        tuple(graph.relationships()) if few(compiled) else (),
        frozenset(str(ref) for cycle in cycles for ref in cycle.members),
        details_of(compiled, path),
        {name: variables_of(found) for name, found in record.variables.items() if name in named},
        tuple(one for one in record.chains if is_in(one.links[0].span, path)),
        tuple(one for one in record.collections if is_in(one.span, path)),
        frozenset(str(graph.resources[i].ref) for i in graph.containers),
    )


def is_in(span: Span | None, path: str) -> bool:
    """Return whether a place is in a file."""
    return span is not None and os.path.abspath(span.file) == path


def details_of(compiled: Compiled, path: str) -> dict[str, ResourceDetail]:
    """Return the details of the first resources that a file declares."""
    own = [one for one in compiled.graph.catalog.resources if is_in(one.span, path)]
    found = {}
    for one in own[:MOST_DETAILS]:
        skipped = compiled.graph.impact(one.ref).skipped
        first = tuple(map(str, skipped[:MOST_NAMED]))
        found[str(one.ref)] = ResourceDetail(values_of(one), len(skipped), first)
    return found


def values_of(resource: Resource) -> dict[str, str]:
    """Return the values of a resource's attributes as text, without secrets."""
    hidden = frozenset(resource.sensitive or ())
    return {
        name: HIDDEN if name in hidden or is_secret(name) else text_of(value)
        for name, value in resource.parameters.items()
    }


def variables_of(found: Mapping[str, object]) -> dict[str, str]:
    """Return the values of variables as text, without secrets."""
    return {
        name: HIDDEN if is_secret(name) else text_of(plain(value)) for name, value in found.items()
    }


def plain(value: object) -> object:
    """Return a value as plain data: other values become text, and secrets are hidden."""
    if isinstance(value, Sensitive):
        return HIDDEN
    if isinstance(value, list):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    known = value is None or isinstance(value, str | bool | int | float | Unknown)
    return value if known else puppet_text(value)


def few(compiled: Compiled) -> bool:
    """Return whether a catalog has few enough edges to pass each of them on."""
    return compiled.graph.relationship_count <= MOST_EDGES
