"""The language server: the only file that uses pygls.

Nearly everything runs in turns on one thread: requests, the index in steps of a few milliseconds,
diagnostics after a pause. Requests that may read many files run on other threads, and can be
cancelled; compiles run in processes (`checks.worker`, `checks.calls`).
"""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from threading import Event
from typing import Any, NoReturn

from lsprotocol import types
from pygls.exceptions import (
    JsonRpcException,
    JsonRpcInternalError,
    JsonRpcInvalidParams,
    JsonRpcMethodNotFound,
)
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from analyzer.diagnostics import words_of
from analyzer.lsp.checks.calls import Calls
from analyzer.lsp.checks.publishing import Publishing
from analyzer.lsp.features.table import TABLE
from analyzer.lsp.state.snapshot import RequestRefused, Snapshot
from analyzer.lsp.state.turns import run_in_turns
from analyzer.lsp.state.workspace import Workspace
from analyzer.reach import in_this_context
from analyzer.version import VERSION

# Seconds between two checks whether the editor still runs.
LOOK = 2.0

# Seconds between the imports of two features.
LOADING = 0.02

# Seconds to wait for the permission to show progress, and the title of the index's progress.
ALLOWING, INDEX = 10, "Puppet files"

# The files that the editor is asked to watch.
WATCHED = (
    "**/*.{pp,epp,cf,rb,yaml,yml,eyaml}",
    "**/{environment.conf,metadata.json,catgraph.toml,hiera.yaml,Puppetfile}",
)


# How many slow requests run at the same time; the others wait, and can be cancelled too.
THREADS = 2


# Errors that are sent as the answer to a request.
ANSWERED = JsonRpcInternalError, JsonRpcInvalidParams, JsonRpcMethodNotFound


class Malformed(JsonRpcInvalidParams):
    """Raised for a message that violates the protocol; it is the answer to a request."""


class Protocol(LanguageServerProtocol):
    """Answers malformed requests too, and leaves texts to our own workspace.

    pygls would store the texts itself. It ends lines at more characters than the protocol, and
    moves the positions of an edit that are beyond the end of such a line.
    """

    def to_handler(self, method: str, params: Any) -> Iterator[Any]:
        """Yield the call of our handler for a notification."""
        yield self.fm.features[method], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: Any) -> Iterator[Any]:
        """Pass an opened document to our handler."""
        yield from self.to_handler(types.TEXT_DOCUMENT_DID_OPEN, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: Any) -> Iterator[Any]:
        """Pass the edits of a document to our handler."""
        yield from self.to_handler(types.TEXT_DOCUMENT_DID_CHANGE, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: Any) -> Iterator[Any]:
        """Pass a closed document to our handler."""
        yield from self.to_handler(types.TEXT_DOCUMENT_DID_CLOSE, params)

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Return a message as a value of lsprotocol.

        Raises:
            Malformed: the message violates the protocol.
        """
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            method = data.get("method")
            wrong = Malformed(f"{method}: the parameters are not those of the protocol")
            if isinstance(data.get("id"), str | int) and method is not None:
                self._send_response(data["id"], error=wrong.to_response_error())
            raise wrong from error


class EditorServer(LanguageServer):
    """The state of one editor's server."""

    def __init__(self) -> None:
        super().__init__("catgraph", VERSION, protocol_cls=Protocol)
        self.threads = ThreadPoolExecutor(THREADS, "slow")
        self.calls = Calls()
        self.files = Workspace()
        self.publishing = Publishing(
            self.files, self.publish, self.log, self.refresh, self.compiling
        )
        # The number of the compile whose progress is shown, and the last one.
        self.shown = self.compiles = 0
        self.indexed = 0
        self.stopped = False
        self.pulls = False
        self.tasks: set[asyncio.Task[None]] = set()

    def stop(self) -> None:
        """End the work in other processes."""
        self.publishing.stop()
        self.calls.stop()

    def begin(self, work: Any) -> None:
        """Start a coroutine as a task."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.ended)

    def ended(self, task: asyncio.Task[None]) -> None:
        """Log the error that ended a task, if there was one."""
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
        """Send diagnostics, unless the editor requests them itself."""
        if not self.pulls:
            self.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(uri, found, version)
            )

    def refresh(self) -> None:
        """Ask the editor to request diagnostics, lenses and hints again."""
        if self.pulls:
            self.workspace_diagnostic_refresh(None)
        workspace = self.client_capabilities.workspace
        lenses = workspace.code_lens if workspace else None
        if lenses and lenses.refresh_support:
            self.workspace_code_lens_refresh(None)
        hints = workspace.inlay_hint if workspace else None
        if self.files.options.get("inlayHints") and hints and hints.refresh_support:
            self.workspace_inlay_hint_refresh(None)

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Log an error that is not the answer to a request."""
        if isinstance(error, Malformed):
            self.log(error.message)
            return
        answered = isinstance(error, ANSWERED)
        if not answered or source.__name__ != "FeatureRequestError":
            self.log(words_of(error), error=True)

    async def index(self) -> None:
        """Index the workspace in turns with other work, and show the progress.

        The index does not wait for the editor, which may allow the progress only after the end.
        """
        self.indexed += 1
        token, begun = f"catgraph/index/{self.indexed}", False
        allowed = asyncio.get_running_loop().create_task(self.may_show_progress(token))
        progress = self.work_done_progress
        async for done, of in run_in_turns(self.files.indexing()):
            if of and allowed.done() and allowed.result():
                part = 100 * done // of
                if not begun:
                    progress.begin(token, types.WorkDoneProgressBegin(INDEX, percentage=part))
                    begun = True
                words = f"{done:,} of {of:,}"
                progress.report(token, types.WorkDoneProgressReport(message=words, percentage=part))
        # The index stays in memory. Each garbage collection over it would be a noticeable pause.
        gc.freeze()
        count = len(self.files.index.files)
        self.log(f"{count:,} files are indexed")
        self.publishing.all_open()
        await load_features()
        if await allowed:
            if not begun:
                progress.begin(token, types.WorkDoneProgressBegin(INDEX))
            progress.end(token, types.WorkDoneProgressEnd(message=f"{count:,} files"))

    def compiling(self, what: str) -> None:
        """Show the progress of a compile; the empty text ends it."""
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
        """Return whether the editor shows progress that the server begins."""
        window = self.client_capabilities.window
        if window is None or not window.work_done_progress:
            return False
        created = asyncio.ensure_future(self.work_done_progress.create_async(token))
        # The request is not cancelled after the timeout: the answer may still come.
        await asyncio.wait({created}, timeout=ALLOWING)
        return created.done() and created.exception() is None

    async def fetch_options(self) -> None:
        """Request the user's options from the editor, if it supports that."""
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
        """Apply the user's options, and check all documents again."""
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
        """Ask the editor to report files that change, if it supports that."""
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


async def load_features() -> None:
    """Import all features, so that no first answer is slow."""
    for feature in TABLE:
        await asyncio.sleep(LOADING)
        assert callable(feature.answer)


def compile_token(number: int) -> str:
    """Return the token of the progress of a compile."""
    return f"catgraph/compile/{number}"


def leave(server: EditorServer, code: int) -> NoReturn:
    """End the process, even if a thread still waits for standard input."""
    server.stop()
    os._exit(code)


def register(
    server: EditorServer, method: str, handler: Callable[[EditorServer, Any], Any], options: Any
) -> None:
    """Register the handler of a method."""

    def handle(params: Any = None) -> Any:
        with reported(server, method):
            server.files.look_at(params)
            return handler(server, params)

    server.feature(method, options)(handle)


def register_slow(
    server: EditorServer, method: str, handler: Callable[[Snapshot, Any], Any], options: Any
) -> None:
    """Register a handler that runs on a thread until the request is cancelled.

    A snapshot does not change, so a thread may read it.
    """

    async def handle(params: Any = None) -> Any:
        cancelled = Event()
        loop = asyncio.get_running_loop()
        snapshot = replace(
            server.files.snapshot,
            stopped=cancelled.is_set,
            apart=partial(server.calls.call, cancelled.is_set),
            tell=lambda message: loop.call_soon_threadsafe(partial(server.log, message)),
        )
        with reported(server, method):
            try:
                work = in_this_context(partial(handler, snapshot, params))
                return await loop.run_in_executor(server.threads, work)
            finally:
                cancelled.set()

    server.feature(method, options)(handle)


@contextmanager
def reported(server: EditorServer, what: str) -> Iterator[None]:
    """Turn an error into a message to the user and an answer, so that the server goes on."""
    try:
        yield
    except RequestRefused as error:
        raise JsonRpcInvalidParams(str(error)) from None
    except Exception as error:
        message = f"{what}: {words_of(error)}"
        server.log(message, error=True)
        raise JsonRpcInternalError(message) from None
