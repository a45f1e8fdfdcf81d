"""Writes a run's catalog and graph into the first line of a journal, and reads them again."""

from __future__ import annotations

from collections.abc import Mapping

from analyzer.apply.engine.run_graph import RunGraph
from analyzer.apply.engine.skipping import RunSettings
from analyzer.apply.journals.event_rows import data_of
from analyzer.apply.journals.journal import ReadJournal, read_journal, settings_row
from analyzer.apply.timeline import Timeline
from analyzer.config import Config
from analyzer.frontends.catalog_json import from_document
from analyzer.graph.relationship_graph import RelationshipGraph, relate
from analyzer.model.catalog import Catalog
from analyzer.model.resource import Resource

# What a catalog knows besides, which Puppet's format has no place for; sets are lists there.
BESIDES = (
    "edges_from",
    "extra_edges",
    "ordered",
    "automatic",
    "namevars",
    "refreshable",
    "self_refreshing",
)


def header_of(
    graph: RunGraph, settings: RunSettings, types: Mapping[str, object], **of_run: object
) -> dict[str, object]:
    """Return the first line of a journal; `types` are those that the user described."""
    catalog = graph.graph.catalog
    return {
        **of_run,
        "settings": settings_row(settings),
        "base": graph.base,
        "types": dict(types),
        "besides": {name: listed(getattr(catalog, name)) for name in BESIDES},
        "catalog": document_of(catalog),
    }


def listed(value: object) -> object:
    """Return a set as a sorted list, anything else unchanged."""
    return sorted(value) if isinstance(value, set | frozenset) else value


def document_of(catalog: Catalog) -> dict[str, object]:
    """Return a catalog in Puppet's format, without what must not be seen."""
    return {
        "name": catalog.name,
        "version": data_of(catalog.version),
        "environment": catalog.environment,
        "resources": [row_of(resource) for resource in catalog.resources],
        "edges": [{"source": s, "target": t} for s, t in catalog.containment],
        "classes": catalog.classes,
    }


def row_of(resource: Resource) -> dict[str, object]:
    """Return a resource in Puppet's format, without what must not be seen."""
    found: dict[str, object] = {
        "type": resource.type,
        "title": resource.title,
        "tags": resource.tags,
        "file": resource.file,
        "line": resource.line,
        "exported": resource.exported,
        "kind": resource.kind,
        "parameters": data_of(resource.shown_parameters()),
        "sensitive_parameters": resource.sensitive,
    }
    return {name: value for name, value in found.items() if value is not None}


def graph_of(recording: ReadJournal) -> RelationshipGraph:
    """Return the graph of a journal's catalog.

    Raises:
        InputError: there is no catalog in it.
    """
    header = recording.header
    catalog = from_document(recording.catalog, recording.path)
    besides = header.get("besides", {})
    for name in BESIDES:
        if name in besides:
            kind = type(getattr(catalog, name))
            setattr(catalog, name, kind(besides[name]))
    catalog.extra_edges = [(s, t, label) for s, t, label in catalog.extra_edges]
    rules = None
    if header.get("types"):
        from analyzer.graph.automatic.user_rules import read_rules

        rules = read_rules(Config(recording.path, types=header["types"]), catalog)
    return relate(catalog, rules)


def load_timeline(path: str, data: bytes | None = None) -> tuple[ReadJournal, Timeline]:
    """Read a journal as a time line, at its end.

    Raises:
        InputError: it cannot be read, or is damaged.
    """
    recording = read_journal(path, data)
    return recording, recording.timeline(graph_of(recording))
