"""Changes of texts: applied to a snapshot, or as edits for an editor."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from lsprotocol import types

from analyzer.lsp.index.workspace_index import packed_of
from analyzer.lsp.state.document import OpenDocument
from analyzer.lsp.state.paths import uri_of
from analyzer.lsp.state.snapshot import Snapshot


class TextChange(NamedTuple):
    """A text that replaces the characters from `start` up to `end` in a file."""

    path: str
    start: int
    end: int
    text: str


def texts_after(snapshot: Snapshot, changes: Iterable[TextChange]) -> dict[str, str]:
    """Return the texts of the files that change."""
    found: dict[str, str] = {}
    for one in sorted(changes, reverse=True):
        text = found.get(one.path)
        text = snapshot.text(one.path) if text is None else text
        found[one.path] = text[: one.start] + one.text + text[one.end :]
    return found


def snapshot_with(snapshot: Snapshot, texts: Mapping[str, str]) -> Snapshot:
    """Return a snapshot in which files have new texts, as if they were open."""
    documents = dict(snapshot.documents)
    for path, text in texts.items():
        documents[path] = OpenDocument(path, uri_of(path), 0, text)
    index = snapshot.index.changed({path: packed_of(path, text) for path, text in texts.items()})
    return replace(snapshot, index=index, documents=documents)


def edit_of(
    snapshot: Snapshot,
    changes: Iterable[TextChange],
    moves: Sequence[tuple[str, str]] = (),
    made: Sequence[str] = (),
) -> types.WorkspaceEdit:
    """Return changes as an edit of the workspace: create files first, move files last."""
    by_path: dict[str, list[TextChange]] = {}
    for one in sorted(changes):
        by_path.setdefault(one.path, []).append(one)
    parts: list[types.TextDocumentEdit | types.CreateFile | types.RenameFile | types.DeleteFile]
    parts = [types.CreateFile(uri=uri_of(path)) for path in made]
    for path, own in by_path.items():
        document = snapshot.documents.get(path)
        version = document.version if document is not None else None
        edits: list[types.TextEdit | types.AnnotatedTextEdit | types.SnippetTextEdit] = [
            types.TextEdit(snapshot.range(path, one.start, one.end), one.text) for one in own
        ]
        identifier = types.OptionalVersionedTextDocumentIdentifier(snapshot.uri(path), version)
        parts.append(types.TextDocumentEdit(identifier, edits))
    parts += [types.RenameFile(uri_of(old), uri_of(new)) for old, new in moves]
    return types.WorkspaceEdit(document_changes=parts)
