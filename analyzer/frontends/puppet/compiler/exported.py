"""Exported resources: collected from the store, and written to it (ExportedCollector)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from analyzer.frontends.puppet.compiler.declared.entry import RELATIONSHIPS, Entry
from analyzer.frontends.puppet.compiler.finish import Override, add_defaults
from analyzer.frontends.puppet.compiler.results.catalog import as_list, data, row_of
from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.node.exports import Exported
from analyzer.frontends.puppet.types.model.catalog import ClassType, ResourceType
from analyzer.model.names import canonical_ref, capitalize_type, split_ref
from analyzer.model.resource import REDACTED
from analyzer.model.types import COMPOSITE, NAMEVARS, NOT_ISOMORPHIC
from analyzer.model.unknowns import find_unknown
from analyzer.model.values import Unknown

if TYPE_CHECKING:
    from analyzer.frontends.puppet.compiler.collectors import Collector
    from analyzer.frontends.puppet.compiler.compiler import Compiler

# Lists that PuppetDB's terminus sorts: their order means nothing (catalog/puppetdb.rb).
UNORDERED = ("alias", "audit", "before", "check", "notify", "require", "subscribe", "tag")


def collect(compiler: Compiler, collector: Collector) -> list[Entry]:
    """Return what a collector of exported resources finds: this node's own, and new ones.

    The resources of other nodes come into the catalog as if they were declared where the collector
    stands: its defaults, its container, its tags. Of their own tags they keep those of `tag`.

    Raises:
        EvaluationError: a resource of that type and title is there already.
    """
    found = [e for e in compiler.entries.values() if e.exported and collector.matches(e)]
    if compiler.exports is None:
        return found
    for one in compiler.exports.search(collector.type, compiler.node):
        if not collector.matches(one):
            continue
        known = compiler.find(one.type, one.title)
        if known is None:
            found.append(declare(compiler, collector, one))
        elif known.exporter is None or known.exporter.node != one.node or known.title != one.title:
            raise EvaluationError(
                "A duplicate resource was found while collecting exported resources, with the "
                f"type and title {one.type}[{one.title}]"
            )
    return found


def declare(compiler: Compiler, collector: Collector, one: Exported) -> Entry:
    """Declare a resource that another node exported."""
    scope = collector.scope
    entry = Entry(one.type, one.title, scope)
    entry.exporter = one
    entry.definition = compiler.known.find("define", one.type)
    entry.kind = "defined_type" if entry.definition else "compilable_type"
    entry.source = scope.source
    setter = Override([], scope, None, None)
    setter.source = one
    for name, value in one.parameters.items():
        entry.set(name, list(value) if isinstance(value, list) else value)
        # Set elsewhere: no class here may set it again, be it a subclass.
        entry.set_by[name] = setter
    add_defaults(entry, scope)
    compiler.add(entry, scope.resource, None, None)
    return entry


def equals(one: Exported, name: str, value: Any) -> bool | Unknown:
    """Tell whether a stored resource's attribute is a value, by PuppetDB's rules.

    Other than in a catalog, case counts, and an array is equal to an array only. A reference is
    stored as a text, and asked for as an object, which equals nothing.
    """
    if name == "tag":
        return str(value).lower() in one.tags
    if name == "title":
        return bool(one.title == value)
    if name not in one.parameters or isinstance(value, (ResourceType, ClassType)):
        return False
    actual = one.parameters[name]
    return find_unknown((actual,)) or as_json(actual) == as_json(value)


def as_json(value: Any) -> str:
    """Return a value as the text that PuppetDB compares."""
    return json.dumps(value, sort_keys=True, default=str)


def exports_of(compiler: Compiler) -> list[Exported]:
    """Return what a compiled node exports, as PuppetDB's terminus stores it.

    Sensitive parameters are left out: no secret comes into the store. A resource is found by other
    names as well: they become its alias.

    Raises:
        EvaluationError: a resource has a relationship to one that is exported and not collected.
    """
    for entry in compiler.entries.values():
        if not entry.virtual:
            refuse_uncollected(compiler, entry)
    return [stored(compiler, entry) for entry in compiler.entries.values() if entry.exported]


def stored(compiler: Compiler, entry: Entry) -> Exported:
    """Return an exported resource as it is stored."""
    row = row_of(entry, compiler.known)
    parameters = dict(row.get("parameters", {}))
    for name in row.get("sensitive_parameters", ()):
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
        compiler.node,
        entry.type,
        entry.title,
        parameters,
        tuple(entry.tags),
        entry.file,
        entry.line,
    )


def without_secrets(value: Any) -> Any:
    """Return a value without what is Sensitive in its arrays and hashes."""
    if isinstance(value, list):
        return [without_secrets(one) for one in value]
    if isinstance(value, dict):
        if value.get("__ptype") == "Sensitive":
            return REDACTED
        return {key: without_secrets(one) for key, one in value.items()}
    return value


def aliases(entry: Entry, parameters: dict[str, Any]) -> Iterator[Any]:
    """Yield the names that a resource has besides its title."""
    given = [one for one in as_list(parameters.get("alias")) if one is not None]
    yield from given
    if entry.type not in NOT_ISOMORPHIC:
        name = parameters.get("name" if entry.definition else NAMEVARS.get(entry.type, "name"))
        if name is not None and name != entry.title and name not in given:
            yield name


def refuse_uncollected(compiler: Compiler, entry: Entry) -> None:
    """Refuse a relationship to a resource that is exported and not collected.

    Raises:
        EvaluationError: there is one.
    """
    for name in RELATIONSHIPS:
        for ref in as_list(data(entry.parameters.get(name))):
            parts = split_ref(ref) if isinstance(ref, str) else None
            if parts is None:
                continue
            kind, title = split_ref(canonical_ref(*parts)) or parts
            other = compiler.find(capitalize_type(kind), title)
            if other is not None and other.exported and other.virtual:
                message = (
                    f"Invalid relationship: {entry.ref} {{ {name} => {ref} }}, "
                    f"because {ref} is exported but not collected"
                )
                raise EvaluationError(message, entry.unit, entry.node)
