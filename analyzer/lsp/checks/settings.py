"""Diagnostics of `catgraph.toml`: what is no TOML, unknown keys, values of another kind."""

from __future__ import annotations

import tomllib

from lsprotocol import types

from analyzer.config import MOST, check_table
from analyzer.config.keys import KEYS
from analyzer.config.places import toml_error
from analyzer.diagnostics import InputError
from analyzer.lsp.checks.shown import SOURCE, range_of
from analyzer.lsp.state.snapshot import Snapshot
from analyzer.source import Span


def diagnostics(snapshot: Snapshot, path: str) -> list[types.Diagnostic]:
    """Return the diagnostics of each key of a configuration."""
    found = errors_in(snapshot.text(path)[:MOST], path)
    return [
        types.Diagnostic(
            range=range_of(snapshot, path, error.span),
            message=error.message,
            severity=types.DiagnosticSeverity.Error,
            code=error.code,
            source=SOURCE,
        )
        for error in found
    ]


def errors_in(text: str, path: str) -> list[InputError]:
    """Return the errors of a text, one for each of the outermost keys."""
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return [toml_error(path, text, error)]
    except RecursionError:
        return [InputError("is nested too deeply", Span(path, 1, 1), "bad-config")]
    found = []
    for key, value in document.items():
        try:
            check_table(path, text, {key: value}, KEYS, ())
        except InputError as error:
            found.append(error)
    return found
