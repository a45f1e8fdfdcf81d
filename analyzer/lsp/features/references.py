"""Find references: the uses of the name at a position, in all files and in Hiera data."""

from __future__ import annotations

from lsprotocol import types

from analyzer.lsp.features.occurrences import occurrences, ranges
from analyzer.lsp.state.snapshot import EditorRequest, Snapshot


def answer(snapshot: Snapshot, asked: EditorRequest) -> list[types.Location]:
    """Return the uses by file and place, with the declarations if the editor asks for them."""
    context = getattr(asked.params, "context", None)
    all_of_them = context is None or context.include_declaration
    wanted = [one for one in occurrences(snapshot, asked) if all_of_them or not one.declares]
    return [
        types.Location(snapshot.uri(one.path), where) for one, where in ranges(snapshot, wanted)
    ]
