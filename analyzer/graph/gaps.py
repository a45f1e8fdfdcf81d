"""What is not known about the graph of a catalog: its gaps, and automatic relationships unmade.

An automatic relationship is made of what a resource's parameters say (`AutoRelation`). Where one
that a rule reads is Unknown, and there are resources that it might name, an edge may be missing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer.graph.autorelations import standard_rules
from analyzer.graph.lookup import namevars_of
from analyzer.model.completeness import Gap, hint_in
from analyzer.model.resource import Resource
from analyzer.model.types import COMPOSITE
from analyzer.model.values import Sensitive, Unknown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from analyzer.graph.autorelations import AutoRelation, Rules
    from analyzer.graph.kernel import Kernel


class Asked(dict[str, Any]):
    """Parameters that remember which of them a rule has read."""

    def __init__(self, parameters: dict[str, Any]) -> None:
        super().__init__(parameters)
        self.read: set[str] = set()

    def __contains__(self, name: object) -> bool:
        self.read.add(str(name))
        return super().__contains__(name)

    def __getitem__(self, name: str) -> Any:
        self.read.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        """Return a parameter, and remember its name."""
        self.read.add(name)
        return super().get(name, default)


def gaps_of(kernel: Kernel) -> list[Gap]:
    """Return the gaps of a compiled catalog, with those of its automatic relationships."""
    found = list(kernel.catalog.gaps)
    rules = kernel.rules or standard_rules(kernel.lookup.typed)
    for resource in kernel.catalog.resources:
        unknown = unknown_parameters(resource)
        if unknown:
            found += unmade(resource, unknown, kernel, rules)
    return found


def unknown_parameters(resource: Resource) -> dict[str, Unknown]:
    """Return the parameters of a resource that are not known, in whole or in an element."""
    found = {}
    for name, value in resource.parameters.items():
        kind = type(value)
        if kind is Unknown:
            found[name] = value
        elif kind is list or kind is dict:
            one = unknown_in(value)
            if one is not None:
                found[name] = one
    return found


def unknown_in(value: Any) -> Unknown | None:
    """Return the first Unknown in data."""
    pending = [value]
    while pending:
        one = pending.pop()
        kind = type(one)
        if kind is Unknown:
            return one  # type: ignore[no-any-return]
        if kind is Sensitive:
            pending.append(one.value)
        elif kind is list:
            pending += one
        elif kind is dict:
            pending += one.values()
    return None


def unmade(
    resource: Resource, unknown: dict[str, Unknown], kernel: Kernel, rules: Rules
) -> Iterator[Gap]:
    """Yield the Unknown parameters that automatic relationships of a resource hang on."""
    typed = kernel.lookup.typed
    rows = [rules.rows[index] for index in rules.by_type.get(resource.type, ())]
    read: set[str] = set()
    for row in rows:
        if row.target in typed and (row.target != resource.type or len(typed[row.target]) > 1):
            read |= read_by(row, resource, kernel)
    name = namevars_of(kernel.catalog).get(resource.type, "name")
    if name and resource.type not in COMPOSITE and is_named(resource.type, kernel, rules):
        read.add(name)
    yield from (gap(resource, name, unknown[name]) for name in unknown if name in read)


def read_by(row: AutoRelation, resource: Resource, kernel: Kernel) -> set[str]:
    """Return the parameters that a rule reads of a resource."""
    asked = Asked(resource.parameters)
    list(row.selector(Resource(resource.type, resource.title, asked), kernel.lookup))
    return asked.read


def is_named(kind: str, kernel: Kernel, rules: Rules) -> bool:
    """Return whether rules of other resources in the catalog lead to resources of a type."""
    typed = kernel.lookup.typed
    return any(
        row.target == kind and row.type in typed and (row.type != kind or len(typed[kind]) > 1)
        for row in rules.rows
    )


def gap(resource: Resource, parameter: str, unknown: Unknown) -> Gap:
    """Return the gap that an Unknown parameter is."""
    reason, hint = hint_in(unknown.reason)
    return Gap("undecided", f"parameter {parameter} of {resource}", reason, resource.span, hint)
