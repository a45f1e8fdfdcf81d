"""The checks of a text while it is typed, by the language of its file."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from lsprotocol import types

from analyzer.lsp.languages.table import LANGUAGES
from analyzer.lsp.state.snapshot import Snapshot
from analyzer.lsp.state.texts import on_disk

Check = Callable[[Snapshot, str], list[types.Diagnostic]]

# The end of a path, and the module below `checks`; the first row that matches applies.
CHECKS: tuple[tuple[tuple[str, ...], str], ...] = (
    ((".pp", ".epp"), "manifests"),
    ((".cf",), "policies"),
    (LANGUAGES["data"], "data"),
    (("/catgraph.toml",), "settings"),
)

# The most diagnostics of one text: a generated file may have many.
MOST = 1000

# The ends of the names of files that are compiled in a separate process.
COMPILED = (".pp", ".cf")


def diagnostics(snapshot: Snapshot, path: str) -> list[types.Diagnostic]:
    """Return all diagnostics of one text that need no compile."""
    for ends, module in CHECKS:
        if path.endswith(ends):
            check: Check = import_module(f"analyzer.lsp.checks.{module}").diagnostics
            return check(snapshot, path)[:MOST]
    return []


def is_compiled(snapshot: Snapshot, path: str) -> bool:
    """Return whether a file is compiled: not while it is half-written, or data are unsaved."""
    if path.endswith(".cf"):
        from analyzer.lsp.checks.policies import problems_of

        return not problems_of(snapshot.text(path), path)
    if path.endswith(LANGUAGES["data"]):
        # A compile reads data from disk.
        return snapshot.text(path) == on_disk(path, snapshot.roots)
    return path.endswith(COMPILED) and snapshot.checked(path).ok
