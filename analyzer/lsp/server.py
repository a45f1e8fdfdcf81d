"""The language server: the only file that knows pygls.

Nearly everything happens on one thread, in turns: requests, the index in steps of a few
milliseconds, diagnostics after a pause. What may look at many files is on other threads, and can be
cancelled; compiles are in processes (`checks.worker`, `checks.calls`).
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
from analyzer.lsp.state.snapshot import Refused, Snapshot
from analyzer.lsp.state.turns import run_in_turns
from analyzer.lsp.state.workspace import Workspace
from analyzer.version import VERSION

# Seconds between looks at whether the editor still runs.
LOOK = 2.0

# Seconds between the imports of two features.
LOADING = 0.02

# Seconds in which an editor allows to show a progress, and the title of that of the index.
ALLOWING, INDEX = 10, "Puppet files"

# What the editor is asked to watch.
WATCHED = (
    "**/*.{pp,epp,cf,rb,yaml,yml,eyaml}",
    "**/{environment.conf,metadata.json,catgraph.toml,hiera.yaml,Puppetfile}",
)


# Requests that are slow and answered at the same time; the others wait, and can be cancelled too.
THREADS = 2


# Errors that are the answer to a request.
ANSWERED = JsonRpcInternalError, JsonRpcInvalidParams, JsonRpcMethodNotFound


class Malformed(JsonRpcInvalidParams):
    """Raised for a message that the protocol does not allow; a request is answered with it."""


class Protocol(LanguageServerProtocol):
    """Answers malformed requests too, and leaves texts to our own workspace.

    pygls keeps texts of its own, and moves the positions of an edit that lie behind a line in them,
    where a line ends at other characters too than in the protocol.
    """

    def to_handler(self, method: str, params: Any) -> Iterator[Any]:
        """Yield the call of our handler of a notification."""
        yield self.fm.features[method], (params,), None

    @lsp_method(types.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: Any) -> Iterator[Any]:
        """Take a document."""
        yield from self.to_handler(types.TEXT_DOCUMENT_DID_OPEN, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: Any) -> Iterator[Any]:
        """Take the edits of a document."""
        yield from self.to_handler(types.TEXT_DOCUMENT_DID_CHANGE, params)

    @lsp_method(types.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: Any) -> Iterator[Any]:
        """Forget a document."""
        yield from self.to_handler(types.TEXT_DOCUMENT_DID_CLOSE, params)

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Return a message as lsprotocol's value.

        Raises:
            Malformed: it is none.
        """
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            method = data.get("method")
            wrong = Malformed(f"{method}: the parameters are not those of the protocol")
            if isinstance(data.get("id"), str | int) and method is not None:
                self._send_response(data["id"], error=wrong.to_response_error())
            raise wrong from error


class Server(LanguageServer):
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
        """End what goes on in other processes."""
        self.publishing.stop()
        self.calls.stop()

    def begin(self, work: Any) -> None:
        """Start a coroutine beside the rest."""
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
        """Ask an editor that asks for diagnostics, lenses or hints of catalogs to ask again."""
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
        """Show an error that no request is answered with."""
        if isinstance(error, Malformed):
            self.log(error.message)
            return
        answered = isinstance(error, ANSWERED)
        if not answered or source.__name__ != "FeatureRequestError":
            self.log(words_of(error), error=True)

    async def index(self) -> None:
        """Index the workspace in turns with everything else, and show how far it is.

        Nothing waits for the editor: it may allow to show that only when all is done.
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
        # The index stays: a collector that looks through it is a pause while somebody types.
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
        created = asyncio.ensure_future(self.work_done_progress.create_async(token))
        # Not cancelled when it takes too long: the answer may still come.
        await asyncio.wait({created}, timeout=ALLOWING)
        return created.done() and created.exception() is None

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


async def load_features() -> None:
    """Import all features, so that nobody waits for the first answer of one."""
    for feature in TABLE:
        await asyncio.sleep(LOADING)
        assert callable(feature.answer)


def compile_token(number: int) -> str:
    """Return the name of the progress of a compile."""
    return f"catgraph/compile/{number}"


def leave(server: Server, code: int) -> NoReturn:
    """End the process: a thread may wait for standard input for ever."""
    server.stop()
    os._exit(code)


def register(
    server: Server, method: str, handler: Callable[[Server, Any], Any], options: Any
) -> None:
    """Answer a method by a handler."""

    def handle(params: Any = None) -> Any:
        with reported(server, method):
            server.files.look_at(params)
            return handler(server, params)

    server.feature(method, options)(handle)


def register_slow(
    server: Server, method: str, handler: Callable[[Snapshot, Any], Any], options: Any
) -> None:
    """Answer a method by a handler on a thread, until the request is cancelled.

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
                return await loop.run_in_executor(server.threads, handler, snapshot, params)
            finally:
                cancelled.set()

    server.feature(method, options)(handle)


@contextmanager
def reported(server: Server, what: str) -> Iterator[None]:
    """Turn an error into a message to the user and an answer; the server goes on."""
    try:
        yield
    except Refused as error:
        raise JsonRpcInvalidParams(str(error)) from None
    except Exception as error:
        message = f"{what}: {words_of(error)}"
        server.log(message, error=True)
        raise JsonRpcInternalError(message) from None
