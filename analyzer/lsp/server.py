"""The language server: the only file that knows pygls.

Everything happens on one thread, in turns: requests, the index in steps of a few milliseconds,
diagnostics after a pause. Only compiles are elsewhere, in a process (`checks.worker`).
"""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcInternalError
from pygls.lsp.server import LanguageServer

from analyzer.diagnostics import words_of
from analyzer.lsp.checks.publishing import Publishing
from analyzer.lsp.features.table import TABLE, Feature
from analyzer.lsp.state.document import Document
from analyzer.lsp.state.paths import path_of
from analyzer.lsp.state.snapshot import Asked
from analyzer.lsp.state.turns import run_in_turns
from analyzer.lsp.state.workspace import Change, Workspace
from analyzer.version import VERSION

# Seconds between looks at whether the editor still runs.
LOOK = 2.0

# New objects before the collector looks: a tree has tens of thousands, and no circles.
RARELY = (100_000, 20, 50)

# What the editor is asked to watch.
WATCHED = (
    "**/*.{pp,epp,rb,yaml,yml,eyaml}",
    "**/{environment.conf,metadata.json,catgraph.toml,hiera.yaml,Puppetfile}",
)


class Server(LanguageServer):
    """The state of one editor's server."""

    def __init__(self) -> None:
        super().__init__("catgraph", VERSION)
        self.files = Workspace()
        self.publishing = Publishing(
            self.files, self.publish, self.log, self.refresh, self.compiling
        )
        # The number of the compile whose progress is shown, and the last one.
        self.shown = self.compiles = 0
        self.stopped = False
        self.pulls = False
        self.tasks: set[asyncio.Task[None]] = set()

    def begin(self, work: Any) -> None:
        """Let a coroutine run beside the rest."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.ended)

    def ended(self, task: asyncio.Task[None]) -> None:
        """Report what ended a task, if it was an error."""
        self.tasks.discard(task)
        if not task.cancelled() and isinstance(error := task.exception(), Exception):
            self.log(words_of(error), error=True)

    def log(self, message: str, *, error: bool = False) -> None:
        """Write to the editor's log; an error is also shown."""
        kind = types.MessageType.Error if error else types.MessageType.Log
        self.window_log_message(types.LogMessageParams(kind, message))
        if error:
            shown = f"catgraph: {message}"
            self.window_show_message(types.ShowMessageParams(types.MessageType.Error, shown))

    def publish(self, uri: str, version: int | None, found: list[types.Diagnostic]) -> None:
        """Send diagnostics, unless the editor asks for them itself."""
        if not self.pulls:
            self.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(uri, found, version)
            )

    def refresh(self) -> None:
        """Ask an editor that asks for diagnostics to ask again."""
        if self.pulls:
            self.workspace_diagnostic_refresh(None)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Show an error that no request is answered with."""
        if not isinstance(error, JsonRpcInternalError) or source.__name__ != "FeatureRequestError":
            self.log(words_of(error), error=True)

    async def index(self) -> None:
        """Index the workspace in turns with everything else, and show how far it is."""
        token = "catgraph/index"
        shown = await self.may_show_progress(token)
        if shown:
            begin = types.WorkDoneProgressBegin(title="Puppet files", percentage=0)
            self.work_done_progress.begin(token, begin)
        async for done, of in run_in_turns(self.files.indexing()):
            if shown and of:
                report = types.WorkDoneProgressReport(
                    message=f"{done:,} of {of:,}", percentage=100 * done // of
                )
                self.work_done_progress.report(token, report)
        # The index stays: a collector that looks through it is a pause while somebody types.
        gc.freeze()
        count = len(self.files.index.files)
        if shown:
            end = types.WorkDoneProgressEnd(message=f"{count:,} files")
            self.work_done_progress.end(token, end)
        self.log(f"{count:,} files are indexed")
        self.publishing.all_open()

    def compiling(self, what: str) -> None:
        """Show that something is compiled; the empty text ends it."""
        if self.shown:
            self.work_done_progress.end(compile_token(self.shown), types.WorkDoneProgressEnd())
            self.shown = 0
        self.compiles += 1
        if what:
            self.begin(self.show_compile(self.compiles, what))

    async def show_compile(self, number: int, what: str) -> None:
        """Begin the progress of a compile, unless it has ended meanwhile."""
        token = compile_token(number)
        if await self.may_show_progress(token) and number == self.compiles:
            begin = types.WorkDoneProgressBegin(title="Catalogs", message=what)
            self.work_done_progress.begin(token, begin)
            self.shown = number

    async def may_show_progress(self, token: str) -> bool:
        """Return whether the editor shows the progress of what the server begins."""
        window = self.client_capabilities.window
        if window is None or not window.work_done_progress:
            return False
        if token not in self.work_done_progress.tokens:
            try:
                await asyncio.wait_for(self.work_done_progress.create_async(token), 5)
            except Exception:
                return False
        return True

    async def fetch_options(self) -> None:
        """Ask the editor what the user configures, if it can be asked."""
        workspace = self.client_capabilities.workspace
        if workspace is None or not workspace.configuration:
            return
        wanted = types.ConfigurationParams([types.ConfigurationItem(section="catgraph")])
        try:
            found = await self.workspace_configuration_async(wanted)
        except JsonRpcException as error:
            self.log(f"the editor has no configuration: {error}")
            return
        if found:
            self.take_options(found[0])

    def take_options(self, options: object) -> None:
        """Take what the user configures, and look at everything again."""
        if isinstance(options, dict):
            self.files.set_options(options)
            self.publishing.all_open()

    async def watch_editor(self) -> None:
        """End the server when the editor's process is gone."""
        while self.process_id is not None:
            try:
                os.kill(self.process_id, 0)
            except ProcessLookupError:
                leave(self, 1)
            except PermissionError:
                pass
            await asyncio.sleep(LOOK)

    async def watch_files(self) -> None:
        """Ask the editor to tell of files that change, if it can be asked."""
        workspace = self.client_capabilities.workspace
        watching = workspace.did_change_watched_files if workspace else None
        if watching is None or not watching.dynamic_registration:
            return
        watchers = [types.FileSystemWatcher(glob_pattern=one) for one in WATCHED]
        options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
        method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
        row = types.Registration("catgraph/files", method, options)
        try:
            await self.client_register_capability_async(types.RegistrationParams([row]))
        except JsonRpcException as error:
            self.log(f"the editor watches no files: {error}")


def compile_token(number: int) -> str:
    """Return the name of the progress of a compile."""
    return f"catgraph/compile/{number}"


def leave(server: Server, code: int) -> NoReturn:
    """End the process: a thread may wait for standard input for ever."""
    server.publishing.stop()
    os._exit(code)


def initialize(server: Server, params: types.InitializeParams) -> None:
    """Take what the editor is and has."""
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
    # Catalogs are compiled later than an editor asks: one that cannot be asked to ask again is
    # sent what there is.
    server.pulls = bool(document and document.diagnostic and again and again.refresh_support)


def initialized(server: Server, params: object) -> None:
    """Begin what goes on in the background."""
    server.begin(server.index())
    server.begin(server.watch_files())
    server.begin(server.fetch_options())
    server.begin(server.watch_editor())
    server.publishing.worker.start()


def shutdown(server: Server, params: object) -> None:
    """Remember that the editor ends the server on purpose."""
    server.stopped = True
    server.publishing.stop()


def exit_now(server: Server, params: object) -> None:
    """End the server."""
    leave(server, 0 if server.stopped else 1)


def did_open(server: Server, params: types.DidOpenTextDocumentParams) -> None:
    """Take a document."""
    item = params.text_document
    path = path_of(item.uri)
    if path is not None:
        server.files.put(Document(path, item.uri, item.version, item.text))
        server.publishing.soon(path)


def did_change(server: Server, params: types.DidChangeTextDocumentParams) -> None:
    """Take the edits of a document."""
    path = path_of(params.text_document.uri)
    if path is not None:
        changes = map(change_of, params.content_changes)
        server.files.edit(path, params.text_document.version, changes)
        server.publishing.soon(path)


def change_of(event: types.TextDocumentContentChangeEvent) -> Change:
    """Return an edit: its range and its text."""
    span = getattr(event, "range", None)
    if span is None:
        return None, event.text
    start, end = span.start, span.end
    return ((start.line, start.character), (end.line, end.character)), event.text


def did_close(server: Server, params: types.DidCloseTextDocumentParams) -> None:
    """Forget a document and what was said of it."""
    path = path_of(params.text_document.uri)
    if path is not None:
        server.files.close(path)
        server.publishing.forget(path)
        server.publish(params.text_document.uri, None, [])


def did_save(server: Server, params: types.DidSaveTextDocumentParams) -> None:
    """Compile what a document is part of, without waiting for a pause."""
    path = path_of(params.text_document.uri)
    if path is not None:
        server.publishing.compile_now(path)


def did_change_files(server: Server, params: types.DidChangeWatchedFilesParams) -> None:
    """Look at files that changed on disk."""
    paths = [path for change in params.changes if (path := path_of(change.uri))]
    server.files.read_again(paths)
    server.publishing.all_open()


def did_change_folders(server: Server, params: types.DidChangeWorkspaceFoldersParams) -> None:
    """Take other folders, and index them."""
    gone = {path_of(one.uri) for one in params.event.removed}
    come = [path for one in params.event.added if (path := path_of(one.uri))]
    kept = [root for root in server.files.roots if root not in gone]
    server.files.set_roots([*dict.fromkeys([*kept, *come])])
    server.begin(server.index())


def did_change_options(server: Server, params: types.DidChangeConfigurationParams) -> None:
    """Take what the user sets in the editor."""
    found = params.settings
    if isinstance(found, dict):
        server.take_options(found.get("catgraph", found))
    else:
        server.begin(server.fetch_options())


def pulled(server: Server, params: types.DocumentDiagnosticParams) -> Any:
    """Answer with the diagnostics of a document."""
    path = path_of(params.text_document.uri)
    found = server.publishing.now(path) if path is not None and server.pulls else []
    return types.RelatedFullDocumentDiagnosticReport(items=found)


HANDLERS: dict[str, Callable[[Server, Any], Any]] = {
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


def made() -> Server:
    """Return a server with all features."""
    server = Server()
    for method, handler in HANDLERS.items():
        register(server, method, handler, OPTIONS.get(method))
    for feature in TABLE:
        register(server, feature.method, asking(feature), feature.options)
    return server


def register(
    server: Server, method: str, handler: Callable[[Server, Any], Any], options: Any
) -> None:
    """Answer a method by a handler; its error is a message, and the server goes on."""

    def safely(params: Any = None) -> Any:
        try:
            return handler(server, params)
        except Exception as error:
            message = f"{method}: {words_of(error)}"
            server.log(message, error=True)
            raise JsonRpcInternalError(message) from None

    server.feature(method, options)(safely)


def asking(feature: Feature) -> Callable[[Server, Any], Any]:
    """Return the handler that asks a feature; it has nothing to say of what is no file."""

    def ask(server: Server, params: Any) -> Any:
        snapshot = server.files.snapshot
        asked: Asked | None = snapshot.asked(params)
        return None if asked is None else feature.answer(snapshot, asked)

    return ask


def start(port: int | None = None) -> int:
    """Serve on standard input and output, or on a port of this machine, until the editor ends it.

    Nothing else may write to standard output: it is sent to standard error.
    """
    import logging

    gc.enable()
    gc.set_threshold(*RARELY)
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    server = made()
    if port is not None:
        server.start_tcp("127.0.0.1", port)
        return 0
    stdin, stdout = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    server.start_io(stdin, stdout)
    server.publishing.stop()
    return 0
