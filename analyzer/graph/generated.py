"""Resources that others generate before the graph is built (Puppet::Type#generate).

The table has rows for resources that the catalog alone determines. Types whose resources depend on
the machine (tidy, resources, ...) have no row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from typing import TYPE_CHECKING

from analyzer.graph.lookup import CatalogLookup, as_list, file_path
from analyzer.model.catalog import Catalog
from analyzer.model.resource import Resource, with_parameters
from analyzer.model.types import GENERATING

if TYPE_CHECKING:
    from analyzer.graph.kernel import Kernel

RELATIONS = ("before", "require", "notify", "subscribe")

# The parameters that a concat_file passes to its file, Puppet's metaparameters last
# (type/concat_file.rb).
OF_CONCAT = (
    *("owner", "group", "mode", "replace", "backup", "selinux_ignore_defaults", "selrange"),
    *("selrole", "seltype", "seluser", "validate_cmd", "show_diff"),
    *("audit", "loglevel", "noop", "schedule"),
)

# The parameters that a posix_acl does not pass to those of files below it (type/posix_acl.rb).
OWN_OF_ACL = frozenset(("name", "path", "recursive", "recursemode"))

# A function that returns the generated resources, given all resources so far.
Bring = Callable[[Resource, Sequence[Resource]], Iterable[Resource]]


def file_of_concat(resource: Resource, others: Sequence[Resource]) -> list[Resource]:
    """Return the file that a concat_file manages; its content is known when it is applied.

    Puppet fails if the concat_file has an alias, which it would pass on, too.
    """
    given = resource.parameters
    if given.get("alias") is not None:
        return []
    made = {name: given[name] for name in OF_CONCAT if given.get(name) is not None}
    ensure = "absent" if given.get("ensure") == "absent" else "file"
    path = str(given.get("path", resource.title))
    return [brought("File", path, {"ensure": ensure, **made}, resource)]


def commit_of_shadow(resource: Resource, others: Sequence[Resource]) -> list[Resource]:
    """Return the cs_commit of a cs_shadow that is committed by itself (type/cs_shadow.rb)."""
    if str(resource.parameters.get("autocommit", True)).lower() in ("false", "no"):
        return []
    return [brought("Cs_commit", resource.title, {}, resource)]


def acls_below(resource: Resource, others: Sequence[Resource]) -> list[Resource]:
    """Return a posix_acl for each file resource below one that is `recursive` and `deep`.

    Those of files that only the machine has get no further relationships.
    """
    given = resource.parameters
    if str(given.get("recursive")).lower() != "true" or given.get("recursemode") != "deep":
        return []
    top = file_path(str(given.get("path", resource.title))).rstrip("/")
    files = (file_path(str(o.parameters.get("path", o.title))) for o in others if o.type == "File")
    made = {name: value for name, value in given.items() if name not in OWN_OF_ACL}
    below = dict.fromkeys(path for path in files if path.startswith(f"{top}/"))
    return [brought("Posix_acl", path, dict(made), resource) for path in below]


def brought(kind: str, title: str, parameters: dict[str, object], by: Resource) -> Resource:
    """Return a generated resource, with the tags and sensitive parameters of its generator."""
    secret = [name for name in by.sensitive or () if name in parameters]
    made = Resource(kind, title, parameters, tags=[*(by.tags or ())], sensitive=secret or None)
    made.kind = "compilable_type"
    made.generator = by
    return made


GENERATORS: dict[str, Bring] = {
    "Concat_file": file_of_concat,
    "Cs_shadow": commit_of_shadow,
    "Posix_acl": acls_below,
}


def generated_by(resource: Resource, others: Sequence[Resource]) -> Iterable[Resource]:
    """Return the resources that a resource generates, as far as the catalog determines them."""
    generate = GENERATORS.get(resource.type)
    return generate(resource, others) if generate else ()


def with_generated(
    catalog: Catalog,
    lookup: CatalogLookup,
    bring: Bring = generated_by,
    types: frozenset[str] = GENERATING,
) -> Catalog:
    """Return the catalog with generated resources, each right after the one that generates it.

    It has the container of its generator (the last one comes first, as in Puppet) and comes after
    it unless one names the other. A resource that is already in the catalog is not generated, but
    also comes after. `lookup` is that of the catalog; `types` are the generating types.
    """
    made: dict[str, Resource] = {}
    generated = set(catalog.generated)
    holders = {child: parent for parent, child in reversed(catalog.containment)}
    found = copy(catalog)
    found.resources = []
    found.containment = list(catalog.containment)

    def known(one: Resource) -> Resource | None:
        place = lookup.find_ref(str(one))
        return made.get(str(one)) if place is None else lookup.resources[place]

    for number, resource in enumerate(catalog.resources):
        if resource.type not in types:
            found.resources.append(resource)
            continue
        new: list[Resource] = []
        after: list[str] = []
        for one in bring(resource, [*found.resources, *catalog.resources[number:]]):
            there = known(one)
            if there is None:
                there = made[str(one)] = one
                new.append(one)
            if not names(there, resource):
                after.append(str(there))
        generated.update((str(resource), ref) for ref in after)
        found.resources.append(coming_before(resource, after))
        found.resources += new
        holder = holders.get(str(resource))
        if holder is not None:
            found.containment += ((holder, str(one)) for one in reversed(new))
    found.generated = frozenset(generated)
    return found


def contain_generated(kernel: Kernel, contents: dict[int, list[int]]) -> None:
    """Put generated resources after the other contents of a container, in their original order."""
    late: dict[int, int] = {}
    for place, (_, ref) in enumerate(kernel.catalog.containment, 1):
        i = kernel.lookup.find_declared(ref)
        if i is not None and kernel.resources[i].generator is not None:
            late[i] = place
    for ids in contents.values():
        if not late.keys().isdisjoint(ids):
            ids.sort(key=lambda i: (late.get(i, 0), i))


def miss_generated(kernel: Kernel) -> None:
    """Record references of the catalog's own resources to generated ones as missing.

    Puppet resolves relationships before it generates resources.
    """
    resources, generated = kernel.resources, kernel.catalog.generated
    late = {i for i, resource in enumerate(resources) if resource.generator is not None}
    for row, (i, label, ids) in enumerate(kernel.declared):
        if i in late or late.isdisjoint(ids):
            continue
        kept = []
        for position, other in enumerate(ids):
            if other in late and (str(resources[i]), str(resources[other])) not in generated:
                kernel.missing.append((i, label, position, str(resources[other])))
            else:
                kept.append(other)
        kernel.declared[row] = (i, label, tuple(kept))


def names(one: Resource, other: Resource) -> bool:
    """Return whether either of two resources names the other in a relationship."""
    return any(
        str(b) in map(str, as_list(a.parameters.get(name, [])))
        for a, b in ((one, other), (other, one))
        for name in RELATIONS
    )


def coming_before(resource: Resource, refs: list[str]) -> Resource:
    """Return a resource that comes before others."""
    if not refs:
        return resource
    before = [*as_list(resource.parameters.get("before", [])), *refs]
    return with_parameters(resource, {**resource.parameters, "before": before})
