"""Edges, their origins and gaps as JSON rows, the same in every document."""

from __future__ import annotations

from analyzer.graph.provenance import Hop
from analyzer.model.completeness import Gap
from analyzer.model.documents import JsonObject
from analyzer.model.relationship import Origin, Relationship


def origin_row(origin: Origin) -> JsonObject:
    """Return the origin of an edge.

    `exported_by` is set for statements in the code of another node, `generated_by` for statements
    of generated resources.
    """
    row = {
        "form": origin.form,
        "declared_by": origin.declarer,
        "position": origin.position,
        "rule": origin.rule,
        "file": origin.span.file if origin.span else None,
        "line": (origin.span.line or None) if origin.span else None,
    }
    if origin.exported_by:
        row["exported_by"] = origin.exported_by
    if origin.generated_by:
        row["generated_by"] = origin.generated_by
    return row


def gap_row(gap: Gap) -> dict[str, object]:
    """Return one gap; `hides`: it may hide a resource or a relationship."""
    span = gap.span
    return {
        "kind": gap.kind,
        "name": gap.name,
        "reason": gap.reason,
        "hint": gap.hint,
        "hides": gap.hides,
        "file": span.file if span else None,
        "line": (span.line or None) if span else None,
        "column": (span.column or None) if span else None,
    }


def relationship_row(relationship: Relationship) -> dict[str, object]:
    """Return one relationship."""
    return {
        "source": str(relationship.source),
        "target": str(relationship.target),
        "kind": relationship.kind,
        "event": relationship.event,
        "auto": relationship.auto,
        "origin": origin_row(relationship.origin),
    }


def hop_row(hop: Hop) -> dict[str, object]:
    """Return an edge of the expanded graph and every relationship that makes it."""
    return {
        "source": hop.source_name,
        "target": hop.target_name,
        "relationships": [relationship_row(r) for r in hop.relationships],
    }
