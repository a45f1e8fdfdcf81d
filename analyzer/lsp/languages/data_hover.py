"""Hover on a key of Hiera data: the parameter that it sets, and the levels that have the key."""

from __future__ import annotations

import os

from lsprotocol import types

from analyzer.lsp.languages.data_reach import reach_in_words
from analyzer.lsp.languages.hierarchy import levels_of, number_of
from analyzer.lsp.languages.parameters import parameter_of
from analyzer.lsp.state.snapshot import EditorRequest, Snapshot
from analyzer.source import place_of

# The most files in the list.
MOST = 12


def answer(snapshot: Snapshot, asked: EditorRequest) -> types.Hover | None:
    """Return the hover of a key: its parameter, and the other files that have the key."""
    symbol = asked.facts.symbol_at(asked.start)
    use = asked.facts.use_at(asked.start)
    at = symbol or use
    if at is None or at.kind != "key":
        return None
    parameter = parameter_of(snapshot, asked.path, at.name)
    rows = []
    if parameter is not None:
        default = f" = {parameter.default}" if parameter.default else ""
        head = " ".join(filter(None, [parameter.type, f"${parameter.name}{default}"]))
        rows.append(f"```puppet\n{head}\n```\n\nparameter of class {parameter.owner}")
    rows += files_with(snapshot, asked.path, at.name)
    rows = [*filter(None, [*rows, reach_in_words(snapshot, asked.path, at.name)])]
    if not rows:
        return None
    contents = types.MarkupContent(types.MarkupKind.Markdown, "\n\n".join(rows))
    return types.Hover(contents, snapshot.range(asked.path, at.start, at.end))


def files_with(snapshot: Snapshot, path: str, key: str) -> list[str]:
    """Return the files of a hierarchy that have a key, those of the highest level first."""
    levels = levels_of(snapshot, path)
    found = []
    for one in snapshot.index.declared.get(("key", key), ()):
        number = number_of(levels, one)
        if number >= 0:
            line = place_of(snapshot.text(one), next(snapshot.declared(one, "key", key))[1].start)
            found.append((number, f"- {below(snapshot, one)}:{line[0]}"))
    rows = [text for _, text in sorted(found)]
    more = [f"- and {len(rows) - MOST} more"] if len(rows) > MOST else []
    return ["set in\n\n" + "\n".join(rows[:MOST] + more)] if rows else []


def below(snapshot: Snapshot, path: str) -> str:
    """Return a path relative to the workspace folder."""
    for root in snapshot.roots:
        if path.startswith(os.path.join(root, "")):
            return os.path.relpath(path, root)
    return path
