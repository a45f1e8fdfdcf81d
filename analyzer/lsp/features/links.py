"""Document links: templates and files that a manifest names, if they exist."""

from __future__ import annotations

from lsprotocol import types

from analyzer.lsp.state.snapshot import EditorRequest, Snapshot

KINDS = ("template", "epp", "file")


def answer(snapshot: Snapshot, asked: EditorRequest) -> list[types.DocumentLink]:
    """Return the links, in the order of the text."""
    return [
        types.DocumentLink(snapshot.range(asked.path, use.start, use.end), snapshot.uri(found.path))
        for use in asked.facts.uses
        if use.kind in KINDS
        for found in snapshot.meaning(asked.path, use)[:1]
    ]
