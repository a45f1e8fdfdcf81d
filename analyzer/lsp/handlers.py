"""The handlers of the editor's notifications: a function for each."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from lsprotocol import types

from analyzer.lsp.server import EditorServer, leave
from analyzer.lsp.state.document import OpenDocument
from analyzer.lsp.state.paths import path_of, path_of_unsaved
from analyzer.lsp.state.workspace import Change


def initialize(server: EditorServer, params: types.InitializeParams) -> None:
    """Record the editor's capabilities, folders and options."""
    folders = [path_of(folder.uri) for folder in params.workspace_folders or ()]
    if not folders and params.root_uri:
        folders = [path_of(params.root_uri)]
    roots = dict.fromkeys(path for path in folders if path)
    server.files.encoding = server.workspace.position_encoding or "utf-16"  # type: ignore[assignment]
    server.files.set_roots([*roots])
    if isinstance(params.initialization_options, dict):
        server.files.set_options(params.initialization_options)
    document = params.capabilities.text_document
    workspace = params.capabilities.workspace
    again = workspace.diagnostics if workspace else None
    # Catalogs are compiled after an editor asks for diagnostics. If the editor cannot be told to
    # ask again, the server sends the diagnostics.
    server.pulls = bool(document and document.diagnostic and again and again.refresh_support)


def initialized(server: EditorServer, params: object) -> None:
    """Start the background work."""
    server.begin(server.index())
    server.begin(server.watch_files())
    server.begin(server.fetch_options())
    server.begin(server.watch_editor())
    server.publishing.worker.warm()


def shutdown(server: EditorServer, params: object) -> None:
    """Stop the work, and record that the editor has requested the shutdown."""
    server.stopped = True
    server.stop()


def exit_now(server: EditorServer, params: object) -> None:
    """End the server."""
    leave(server, 0 if server.stopped else 1)


def did_open(server: EditorServer, params: types.DidOpenTextDocumentParams) -> None:
    """Add an opened document."""
    item = params.text_document
    folder = next(iter(server.files.roots), os.sep)
    path = path_of(item.uri) or path_of_unsaved(item.uri, item.language_id, folder)
    if path is not None:
        server.files.put(OpenDocument(path, item.uri, item.version, item.text))
        server.publishing.soon(path)


def did_change(server: EditorServer, params: types.DidChangeTextDocumentParams) -> None:
    """Apply the edits of a document."""
    path = server.files.path_of(params.text_document.uri)
    if path is not None:
        changes = map(change_of, params.content_changes)
        server.files.edit(path, params.text_document.version, changes)
        server.publishing.soon(path)


def change_of(event: types.TextDocumentContentChangeEvent) -> Change:
    """Return an edit as its range and its text."""
    span = getattr(event, "range", None)
    if span is None:
        return None, event.text
    start, end = span.start, span.end
    return ((start.line, start.character), (end.line, end.character)), event.text


def did_close(server: EditorServer, params: types.DidCloseTextDocumentParams) -> None:
    """Remove a closed document and its diagnostics."""
    path = server.files.path_of(params.text_document.uri)
    if path is not None:
        server.files.close(path)
        server.publishing.forget(path)
        server.publish(params.text_document.uri, None, [])


def did_save(server: EditorServer, params: types.DidSaveTextDocumentParams) -> None:
    """Compile the catalogs that a saved document belongs to at once."""
    path = server.files.path_of(params.text_document.uri)
    if path is not None:
        server.publishing.saved(path)


def did_change_files(server: EditorServer, params: types.DidChangeWatchedFilesParams) -> None:
    """Index the files that changed on disk."""
    paths = [path for change in params.changes if (path := path_of(change.uri))]
    server.files.read_again(paths)
    server.publishing.all_open()


def did_change_folders(server: EditorServer, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Replace the folders of the workspace, and index them."""
    gone = {path_of(one.uri) for one in params.event.removed}
    come = [path for one in params.event.added if (path := path_of(one.uri))]
    kept = [root for root in server.files.roots if root not in gone]
    server.files.set_roots([*dict.fromkeys([*kept, *come])])
    server.begin(server.index())


def did_change_options(server: EditorServer, params: types.DidChangeConfigurationParams) -> None:
    """Apply the user's options of the editor."""
    found = params.settings
    if isinstance(found, dict):
        server.take_options(found.get("catgraph", found))
    else:
        server.begin(server.fetch_options())


def pulled(server: EditorServer, params: types.DocumentDiagnosticParams) -> Any:
    """Return the diagnostics of a document."""
    path = server.files.path_of(params.text_document.uri)
    found = server.publishing.now(path) if path is not None and server.pulls else []
    return types.RelatedFullDocumentDiagnosticReport(items=found)


HANDLERS: dict[str, Callable[[EditorServer, Any], Any]] = {
    types.INITIALIZE: initialize,
    types.INITIALIZED: initialized,
    types.SHUTDOWN: shutdown,
    types.EXIT: exit_now,
    types.TEXT_DOCUMENT_DID_OPEN: did_open,
    types.TEXT_DOCUMENT_DID_CHANGE: did_change,
    types.TEXT_DOCUMENT_DID_CLOSE: did_close,
    types.TEXT_DOCUMENT_DID_SAVE: did_save,
    types.TEXT_DOCUMENT_DIAGNOSTIC: pulled,
    types.WORKSPACE_DID_CHANGE_CONFIGURATION: did_change_options,
    types.WORKSPACE_DID_CHANGE_WATCHED_FILES: did_change_files,
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: did_change_folders,
}

OPTIONS: dict[str, Any] = {
    types.TEXT_DOCUMENT_DIAGNOSTIC: types.DiagnosticOptions(
        inter_file_dependencies=True, workspace_diagnostics=False, identifier="catgraph"
    ),
}
