"""The dependencies and dependents of a resource as a call hierarchy, each with its statement.

"Incoming calls" are the resources that are applied directly before, "outgoing calls" those
directly after. Both include those of its containers, because they apply to all contents.
"""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from analyzer.lsp.features.neighbours import (
    NeighbourEdge,
    hops,
    place_in_text,
    place_of_resource,
    resources_at,
    shown_place,
)
from analyzer.lsp.state.snapshot import EditorRequest, Snapshot


def answer(snapshot: Snapshot, asked: EditorRequest) -> list[types.CallHierarchyItem] | None:
    """Return the resources at a position, according to the last compile."""
    found = (item(snapshot, asked.path, ref, "") for ref in resources_at(snapshot, asked))
    return [one for one in found if one is not None] or None


def incoming(snapshot: Snapshot, asked: EditorRequest) -> list[types.CallHierarchyIncomingCall]:
    """Return the resources applied directly before one, and the statements that order them."""
    calls = reached(snapshot, asked.params.item, before=True)
    return [types.CallHierarchyIncomingCall(one, ranges) for one, ranges in calls]


def outgoing(snapshot: Snapshot, asked: EditorRequest) -> list[types.CallHierarchyOutgoingCall]:
    """Return the resources applied directly after one, and the statements that order them."""
    calls = reached(snapshot, asked.params.item, before=False)
    return [types.CallHierarchyOutgoingCall(one, ranges) for one, ranges in calls]


def reached(
    snapshot: Snapshot, item: types.CallHierarchyItem, *, before: bool
) -> Iterator[tuple[types.CallHierarchyItem, list[types.Range]]]:
    """Yield the resources one hop away, with the ranges to show for the hop."""
    if not isinstance(item.data, dict):
        return
    path, ref = str(item.data.get("path")), str(item.data.get("ref"))
    for hop in hops(snapshot.pictures.get(path, ()), [ref], before=before):
        there = item_of(snapshot, path, hop, ref)
        if there is not None:
            # Ranges of incoming calls are in the caller's file, those of outgoing calls in this.
            yield there, [range_for(snapshot, there if before else item, hop)]


def item_of(
    snapshot: Snapshot, path: str, hop: NeighbourEdge, ref: str
) -> types.CallHierarchyItem | None:
    """Return the resource at the end of a hop, with the statement that makes the hop."""
    origin = hop.edge.origin
    words = [origin.rule or origin.form, shown_place(snapshot, origin.span)]
    if hop.through != ref:
        words.append(f"of {hop.through}")
    return item(snapshot, path, hop.ref, " ".join(filter(None, words)))


def range_for(snapshot: Snapshot, item: types.CallHierarchyItem, hop: NeighbourEdge) -> types.Range:
    """Return the range of the statement if it is in the file of an item, else the item's."""
    if hop.edge.origin.span is not None:
        path, found = place_in_text(snapshot, hop.edge.origin.span)
        if snapshot.uri(path) == item.uri:
            return found
    return item.selection_range


def item(snapshot: Snapshot, path: str, ref: str, detail: str) -> types.CallHierarchyItem | None:
    """Return a resource as editors show it, None if its declaration is unknown."""
    place = place_of_resource(snapshot, path, ref)
    if place is None:
        return None
    kind = types.SymbolKind.Class if ref.startswith("Class[") else types.SymbolKind.Object
    return types.CallHierarchyItem(
        name=ref,
        kind=kind,
        uri=snapshot.uri(place[0]),
        range=place[1],
        selection_range=place[1],
        detail=detail or None,
        data={"path": path, "ref": ref},
    )
