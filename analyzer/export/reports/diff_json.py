"""The differences of two catalogs as data, without secrets."""

from __future__ import annotations

from analyzer.export.redact import HIDDEN, cleaned, data
from analyzer.export.values import gap_row, relationship_row
from analyzer.graph.diff.values import (
    CatalogDiff,
    CatalogSide,
    Edges,
    OrderChange,
    ParameterChange,
    Refs,
    ResourceChange,
)
from analyzer.model.catalog import resource_count
from analyzer.model.documents import JsonObject
from analyzer.model.secrets import is_secret
from analyzer.source import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from analyzer.graph.cycles.search import Cycle
    from analyzer.graph.relationship_graph import RelationshipGraph


def document(
    name: str,
    first: RelationshipGraph | None,
    second: RelationshipGraph | None,
    found: CatalogDiff | None,
) -> dict[str, object]:
    """Return the differences of a node, or its catalog if only one input has it."""
    row: dict[str, object] = {"node": name, "first": head(first), "second": head(second)}
    if found is None:
        return row
    return {
        **row,
        "gained": side(found.gained),
        "lost": side(found.lost),
        "changed": [changed(one) for one in found.changed],
        "effects": [
            {
                "ref": str(one.ref),
                "refreshed": refs(one.refreshed),
                "waiting": one.waiting,
            }
            for one in found.effects
        ],
        "moved": [
            {"ref": str(ref), "after": None if after is None else str(after)}
            for ref, after in found.moved
        ],
        "undecided": [
            {"ref": str(one.ref), "parameter": one.parameter, "reason": one.reason}
            for one in found.undecided
        ],
        "cycles": cycles(found.cycles),
    }


def head(graph: RelationshipGraph | None) -> JsonObject | None:
    """Return a catalog as JSON."""
    if graph is None:
        return None
    catalog = graph.catalog
    return {
        "name": catalog.name,
        "environment": catalog.environment,
        "resources": resource_count(catalog),
        "relationships": graph.relationship_count,
        "incomplete": [gap_row(gap) for gap in graph.gaps],
    }


def side(found: CatalogSide) -> dict[str, object]:
    """Return the contents of one catalog that the other one lacks."""
    return {
        "resources": [{"ref": str(ref), **place(span)} for ref, span in found.resources],
        "relationships": [edges(one) for one in found.relationships],
        "order": order(found.order),
        "cycles": cycles(found.cycles),
        "missing": [
            {
                "declared_by": str(one.declared_by),
                "parameter": one.parameter,
                "target": one.target,
                "message": one.message,
            }
            for one in found.missing
        ],
    }


def cycles(found: Sequence[Cycle]) -> list[dict[str, object]]:
    """Return cycles by their members and a closed path."""
    return [{"members": refs(cycle.members), "path": refs(cycle.path)} for cycle in found]


def edges(found: Edges) -> dict[str, object]:
    """Return relationships: each of `sources` to each of `targets`, with one as an example."""
    row = relationship_row(found.example)
    return {
        "sources": refs(found.sources),
        "targets": refs(found.targets),
        **{key: row[key] for key in ("kind", "event", "auto", "origin")},
    }


def order(found: OrderChange) -> dict[str, object]:
    """Return order: each of `first` before each of `second`."""
    pairs = [{"first": refs(one.first), "second": refs(one.second)} for one in found.pairs]
    return {"count": found.count, "pairs": pairs}


def changed(one: ResourceChange) -> dict[str, object]:
    """Return the changes of a resource."""
    return {
        "ref": str(one.ref),
        **place(one.new),
        "parameters": [
            {"name": p.name, "old": value(p, p.old), "new": value(p, p.new)} for p in one.parameters
        ],
        "tags": {"gained": list(one.tags_gained), "lost": list(one.tags_lost)},
        "containers": {"gained": refs(one.entered), "lost": refs(one.left)},
        "exported": one.exported,
    }


def value(change: ParameterChange, found: object) -> object:
    """Return a value without secrets."""
    if found is None:
        return None
    return HIDDEN if is_secret(change.name) else data(cleaned(found))


def refs(found: Refs) -> list[str]:
    """Return references as texts."""
    return [str(ref) for ref in found]


def place(span: Span | None) -> dict[str, object]:
    """Return a place."""
    return {"file": span.file if span else None, "line": (span.line or None) if span else None}
