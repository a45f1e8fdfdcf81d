"""A catalog in the JSON that Puppet prints (Resource::Catalog#to_data_hash)."""

from __future__ import annotations

from analyzer.export.encode import pretty
from analyzer.export.values import gap_row
from analyzer.graph.automatic.tables import is_tabled, types_of_other_versions
from analyzer.graph.gaps import unknown_parameters
from analyzer.graph.relationship_graph import relate
from analyzer.model.automatic import TypeRelation
from analyzer.model.catalog import Catalog
from analyzer.model.resource import Resource
from analyzer.model.values import Unknown


def to_json(catalog: Catalog) -> str:
    """Return a catalog as Puppet's JSON.

    An Unknown is an object with the single key `__unknown`: the reason. `incomplete` lists the gaps
    of the compile, if there are any. `automatic` lists the automatic relationships of modules'
    types whose Ruby was read, if no table has them or theirs is for another version.
    """
    document = {
        "tags": list(dict.fromkeys(["settings", *catalog.classes])),
        "name": catalog.name,
        "version": catalog.version,
        "environment": catalog.environment,
        "resources": [row(resource) for resource in catalog.resources],
        "edges": [{"source": s, "target": t} for s, t in catalog.containment],
        "classes": catalog.classes,
        "catalog_format": catalog.format,
    }
    # Puppet does not have this key and ignores it.
    relations = [relation_row(one) for one in read_in(catalog)]
    if relations:
        document["automatic"] = relations
    vague = catalog.gaps or any(one.unknown for one in catalog.relations)
    if vague or any(map(unknown_parameters, catalog.resources)):
        document["incomplete"] = [gap_row(gap) for gap in relate(catalog).gaps]
    return pretty(document, plain)


def read_in(catalog: Catalog) -> list[TypeRelation]:
    """Return the automatic relationships that only the compile can find."""
    if not catalog.relations:
        return []
    others = types_of_other_versions(catalog.relations)
    return [
        one
        for one in catalog.relations
        if (one.type in others and not one.unknown) or (one.titles and not is_tabled(one))
    ]


def relation_row(relation: TypeRelation) -> dict[str, object]:
    """Return the automatic relationships that a Ruby type declares."""
    titles = {ref: list(named) for ref, named in relation.titles.items()}
    return {
        "type": relation.type,
        "kind": relation.kind,
        "target": relation.target,
        "titles": titles,
        "file": relation.source,
    }


def row(resource: Resource) -> dict[str, object]:
    """Return one resource."""
    title = "main" if str(resource) == "Class[Main]" else resource.title
    found: dict[str, object] = {"type": resource.type, "title": title, "tags": resource.tags or []}
    if resource.line:
        found |= {"file": resource.file or "", "line": resource.line}
    found |= {"exported": resource.exported, "kind": resource.kind}
    if resource.parameters:
        found["parameters"] = resource.parameters
    if resource.sensitive:
        found["sensitive_parameters"] = resource.sensitive
    return found


def plain(value: object) -> object:
    """Return a value that JSON lacks."""
    if isinstance(value, Unknown):
        return {"__unknown": value.reason}
    return str(value)
