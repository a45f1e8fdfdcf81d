"""Checks the containment of a catalog: its ends must exist, and it must be complete.

Puppet writes a container for every resource but the stages, and an agent refuses an edge to a
resource that is not in the catalog (Puppet::Resource::Catalog.from_data_hash).
"""

from __future__ import annotations

from analyzer.frontends.json_document import reject
from analyzer.model.catalog import Catalog
from analyzer.model.names import canonical_ref, split_ref

TYPE_CHECKING = False
if TYPE_CHECKING:
    from analyzer.model.resource import Resource

# The spelling in edges that differs from the title of its class in every catalog.
MAIN = {"Class[main]": "Class[Main]"}

REASON = (
    "is not in the edges of this catalog, so relationships of classes and defines may be missing"
)
HINT = "to compile again, or include_catalog_edges = true in puppetdb.conf"


def check_containment(catalog: Catalog) -> None:
    """Refuse edges to resources that do not exist, and note resources without a container.

    Raises:
        InputError: an edge names a resource that the catalog does not have.
    """
    refs = {f"{one.type}[{one.title}]" for one in catalog.resources}
    targets = {MAIN.get(target, target) for _, target in catalog.containment}
    sources = {MAIN.get(source, source) for source, _ in catalog.containment}
    if not (refs >= targets and refs >= sources):
        refuse_absent(catalog, refs)
        targets = {canonical(target) for target in targets}
    if not refs <= targets:
        note_loose(catalog, targets)


def refuse_absent(catalog: Catalog, refs: set[str]) -> None:
    """Refuse the first edge with an end that the catalog does not have in any spelling."""
    refs = refs | set(map(canonical, refs))
    for source, target in catalog.containment:
        for role, end, other in (("source", source, target), ("target", target, source)):
            if end not in refs and canonical(end) not in refs:
                reject(
                    f"edges: {source} contains {target}, but the catalog has no {end}; "
                    f"the agent refuses it: Could not find relationship {role} "
                    f'"{end}" for {other}',
                    catalog.path,
                )


def canonical(ref: str) -> str:
    """Return a reference in Puppet's spelling, other text as it is."""
    parts = split_ref(ref)
    return canonical_ref(*parts) if parts else ref


def note_loose(catalog: Catalog, targets: set[str]) -> None:
    """Note resources without a container, if the catalog has a container to be in.

    Only a stage must hold classes.
    """
    outermost = "Stage" if any(one.type == "Stage" for one in catalog.resources) else "Class"
    loose = [
        one
        for one in catalog.resources
        if one.type not in ("Stage", outermost)
        and canonical(f"{one.type}[{one.title}]") not in targets
    ]
    if loose and any(map(holds_others, catalog.resources)):
        from analyzer.model.completeness import Gap

        first, more = loose[0], len(loose) - 1
        name = f"container of {first}" + (f" and {more:,} more" if more else "")
        catalog.gaps.append(Gap("containment", name, REASON, first.span, HINT))


def holds_others(one: Resource) -> bool:
    """Return whether a resource is a class or an instance of a define, which may have contents."""
    return one.type == "Class" or one.kind == "defined_type" or "::" in one.type
