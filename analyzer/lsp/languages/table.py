"""The table of answers in other languages: by the end of a path and the method."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from lsprotocol import types

from analyzer.lsp.state.snapshot import EditorRequest, Snapshot

LANGUAGES: dict[str, tuple[str, ...]] = {
    "policies": (".cf",),
    "data": (".yaml", ".yml", ".eyaml"),
    "settings": ("/catgraph.toml",),
}


class MethodRow(NamedTuple):
    """A language, a method, and the module below `languages` with the function `answer`."""

    language: str
    method: str
    module: str
    options: Any = None

    @property
    def answer(self) -> Callable[[Snapshot, EditorRequest], Any]:
        """Return the function, imported when it is first called."""
        found: Callable[[Snapshot, EditorRequest], Any] = import_module(
            f"analyzer.lsp.languages.{self.module}"
        ).answer
        return found


ROWS: tuple[MethodRow, ...] = (
    MethodRow("data", types.TEXT_DOCUMENT_CODE_LENS, "data_lens"),
    MethodRow("data", types.TEXT_DOCUMENT_HOVER, "data_hover"),
    MethodRow("policies", types.TEXT_DOCUMENT_COMPLETION, "policy_completion"),
    MethodRow("policies", types.TEXT_DOCUMENT_HOVER, "policy_hover"),
    MethodRow("settings", types.TEXT_DOCUMENT_COMPLETION, "settings_completion"),
    MethodRow("settings", types.TEXT_DOCUMENT_HOVER, "settings_hover"),
)

METHODS = tuple(dict.fromkeys(row.method for row in ROWS))


def row_for(path: str, method: str) -> MethodRow | None:
    """Return the row that answers a method for a file, None for Puppet files."""
    for row in ROWS:
        if row.method == method and path.endswith(LANGUAGES[row.language]):
            return row
    return None
