"""Highlights: the places in the file where the name at a position is used."""

from __future__ import annotations

from lsprotocol import types

from analyzer.lsp.features.occurrences import occurrences, ranges
from analyzer.lsp.state.snapshot import EditorRequest, Snapshot


def answer(snapshot: Snapshot, asked: EditorRequest) -> list[types.DocumentHighlight]:
    """Return the places; the assignment of a variable is a write access."""
    kinds = types.DocumentHighlightKind
    return [
        types.DocumentHighlight(where, kinds.Write if one.declares else kinds.Read)
        for one, where in ranges(snapshot, occurrences(snapshot, asked, asked.path))
    ]
