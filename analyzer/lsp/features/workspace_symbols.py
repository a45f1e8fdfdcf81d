"""Search of names in the whole workspace."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from analyzer.lsp.features.document_symbols import KINDS
from analyzer.lsp.state.snapshot import EditorRequest, Snapshot

# The most names of one answer: editors ask again with more letters.
MOST = 100


def answer(snapshot: Snapshot, asked: EditorRequest) -> list[types.WorkspaceSymbol]:
    """Return the declarations whose names contain the query's letters in order, the best first."""
    query = str(asked.params.query).lower().removeprefix("$")
    ranked = sorted(
        (rank, len(name), name, kind)
        for kind, name in names_of(snapshot)
        if kind in KINDS and (rank := rank_of(query, name.lower())) is not None
    )
    found: list[types.WorkspaceSymbol] = []
    for _, _, name, kind in ranked[:MOST]:
        found += shown(snapshot, kind, name)
        if len(found) >= MOST:
            break
    return found[:MOST]


def names_of(snapshot: Snapshot) -> Iterator[tuple[str, str]]:
    """Yield the kinds and names of all declarations until the request is cancelled."""
    for one in snapshot.index.declared:
        snapshot.go_on()
        yield one


def shown(snapshot: Snapshot, kind: str, name: str) -> Iterator[types.WorkspaceSymbol]:
    """Yield the declarations of a name, as editors show them."""
    for path in snapshot.index.declared[kind, name]:
        for found in snapshot.declared(path, kind, name):
            yield types.WorkspaceSymbol(
                location=snapshot.location(found), name=name, kind=KINDS[kind], container_name=kind
            )


def rank_of(query: str, name: str) -> int | None:
    """Return the rank of a matching name, 0 for the best; None if it does not match."""
    if query in name:
        begins = name.startswith(query) or f"::{query}" in name or f"[{query}" in name
        return 0 if name == query else 1 if begins else 2
    at = 0
    for letter in query:
        at = name.find(letter, at) + 1
        if not at:
            return None
    return 3
