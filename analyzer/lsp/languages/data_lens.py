"""Code lenses above the keys of Hiera data: how many nodes a key reaches."""

from __future__ import annotations

from lsprotocol import types

from analyzer.lsp.languages.data_reach import reach_of
from analyzer.lsp.state.snapshot import EditorRequest, Snapshot

# The most keys of a file with a lens.
MOST = 1000


def answer(snapshot: Snapshot, asked: EditorRequest) -> list[types.CodeLens]:
    """Return a lens for each key; before the first compile there are none."""
    found = []
    for symbol in asked.facts.symbols[:MOST]:
        words = reach_of(snapshot, asked.path, symbol.name)[0] if symbol.kind == "key" else ""
        if words:
            place = snapshot.range(asked.path, symbol.start, symbol.end)
            found.append(types.CodeLens(place, types.Command(words, "")))
    return found
