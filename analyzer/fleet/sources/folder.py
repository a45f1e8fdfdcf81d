"""A folder of catalogs: `*.json` and `*.json.gz` at any depth."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

from analyzer.diagnostics import InputError
from analyzer.fleet.values import Node
from analyzer.model.catalog import Catalog
from analyzer.reach import leads_out
from analyzer.reading import read_bytes
from analyzer.session import json_catalogs, read_input
from analyzer.source import Span

ENDINGS = (".json", ".json.gz")


@dataclass(frozen=True, slots=True)
class Folder:
    """The catalogs below a folder; the key of a node is the path of its file there."""

    path: str

    @property
    def name(self) -> str:
        """Return the folder."""
        return os.path.realpath(self.path)

    def index(self) -> Iterator[Node]:
        """Yield a node for each file; its hash is that of the bytes.

        Raises:
            InputError: the folder cannot be read, or has no such file.
        """
        files = list(files_below(self.path))
        if not files:
            message = "there is no catalog in this folder (*.json, *.json.gz)"
            raise InputError(message, Span(self.path), "no-catalogs")
        for file in files:
            yield Node(file, hash_of(self.path_of(file)))

    def fetch(self, nodes: Sequence[Node]) -> Iterator[tuple[Node, Catalog | Exception]]:
        """Yield the catalog of each file, or why there is none."""
        for node in nodes:
            try:
                yield node, one_catalog(self.path_of(node.key))
            except (InputError, OSError) as error:
                yield node, error

    def path_of(self, key: str) -> str:
        """Return the path of a file; the source may be a single file."""
        return self.path if key == "." else os.path.join(self.path, key)


def files_below(path: str) -> Iterator[str]:
    """Yield the files of catalogs below a folder, sorted.

    Links to folders are not followed: they are among the files, and fail when they are read.

    Raises:
        InputError: the folder cannot be read.
    """

    def refuse(error: OSError) -> None:
        raise InputError(f"cannot be read: {error.strerror}", Span(str(error.filename)))

    if not os.path.isdir(path):
        if not os.path.isfile(path):
            raise InputError("no such file or folder", Span(path), "no-source")
        yield "."
        return
    found = []
    for place, folders, names in os.walk(path, onerror=refuse):
        folders[:] = [name for name in folders if not name.startswith(".")]
        below = os.path.relpath(place, path)
        found += [
            os.path.normpath(os.path.join(below, name))
            for name in names
            if name.endswith(ENDINGS) and not name.startswith(".")
        ]
        linked = (name for name in folders if os.path.islink(os.path.join(place, name)))
        found += [os.path.normpath(os.path.join(below, name)) for name in linked]
    yield from sorted(found)


def hash_of(path: str) -> str:
    """Return the hash of a file's bytes; one that cannot be read has none and is tried again."""
    try:
        return "" if leads_out(path) else sha256(read_bytes(path)).hexdigest()
    except OSError:
        return ""


def one_catalog(path: str) -> Catalog:
    """Return the catalog of a file.

    Raises:
        InputError: it cannot be read, or holds none or several.
    """
    if os.path.isdir(path):
        message = "a link to a folder is not followed; give that folder as a source of its own"
        raise InputError(message, Span(path), "linked-folder")
    found = json_catalogs(read_input(path), path)
    if len(found) != 1:
        message = f"the file holds {len(found)} catalogs; write each to a file of its own"
        raise InputError(message, Span(path), "bad-catalog")
    return found[0]
