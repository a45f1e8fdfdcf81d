"""Highlights: the other places in the file of what stands at a position."""

from __future__ import annotations

from lsprotocol import types

from analyzer.lsp.features.occurrences import occurrences, ranges
from analyzer.lsp.state.snapshot import Asked, Snapshot


def answer(snapshot: Snapshot, asked: Asked) -> list[types.DocumentHighlight]:
    """Return the places; where a variable gets its value is one that is written."""
    kinds = types.DocumentHighlightKind
    return [
        types.DocumentHighlight(where, kinds.Write if one.declares else kinds.Read)
        for one, where in ranges(snapshot, occurrences(snapshot, asked, asked.path))
    ]
