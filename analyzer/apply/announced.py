"""Resources that others bring before anything is applied (Puppet::Type#generate)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy

from analyzer.apply.host import EMPTY, Host
from analyzer.apply.provider import ProviderError
from analyzer.apply.world import Find
from analyzer.graph.lookup import as_list
from analyzer.model.catalog import Catalog
from analyzer.model.resource import Resource, with_parameters

# Types whose resources bring others into the catalog, where a provider knows them.
ANNOUNCERS = frozenset(("Concat_file", "Resources", "User"))
RELATIONS = ("before", "require", "notify", "subscribe")

# Told of a resource that cannot say what it brings: its reference, and why.
Tell = Callable[[str, str], None]


def with_announced(
    catalog: Catalog, find: Find, host: Host = EMPTY, tell: Tell = lambda _, __: None
) -> Catalog:
    """Return the catalog with what its resources bring, each right behind what brings it.

    It is contained where that is, the last one first as Puppet adds them, and comes after it
    unless one names the other. What the catalog has already is not brought, but comes after too.
    """
    if not any(resource.type in ANNOUNCERS for resource in catalog.resources):
        return catalog
    known = {str(resource) for resource in catalog.resources}
    holders = {child: parent for parent, child in reversed(catalog.containment)}
    found = copy(catalog)
    found.resources = []
    found.containment = list(catalog.containment)
    for resource in catalog.resources:
        brought = asked(resource, catalog, find, host, tell)
        new = [one for one in brought if str(one) not in known]
        known.update(map(str, new))
        after = [str(one) for one in brought if not names(one, resource)]
        found.resources.append(coming_before(resource, after))
        found.resources += new
        holder = holders.get(str(resource))
        if holder is not None:
            found.containment += ((holder, str(one)) for one in reversed(new))
    return found


def asked(
    resource: Resource, catalog: Catalog, find: Find, host: Host, tell: Tell
) -> Iterable[Resource]:
    """Return what a resource brings."""
    if resource.type not in ANNOUNCERS:
        return ()
    announce = getattr(find(resource.type), "announce", None)
    if announce is None:
        return ()
    try:
        return list(announce(resource, host, catalog.resources))
    except ProviderError as error:
        tell(str(resource), str(error))
        return ()


def names(one: Resource, other: Resource) -> bool:
    """Tell whether either of two resources names the other in a relationship."""
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
