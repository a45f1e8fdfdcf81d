"""Resources that others bring before anything is applied, as the machine has it (generate)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from analyzer.apply.engine.world import Find
from analyzer.apply.host import EMPTY, Host
from analyzer.apply.provider import ProviderError
from analyzer.graph.generated import with_generated
from analyzer.graph.lookup import CatalogLookup, namevars_of
from analyzer.model.catalog import Catalog
from analyzer.model.resource import Resource

# Types whose resources bring others into the catalog, where a provider knows them. What the catalog
# alone tells is brought when the graph is built.
ANNOUNCERS = frozenset(("Concat_file", "Resources", "User"))

# Told of a resource that cannot say what it brings: its reference, and why.
Tell = Callable[[str, str], None]


def with_announced(
    catalog: Catalog, find: Find, host: Host = EMPTY, tell: Tell = lambda _, __: None
) -> Catalog:
    """Return the catalog with what its resources bring on a machine."""
    if not any(resource.type in ANNOUNCERS for resource in catalog.resources):
        return catalog

    def bring(resource: Resource, others: Sequence[Resource]) -> Iterable[Resource]:
        announce = getattr(find(resource.type), "announce", None)
        if announce is None:
            return ()
        try:
            brought: list[Resource] = list(announce(resource, host, others))
        except ProviderError as error:
            tell(str(resource), str(error))
            return ()
        for one in brought:
            one.generator = resource
        return brought

    lookup = CatalogLookup([*catalog.resources], namevars_of(catalog), catalog.aliases)
    return with_generated(catalog, lookup, bring, ANNOUNCERS)
