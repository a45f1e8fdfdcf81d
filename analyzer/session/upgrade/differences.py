"""The differences of a node's two catalogs as causes, by the statements that differ."""

from __future__ import annotations

from analyzer.export.reports.diff_rows import changed_rows, order_rows, relationship_rows
from analyzer.graph.diff.values import CatalogDiff, CatalogSide, ResourceChange
from analyzer.graph.relationship_graph import RelationshipGraph
from analyzer.session.upgrade.causes import BREAKS, CHANGES, ORDER, Causes

Graphs = tuple[RelationshipGraph, RelationshipGraph]


def add_changes(causes: Causes, found: CatalogDiff, graphs: Graphs, name: str, why: str) -> None:
    """Add the differences of a node's catalogs; those that have one reason `why` are one cause."""
    if why:
        each = Causes()
        add_changes(each, found, graphs, name, "")
        for one in each.ordered():
            place = f"{next(iter(one.places))}: " if one.places else ""
            lines = [f"{place}{one.message}", *one.details]
            causes.add(one.group, why, why, nodes=[name], details=lines)
        return
    sides = ((found.lost, graphs[0], "lost"), (found.gained, graphs[1], "gained"))
    for side, graph, word in sides:
        add_resources(causes, side, word, name)
        add_order(causes, found, side, graph, word, name)
        for cycle in side.cycles:
            head = "a dependency cycle is gone" if word == "lost" else "a new dependency cycle"
            causes.add(
                ORDER,
                (word, str(cycle)),
                f"{head}: {cycle}",
                nodes=[name],
                span=cycle.place,
            )
    for target in found.gained.missing:
        causes.add(BREAKS, target.message, target.message, nodes=[name])
    for change, row in zip(found.changed, changed_rows(found), strict=True):
        what = attributes_of(change)
        key = (change.new or change.old, change.ref.type, what)
        details = [f"{change.ref}: {line}" for line in row.details]
        details += [f"{change.ref}: {line}" for _, lines in row.patches for line in lines]
        causes.add(
            CHANGES,
            key,
            f"{change.ref} has another {what}",
            nodes=[name],
            span=change.new or change.old,
            details=details,
        )
    if found.moved and not (found.gained or found.lost or found.changed):
        ref, after = found.moved[0]
        message = f"{ref} is applied {f'after {after}' if after else 'first'}"
        causes.add(ORDER, message, message, nodes=[name])


def add_resources(causes: Causes, side: CatalogSide, word: str, name: str) -> None:
    """Add the resources that only one catalog has, by their statements."""
    verb = "is gone" if word == "lost" else "is new"
    for ref, span in side.resources:
        key = (word, span or str(ref), ref.type)
        causes.add(CHANGES, key, f"{ref} {verb}", nodes=[name], span=span)


def add_order(
    causes: Causes,
    found: CatalogDiff,
    side: CatalogSide,
    graph: RelationshipGraph,
    word: str,
    name: str,
) -> None:
    """Add the orderings that only one catalog has; and relationships that send events."""
    for row in order_rows(side, found, graph):
        words = f"{row.note} at {row.place}" if row.place.strip("-") else row.note
        message = f"ordering {word}: {row.what}{f' ({words})' if words else ''}"
        key = (word, words or row.what)
        causes.add(ORDER, key, message, nodes=[name])
    for edges, row in zip(side.relationships, relationship_rows(side), strict=True):
        if edges.example.event:
            message = f"refresh {word}: {row.what} ({row.note})"
            span = edges.example.origin.span
            causes.add(ORDER, ("refresh", word, span), message, nodes=[name], span=span)


def attributes_of(change: ResourceChange) -> str:
    """Return the attributes of a resource that differ, in words."""
    names = [one.name for one in change.parameters]
    if change.entered or change.left:
        names.append("container")
    if change.exported is not None:
        names.append("export")
    if not names:
        names = ["set of tags"]
    return " and ".join(names)
