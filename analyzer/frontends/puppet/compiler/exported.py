"""Exported resources: collected from the store, and written to it (ExportedCollector)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from analyzer.frontends.puppet.compiler.collectors import Collector
from analyzer.frontends.puppet.compiler.declared.compilation import Compilation
from analyzer.frontends.puppet.compiler.declared.entry import RELATIONSHIPS, Entry
from analyzer.frontends.puppet.compiler.declared.overrides import Override, add_defaults
from analyzer.frontends.puppet.compiler.results.catalog import (
    as_list,
    parameters_of,
    sensitive_in,
    stringified,
)
from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.node.exports import Exported
from analyzer.model.completeness import Gap
from analyzer.model.names import canonical_ref, capitalize_type, split_ref
from analyzer.model.resource import REDACTED
from analyzer.model.types import COMPOSITE, NAMEVARS, NOT_ISOMORPHIC
from analyzer.model.values import Value
from analyzer.reading import read_text

# Lists that PuppetDB's terminus sorts: their order means nothing (catalog/puppetdb.rb).
UNORDERED = ("alias", "audit", "before", "check", "notify", "require", "subscribe", "tag")


def collect(compilation: Compilation, collector: Collector) -> list[Entry]:
    """Return the exported resources that a collector finds: this node's own, and new ones.

    The resources of other nodes come into the catalog as if they were declared where the collector
    stands: its defaults, its container, its tags. Of their own tags they keep those of `tag`.

    Raises:
        EvaluationError: a resource of that type and title is there already.
    """
    found = [e for e in compilation.entries.values() if e.exported and collector.matches(e)]
    if compilation.search_exports is None:
        return found
    for one in compilation.search_exports(collector.type):
        if not collector.matches(one):
            continue
        known = compilation.find(one.type, one.title)
        if known is None:
            found.append(declare(compilation, collector, one))
        elif known.exporter is None or known.exporter.node != one.node or known.title != one.title:
            if has_assumed_title(compilation, one):
                reason = "was assumed to have another title there: no facts are given"
                name = f"{one.type}[{one.title}] that {one.node} exports"
                gap = Gap("assumption", name, reason, one.span, "--facts FILE", hides=False)
                compilation.gaps.append(gap)
                continue
            raise EvaluationError(
                "A duplicate resource was found while collecting exported resources, with the "
                f"type and title {one.type}[{one.title}]"
            )
    return found


def has_assumed_title(compilation: Compilation, one: Exported) -> bool:
    """Return whether a title may be made of facts or an environment that the node does not have.

    All nodes have the same ones where none are given.
    """
    inputs = compilation.inputs
    if inputs.strict or not (inputs.facts is None or inputs.typical) or one.file is None:
        return False
    with suppress(OSError, ValueError):
        lines = read_text(one.file, newline="").split("\n")
        line = lines[(one.line or 0) - 1] if len(lines) >= (one.line or 0) else ""
        return one.title not in line
    return False


def declare(compilation: Compilation, collector: Collector, one: Exported) -> Entry:
    """Declare a resource that another node exported."""
    scope = collector.scope
    entry = Entry(one.type, one.title, scope)
    entry.exporter = one
    entry.definition = compilation.definitions.find("define", one.type)
    entry.kind = "defined_type" if entry.definition else "compilable_type"
    entry.source = scope.source
    setter = Override([], scope, None, None)
    setter.source = one
    for name, value in one.parameters.items():
        entry.set(name, list(value) if isinstance(value, list) else value)
        # Set elsewhere: no class here may set it again, be it a subclass.
        entry.set_by[name] = setter
    add_defaults(entry, scope)
    compilation.add(entry, scope.resource, None, None)
    return entry


def exports_of(compilation: Compilation) -> list[Exported]:
    """Return the exports of a compiled node, as PuppetDB's terminus stores it.

    Sensitive parameters are left out: no secret comes into the store. A resource is found by other
    names as well: they become its alias.

    Raises:
        EvaluationError: a resource has a relationship to one that is exported and not collected.
    """
    for entry in compilation.entries.values():
        if not entry.virtual:
            refuse_uncollected(compilation, entry)
    return [stored(compilation, entry) for entry in compilation.entries.values() if entry.exported]


def stored(compilation: Compilation, entry: Entry) -> Exported:
    """Return the stored form of an exported resource."""
    parameters = parameters_of(entry, compilation.definitions, stringified)
    for name in sensitive_in(entry):
        parameters.pop(name, None)
    if entry.type not in COMPOSITE:
        names = list(aliases(entry, parameters))
        if names:
            parameters["alias"] = names
    parameters = {name: without_secrets(value) for name, value in parameters.items()}
    for name in UNORDERED:
        if isinstance(parameters.get(name), list):
            parameters[name] = sorted(parameters[name], key=str)
    return Exported(
        compilation.inputs.node,
        entry.type,
        entry.title,
        parameters,
        tuple(entry.tags),
        entry.file,
        entry.line,
    )


def without_secrets(value: Value) -> Value:
    """Return a value without the Sensitive values in its arrays and hashes."""
    if isinstance(value, list):
        return [without_secrets(one) for one in value]
    if isinstance(value, dict):
        if value.get("__ptype") == "Sensitive":
            return REDACTED
        return {key: without_secrets(one) for key, one in value.items()}
    return value


def aliases(entry: Entry, parameters: dict[str, Value]) -> Iterator[Value]:
    """Yield the names that a resource has besides its title."""
    given = [one for one in as_list(parameters.get("alias")) if one is not None]
    yield from given
    if entry.type not in NOT_ISOMORPHIC:
        name = parameters.get("name" if entry.definition else NAMEVARS.get(entry.type, "name"))
        if name is not None and name != entry.title and name not in given:
            yield name


def refuse_uncollected(compilation: Compilation, entry: Entry) -> None:
    """Refuse a relationship to a resource that is exported and not collected.

    Raises:
        EvaluationError: there is one.
    """
    for name in RELATIONSHIPS:
        for ref in as_list(stringified(entry.parameters.get(name))):
            parts = split_ref(ref) if isinstance(ref, str) else None
            if parts is None:
                continue
            kind, title = split_ref(canonical_ref(*parts)) or parts
            other = compilation.find(capitalize_type(kind), title)
            if other is not None and other.exported and other.virtual:
                message = (
                    f"Invalid relationship: {entry.ref} {{ {name} => {ref} }}, "
                    f"because {ref} is exported but not collected"
                )
                raise EvaluationError(message, entry.unit, entry.node)
