"""Completion candidates, and the names of the workspace that they come from."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from heapq import nsmallest
from typing import NamedTuple

from lsprotocol import types

from analyzer.lsp.reference import functions
from analyzer.lsp.reference.cursor import Where
from analyzer.lsp.state.snapshot import EditorRequest, Snapshot

Kind = types.CompletionItemKind

# The most items of one answer; an editor asks again when you type more.
MOST = 100

# The detail of names that are known only from their uses.
USED = "used elsewhere"


class Candidate(NamedTuple):
    """A name that completes a word.

    `rank` 0 comes first. `insert` is the text to insert, if it is not the label. `ask` is the kind
    and name under which `resolve` finds the documentation, such as `function split`.
    """

    label: str
    kind: types.CompletionItemKind
    detail: str = ""
    text: str = ""
    rank: int = 1
    insert: str = ""
    ask: str = ""


Candidates = list[Candidate]


def starting(snapshot: Snapshot, kind: str, word: str) -> list[str]:
    """Return the first names of a kind in the workspace that begin with a word, else contain it."""
    return nsmallest(MOST + 1, matching(snapshot.index.names(kind), word))


def foreign(
    snapshot: Snapshot, asked: EditorRequest, where: Where, kind: str, kinds: tuple[str, ...]
) -> list[str]:
    """Return the first names that manifests use and no file declares: those of other modules.

    The word that is being written is excluded.
    """
    index, word = snapshot.index, where.word.lower().removeprefix("::")
    used = matching(index.used_names(kind), word)
    return nsmallest(MOST, (
        name for name in used
        if not any((one, name) in index.declared for one in kinds)
        and (name != word or index.used[kind, name] != (asked.path,))
    ))  # fmt: skip


def matching(known: Iterable[str], word: str) -> list[str]:
    """Return all names that begin with a word, else those that contain it."""
    wanted = word.lower().removeprefix("::")
    names = [*known]
    if not wanted:
        return names
    begin = [name for name in names if name.startswith(wanted)]
    return begin or [name for name in names if wanted in name]


@cache
def own_functions() -> tuple[Candidate, ...]:
    """Return the functions of Puppet and stdlib."""
    return tuple(Candidate(name, Kind.Function, "function", ask=f"function {name}")
                 for name in functions.names())  # fmt: skip


def function_names(snapshot: Snapshot, asked: EditorRequest, where: Where) -> Candidates:
    """Return the functions of Puppet, of stdlib, and of the workspace."""
    found = [*own_functions()]
    for kind in ("function", "ruby function"):
        found += [
            Candidate(name, Kind.Function, "function", ask=f"function {name}")
            for name in starting(snapshot, kind, where.word)
        ]
    return found
