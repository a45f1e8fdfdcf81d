"""Reads the texts of files on disk, and parses texts."""

from __future__ import annotations

import os
from functools import lru_cache

from analyzer.frontends.puppet.syntax.check import check
from analyzer.frontends.puppet.syntax.checked_file import Checked
from analyzer.frontends.puppet.syntax.lexing.tokens import Token
from analyzer.lsp.index.tokens import tokens_of
from analyzer.reach import may_read, roots_of
from analyzer.reading import read_text


@lru_cache(maxsize=64)
def checked(text: str, path: str, modulepath: tuple[str, ...] | None) -> Checked:
    """Return the checked tree of a manifest; unsaved texts are not cached on disk."""
    epp, tasks = path.endswith(".epp"), "/plans/" in path
    return check(text, path, epp=epp, tasks=tasks, modulepath=modulepath)


@lru_cache(maxsize=16)
def tokens(text: str, path: str) -> list[Token]:
    """Return the tokens of a text; the path determines the language."""
    return tokens_of(text, epp=path.endswith(".epp"), tasks="/plans/" in path)


@lru_cache(maxsize=64)
def readable(roots: tuple[str, ...]) -> frozenset[str]:
    """Return the folders below which files may be read."""
    return roots_of(roots)


def is_readable(path: str, roots: tuple[str, ...]) -> bool:
    """Return whether a file of the workspace exists and may be read."""
    return may_read(path, readable(roots)) and os.path.isfile(path)


def on_disk(path: str, roots: tuple[str, ...]) -> str:
    """Return the text of a file of the workspace, empty if it may not or cannot be read."""
    if not may_read(path, readable(roots)):
        return ""
    try:
        return read_text(path, "replace", newline="")
    except OSError:
        return ""
