"""A folder of catalogs: `*.json` and `*.json.gz` at any depth."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

from analyzer.diagnostics import InputError
from analyzer.fleet.values import IndexedNode
from analyzer.model.catalog import Catalog
from analyzer.reach import leads_out
from analyzer.reading import read_bytes
from analyzer.session.inputs import json_catalogs, read_input
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

    def index(self) -> Iterator[IndexedNode]:
        """Yield a node for each file; its hash is that of the bytes.

        Raises:
            InputError: the folder cannot be read, or has no such file.
        """
        file = ""
        for file in files_below(self.path):
            yield IndexedNode(file, *state_of(self.path_of(file)))
        if not file:
            message = "there is no catalog in this folder (*.json, *.json.gz)"
            raise InputError(message, Span(self.path), "no-catalogs")

    def fetch(
        self, nodes: Sequence[IndexedNode]
    ) -> Iterator[tuple[IndexedNode, Catalog | Exception]]:
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
    """Yield the files of catalogs below a folder.

    Links to folders are not followed: they are among the files, and fail when they are read.

    Raises:
        InputError: the folder cannot be read.
    """
    if not os.path.isdir(path):
        if not os.path.isfile(path):
            raise InputError("no such file or folder", Span(path), "no-source")
        yield "."
        return
    folders = [""]
    while folders:
        below = folders.pop()
        try:
            with os.scandir(os.path.join(path, below)) as entries:
                for one in entries:
                    name = os.path.join(below, one.name)
                    if one.name.startswith("."):
                        continue
                    if one.is_dir(follow_symlinks=False):
                        folders.append(name)
                    elif one.name.endswith(ENDINGS) or one.is_dir():
                        yield name
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", Span(path)) from None


def state_of(path: str) -> tuple[str, str, str]:
    """Return the hash of a file's bytes, an environment that is not known, and the file's time.

    One that cannot be read has no hash and is tried again.
    """
    try:
        if leads_out(path):
            return "", "", ""
        time = datetime.fromtimestamp(os.stat(path).st_mtime, UTC).isoformat()
        return sha256(read_bytes(path)).hexdigest(), "", time
    except (OSError, ValueError, OverflowError):
        return "", "", ""


def one_catalog(path: str) -> Catalog:
    """Return the catalog of a file.

    Raises:
        InputError: it cannot be read, or holds none or several.
    """
    if os.path.isdir(path):
        message = "a link to a folder is not followed; give that folder as a separate source"
        raise InputError(message, Span(path), "linked-folder")
    found = json_catalogs(read_input(path), path)
    if len(found) != 1:
        message = f"the file holds {len(found)} catalogs; write each to a separate file"
        raise InputError(message, Span(path), "bad-catalog")
    return found[0]
