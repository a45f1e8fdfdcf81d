"""Gaps of a graph: those of its catalog, and automatic relationships that are not known.

Automatic relationships depend on a resource's parameters (`AutoRelation`). If a parameter that a
rule reads is Unknown, and there are resources that it might name, an edge may be missing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from analyzer.graph.automatic.tables import is_tabled, standard_rules
from analyzer.graph.labels import NAMES
from analyzer.graph.lookup import namevars_of
from analyzer.model.completeness import Gap, GapKind, hint_in
from analyzer.model.documents import JsonObject
from analyzer.model.names import capitalize_type
from analyzer.model.resource import Resource
from analyzer.model.types import COMPOSITE, GENERATING
from analyzer.model.values import Sensitive, Unknown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from analyzer.graph.automatic.rules import AutoRelation, Rules
    from analyzer.graph.kernel import Kernel

# Types of modules that generate existing objects of the machine, to which nothing else can be
# related: the rules of a purged firewallchain come after its predecessors.
HARMLESS = frozenset({"Firewallchain"})

# The table for users' automatic relationships.
TABLE = "a table [types.NAME] in catgraph.toml"


# The reason if the file of a type could not be read.
NOT_READ = "cannot be read: "


class Observed(JsonObject):
    """Parameters that record which of them a rule has read."""

    def __init__(self, parameters: dict[str, object]) -> None:
        super().__init__(parameters)
        self.read: set[str] = set()

    def __contains__(self, name: object) -> bool:
        self.read.add(str(name))
        return super().__contains__(name)

    def __getitem__(self, name: str) -> object:
        self.read.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: object = None) -> object:
        """Return a parameter, and record its name."""
        self.read.add(name)
        return super().get(name, default)


def gaps_of(kernel: Kernel) -> list[Gap]:
    """Return the gaps of a compiled catalog, with those of its automatic relationships."""
    found = list(kernel.catalog.gaps)
    rules = kernel.rules or standard_rules(kernel.lookup.typed)
    found += unread(kernel, rules)
    found += generated_on_machine(kernel, rules)
    for resource in kernel.catalog.resources:
        unknown = unknown_parameters(resource, deferred=kernel.catalog.resolves_first)
        if unknown:
            found += unmade(resource, unknown, kernel, rules)
    return found


def unread(kernel: Kernel, rules: Rules) -> Iterator[Gap]:
    """Yield the types whose automatic relationships or generated resources are unknown.

    No table has them, and their Ruby code cannot be evaluated completely. Declarations about types
    that the catalog does not have hide nothing.
    """
    lookup = kernel.lookup
    described = {(row.type, NAMES[row.kind], row.target) for row in rules.rows}
    for one in kernel.catalog.relations:
        if not one.unknown or (one.target and one.target not in lookup.typed):
            continue
        if one.kind == "generate":
            known = any(one.type in types for types in (HARMLESS, GENERATING, GENERATED_ON_MACHINE))
            what, hint = "what it generates is", ""
        else:
            known = (one.type, one.kind, one.target) in described or is_tabled(one)
            what, hint = "its automatic relationships are", TABLE
        if not known:
            span = lookup.resources[lookup.of_type(one.type)[0]].span
            reason, opens = hint_in(f"{what} unknown: {one.unknown}")
            kind: GapKind = "unread" if NOT_READ in reason else "resource type"
            yield Gap(kind, one.type, reason, span, opens or hint)


def generated_on_machine(kernel: Kernel, rules: Rules) -> Iterator[Gap]:
    """Yield the resources that generate others for existing objects: files, accounts, keys.

    A generated resource comes after its generator, and before the targets of its `before` and
    `notify`. It hides a relationship if these are set, or if a rule of another resource may lead to
    it.
    """
    typed = kernel.lookup.typed
    for kind, type_made in GENERATED_ON_MACHINE.items():
        for number in typed.get(kind, ()):
            resource = kernel.lookup.resources[number]
            made = type_made(resource)
            if not made:
                continue
            rows = [row for row in rules.rows if row.target == made and row.type in typed]
            named = bool(rows) if kind != "Tidy" else leads_below(resource, rows, kernel)
            handed_on = any(resource.parameters.get(name) for name in ("before", "notify"))
            hides = kind != "User" and (named or handed_on)
            reason = f"the machine decides which resources of type {made} it generates"
            yield Gap("resource type", str(resource), reason, resource.span, hides=hides)


def leads_below(tidy: Resource, rows: list[AutoRelation], kernel: Kernel) -> bool:
    """Return whether a rule of another resource may lead to a file that a tidy removes.

    Folders, to which the files below them are related, are removed with `rmdirs` only; but what
    is a folder for a file of the catalog may be a link, which is removed.
    """
    path = tidy.parameters.get("path") or tidy.title
    if not isinstance(path, str) or is_set(tidy.parameters.get("rmdirs")):
        return True
    within = path.rstrip("/") + "/"
    lookup = kernel.lookup
    for row in rows:
        for number in lookup.typed.get(row.type, ()):
            one = lookup.resources[number]
            found = map(str, row.selector(one, lookup) if row.type != "File" else folders_of(one))
            if any(title == path or title.startswith(within) for title in found):
                return True
    return False


def folders_of(file: Resource) -> Iterator[str]:
    """Yield the folders that a file is in, the innermost first."""
    path = str(file.parameters.get("path") or file.title).rstrip("/")
    while "/" in path[1:]:
        path = path.rpartition("/")[0]
        yield path


def purged_type(resource: Resource) -> str:
    """Return the type that a `resources` purges, the empty text for none."""
    if not is_set(resource.parameters.get("purge")):
        return ""
    return capitalize_type(str(resource.parameters.get("name") or resource.title))


def purged_keys(resource: Resource) -> str:
    """Return the type that a user purges, the empty text for none."""
    value = resource.parameters.get("purge_ssh_keys")
    return "Ssh_authorized_key" if is_set(value) and value != [] else ""


def purged_values(resource: Resource) -> str:
    """Return the type of what a registry key purges, the empty text for nothing."""
    return "Registry_value" if is_set(resource.parameters.get("purge_values")) else ""


def is_set(value: object) -> bool:
    """Return whether a boolean parameter is true, or may be."""
    return value is not None and str(value).lower() not in ("false", "no")


# The type of the resources that a resource generates from the state of the machine, the empty text
# for none (Puppet::Type#generate of tidy, resources and user; eval_generate of registry_key).
GENERATED_ON_MACHINE: dict[str, Callable[[Resource], str]] = {
    "Registry_key": purged_values,
    "Resources": purged_type,
    "Tidy": lambda resource: "File",
    "User": purged_keys,
}


def unknown_parameters(resource: Resource, *, deferred: bool = False) -> dict[str, Unknown]:
    """Return the parameters of a resource that are wholly or partly unknown.

    `deferred`: those that the agent computes are unknown, too.
    """
    found = {}
    for name, value in resource.parameters.items():
        kind = type(value)
        if kind is Unknown:
            found[name] = value
        elif kind is list or kind is dict:
            one = unknown_in(value, deferred=deferred)
            if one is not None:
                found[name] = one
    return found


def unknown_in(value: Any, *, deferred: bool) -> Unknown | None:
    """Return the first Unknown in data, or what the agent computes."""
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
        elif deferred and kind is dict and one.get("__ptype") == "Deferred":
            return Unknown("the agent computes it (Deferred)")
        elif kind is dict:
            pending += one.values()
    return None


def unmade(
    resource: Resource, unknown: dict[str, Unknown], kernel: Kernel, rules: Rules
) -> Iterator[Gap]:
    """Yield the Unknown parameters that automatic relationships of a resource depend on."""
    typed = kernel.lookup.typed
    rows = [rules.rows[index] for index in rules.by_type.get(resource.type, ())]
    # A relationship may name a resource by its alias.
    read = {"alias"}
    for row in rows:
        if row.target in typed and (row.target != resource.type or len(typed[row.target]) > 1):
            read |= read_by(row, resource, kernel)
    name = namevars_of(kernel.catalog).get(resource.type, "name")
    if name and resource.type not in COMPOSITE and is_named(resource.type, kernel, rules):
        read.add(name)
    yield from (gap(resource, name, unknown[name]) for name in unknown if name in read)


def read_by(row: AutoRelation, resource: Resource, kernel: Kernel) -> set[str]:
    """Return the parameters that a rule reads of a resource."""
    observed = Observed(resource.parameters)
    list(row.selector(Resource(resource.type, resource.title, observed), kernel.lookup))
    return observed.read


def is_named(kind: str, kernel: Kernel, rules: Rules) -> bool:
    """Return whether rules of other resources in the catalog lead to resources of a type."""
    typed = kernel.lookup.typed
    return any(
        row.target == kind and row.type in typed and (row.type != kind or len(typed[kind]) > 1)
        for row in rules.rows
    )


def gap(resource: Resource, parameter: str, unknown: Unknown) -> Gap:
    """Return the gap of an Unknown parameter."""
    reason, hint = hint_in(unknown.reason)
    return Gap("undecided", f"parameter {parameter} of {resource}", reason, resource.span, hint)
