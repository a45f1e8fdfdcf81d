"""Finds the text of a manifest: under the catalog's name for it, or near the input."""

from __future__ import annotations

import os
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property

from analyzer.reach import may_read, roots_of, within
from analyzer.reading import read_text
from analyzer.source import Span, masked

# Folders above the input that are searched.
UPWARDS = 4

# Larger files are not read: no manifest is that large.
MOST_BYTES = 20_000_000


@dataclass(frozen=True, slots=True)
class SourceText:
    """The text of a file; `path` is where it was found, `named` the name in the catalog."""

    named: str
    path: str
    text: str

    @property
    def elsewhere(self) -> bool:
        """Return whether it was found in another place than the catalog names."""
        return os.path.abspath(self.named) != os.path.abspath(self.path)


@dataclass(frozen=True, slots=True)
class NoSource:
    """A file without text to show: the reason, and the places that were tried."""

    named: str
    why: str
    tried: tuple[str, ...] = ()


def find_source(
    named: str, input_path: str, roots: frozenset[str] | None = None
) -> SourceText | NoSource:
    """Return the text of a file that a catalog names.

    A file that is not there under its own name is searched for below the folder of the input and
    those above it, by the longest end of its path: at least a folder and the name. `roots` are the
    real paths below which files may be shown, None for those of the context.
    """
    if not is_name(named):
        return NoSource(named, "no file can have this name")
    tried = list(dict.fromkeys(candidates(named, input_path)))
    for number, path in enumerate(tried, 1):
        if may_read(path, roots) and os.path.isfile(path):
            with nullcontext() if roots is None else within(roots):
                return read(named, path, tuple(tried[:number]))
    return NoSource(named, "the manifest is not on this host", tuple(tried))


def is_name(named: str) -> bool:
    """Return whether a file may have a name; that of an untrusted catalog may be anything."""
    try:
        return b"\0" not in os.fsencode(named)
    except UnicodeEncodeError:
        return False


def candidates(named: str, input_path: str) -> list[str]:
    """Return the places where a file may be, the best first."""
    parts = [part for part in named.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    start = os.path.abspath(input_path if input_path not in ("", "-") else ".")
    folder = start if os.path.isdir(start) else os.path.dirname(start)
    found = [named]
    for _ in range(UPWARDS):
        found += [os.path.join(folder, *parts[n:]) for n in range(max(1, len(parts) - 1))]
        folder, last = os.path.dirname(folder), folder
        if folder == last:
            break
    return found


def read(named: str, path: str, tried: tuple[str, ...] = ()) -> SourceText | NoSource:
    """Return the text of an existing file, with stars for what is written as Sensitive."""
    try:
        if os.path.getsize(path) > MOST_BYTES:
            return NoSource(named, "the file is too large to be a manifest", tried)
        return SourceText(named, path, masked(read_text(path, newline="")))
    except ValueError:
        return NoSource(named, "the file is not UTF-8", tried)
    except OSError as error:
        return NoSource(named, f"the file cannot be read: {error.strerror}", tried)


class Texts:
    """The texts of the files that one input names, each read once."""

    def __init__(self, input_path: str) -> None:
        self.input_path = input_path
        self.known: dict[str, SourceText | NoSource] = {}

    def get(self, named: str) -> SourceText | NoSource:
        """Return a text, or the reason why there is none."""
        if named not in self.known:
            self.known[named] = find_source(named, self.input_path, self.roots)
        return self.known[named]

    @cached_property
    def roots(self) -> frozenset[str] | None:
        """Return the real paths below which files may be read, because a catalog may name any file.

        None for inputs that are compiled here: their files were read anyway.
        """
        path = self.input_path
        if not path or path.endswith((".pp", ".cf")) or os.path.isdir(path):
            return None
        return roots_of([os.curdir, os.path.dirname(path) or os.curdir])

    def line(self, span: Span) -> str:
        """Return the line at a place, empty if it is not known."""
        lines = self.lines(span.file)
        return lines[span.line - 1].rstrip("\r") if 0 < span.line <= len(lines) else ""

    def lines(self, named: str) -> list[str]:
        """Return the lines of a file, none if there is no text."""
        found = self.get(named)
        return found.text.split("\n") if isinstance(found, SourceText) else []

    def short(self, named: str) -> str:
        """Return a file's name without the folder of the input, if it is below that."""
        if self.folder and named.startswith(self.folder):
            return named[len(self.folder) :]
        return named

    @cached_property
    def folder(self) -> str:
        """Return the folder of the input with its slash, as the input names it; empty for none."""
        path = self.input_path
        folder = path if os.path.isdir(path) else os.path.dirname(path)
        return os.path.join(folder, "") if folder else ""
