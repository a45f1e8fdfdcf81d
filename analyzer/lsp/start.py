"""Starts the server: the handlers and the tables of features and commands on a transport."""

from __future__ import annotations

import gc
import logging
import os
import sys
from collections.abc import Callable
from typing import Any

from lsprotocol import types

from analyzer.lsp.features.table import COMMANDS, TABLE, Command, CommandOptions, Feature
from analyzer.lsp.handlers import HANDLERS, OPTIONS
from analyzer.lsp.languages.table import METHODS, row_for
from analyzer.lsp.server import EditorServer, register, register_slow, reported
from analyzer.lsp.state.snapshot import Snapshot
from analyzer.lsp.state.turns import RARELY

# Seconds that a thread with a slow request may block the main thread.
SWITCH = 0.0005


def made() -> EditorServer:
    """Return a server with all features."""
    server = EditorServer()
    for method, handler in HANDLERS.items():
        register(server, method, handler, OPTIONS.get(method))
    for feature in TABLE:
        if feature.slow:
            register_slow(server, feature.method, asking(feature), feature.options)
        else:
            register(server, feature.method, at_once(asking(feature)), feature.options)
    for method in {*METHODS} - {feature.method for feature in TABLE}:
        register(server, method, at_once(asking(None, method)), None)
    for command in COMMANDS:
        server.command(command.name)(carrying_out(server, command))
    return server


def at_once(ask: Callable[[Snapshot, Any], Any]) -> Callable[[EditorServer, Any], Any]:
    """Return the handler that answers from the current snapshot."""
    return lambda server, params: ask(server.files.snapshot, params)


def asking(feature: Feature | None, method: str = "") -> Callable[[Snapshot, Any], Any]:
    """Return the function that calls the answer of a file's language, or else the feature."""
    method = feature.method if feature is not None else method

    def ask(snapshot: Snapshot, params: Any) -> Any:
        asked = snapshot.asked(params)
        row = row_for(asked.path, method) or feature
        return None if row is None else row.answer(snapshot, asked)

    return ask


def carrying_out(server: EditorServer, command: Command) -> Callable[..., Any]:
    """Return the handler of a command; edits and documents are sent to the editor."""

    def carry_out(*arguments: Any) -> Any:
        snapshot = server.files.snapshot
        with reported(server, command.name):
            found = command.answer(snapshot, list(arguments))
        if isinstance(found, types.WorkspaceEdit):
            server.workspace_apply_edit(types.ApplyWorkspaceEditParams(found))
            return None
        if isinstance(found, CommandOptions):
            server.take_options({**snapshot.options, **found.options})
            return None
        if isinstance(found, types.ShowDocumentParams):
            server.window_show_document(found)
            return None
        return found

    return carry_out


def start(port: int | None = None) -> int:
    """Serve on standard input and output, or on a port of this machine, until the editor ends it.

    Only the protocol may write to standard output: all other output goes to standard error.
    """
    gc.enable()
    gc.set_threshold(*RARELY)
    sys.setswitchinterval(SWITCH)
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    server = made()
    if port is not None:
        server.start_tcp("127.0.0.1", port)
        return 0
    stdin, stdout = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    server.start_io(stdin, stdout)
    server.stop()
    return 0
