"""A name that completes what is written, and which names of the workspace there are."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from heapq import nsmallest
from typing import NamedTuple

from lsprotocol import types

from analyzer.lsp.reference import functions
from analyzer.lsp.reference.cursor import Where
from analyzer.lsp.state.snapshot import Asked, Snapshot

Kind = types.CompletionItemKind

# Items of one answer; an editor asks again when more is typed.
MOST = 100

# What is said of names that are known from their uses alone.
USED = "used elsewhere"


class Candidate(NamedTuple):
    """A name: `rank` 0 comes first; `insert` is what is written, if not the label; `ask` names
    what has more documentation, as `function split`.
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
    """Return the first names of a kind in the workspace that begin with a word, else have it."""
    return nsmallest(MOST + 1, matching(snapshot.index.names(kind), word))


def foreign(
    snapshot: Snapshot, asked: Asked, where: Where, kind: str, kinds: tuple[str, ...]
) -> list[str]:
    """Return the first names that manifests use and no file declares: those of other modules.

    The word that is being written is none of them.
    """
    index, word = snapshot.index, where.word.lower().removeprefix("::")
    used = matching(index.used_names(kind), word)
    return nsmallest(MOST, (
        name for name in used
        if not any((one, name) in index.declared for one in kinds)
        and (name != word or index.used[kind, name] != (asked.path,))
    ))  # fmt: skip


def matching(known: Iterable[str], word: str) -> list[str]:
    """Return all names that begin with a word, else those that have it inside."""
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


def function_names(snapshot: Snapshot, asked: Asked, where: Where) -> Candidates:
    """Return functions: Puppet's, those of stdlib, and those in the workspace."""
    found = [*own_functions()]
    for kind in ("function", "ruby function"):
        found += [
            Candidate(name, Kind.Function, "function", ask=f"function {name}")
            for name in starting(snapshot, kind, where.word)
        ]
    return found
