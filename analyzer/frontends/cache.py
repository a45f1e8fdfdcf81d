"""The cache on disk of parse results: parse tables, and the trees and diagnostics of files.

Entries are found by a hash of everything they depend on, so nothing is ever out of date. They are
written whole under another name and then renamed, so that two processes may write at once; one
that is damaged is made again; a folder that cannot be written is no cache, and no error. What was
least recently used is removed when the cache is full, even if others read or remove it meanwhile.
"""

from __future__ import annotations

import os
import pickle
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

from analyzer.reach import in_checkout
from analyzer.version import VERSION

# Bytes on disk that all entries may have, of every version of catgraph.
MOST = 256 << 20
# Bytes after which they are counted again; no entry is larger.
STEP = 16 << 20
# Files have whole blocks of the disk.
BLOCK = 4096

# Raised by reading what is not there or not whole.
UNUSABLE = (OSError, ValueError, EOFError, pickle.UnpicklingError, AttributeError, ImportError)


class Cache:
    """Entries in a folder; without a folder nothing is kept.

    `whole` is the folder that is kept small: this one, or one above it that holds entries only.
    """

    def __init__(self, folder: str | None, whole: str | None = None) -> None:
        self.folder = folder
        self.whole = whole or folder or ""

    def get(self, key: str) -> Any:
        """Return the value of a key, None if there is none or it is damaged."""
        if self.folder is None:
            return None
        try:
            with open(self._path(key), "rb", buffering=0) as file:
                if not is_own(file.fileno()):
                    return None
                data = file.readall()
            if int.from_bytes(data[:4]) != zlib.crc32(data[4:]):
                return None
            return pickle.loads(data[4:])
        except UNUSABLE:
            return None

    def put(self, key: str, value: object) -> None:
        """Keep a value, if that is possible."""
        if self.folder is None:
            return
        try:
            data = pickle.dumps(value, 5)
        except RecursionError:
            # The tree is too deep.
            return
        if len(data) > STEP:
            return
        path = self._path(key)
        # Containers that share a folder give their processes the same numbers.
        temporary = f"{path}.{os.urandom(8).hex()}"
        try:
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            with open(temporary, "wb", opener=private) as file:
                file.write(zlib.crc32(data).to_bytes(4) + data)
            os.replace(temporary, path)
        except FileNotFoundError:
            # Another process that makes room took it along.
            return
        except OSError:
            self.folder = None
            return
        # Nobody counts what all processes write: each entry takes its chance to be the one.
        if int.from_bytes(os.urandom(4)) * STEP < len(data) << 32:
            prune(self.whole)

    def _path(self, key: str) -> str:
        return os.path.join(self.folder or "", key[:2], key[2:])


def private(path: str, flags: int) -> int:
    """Open a file that only the user may read or write, whatever the umask is."""
    return os.open(path, flags, 0o600)


def is_own(file: int) -> bool:
    """Return whether only the user can have written an open file: its content is run as code."""
    stat = os.fstat(file)
    return stat.st_uid == os.geteuid() and not stat.st_mode & 0o022


def prune(folder: str) -> None:
    """Remove the files that were not used for longest, if all take more than MOST.

    Three quarters of that are left. File systems note a use to the day. Files that lie directly in
    the folder are no entries: the fleet keeps its results there.
    """
    found = []
    for place, _, names in os.walk(folder):
        if place == folder:
            continue
        for name in names:
            path = os.path.join(place, name)
            with suppress(OSError):
                stat = os.lstat(path)
                size = -(-stat.st_size // BLOCK) * BLOCK
                found.append((max(stat.st_atime_ns, stat.st_mtime_ns), size, path))
    total = sum(size for _, size, _ in found)
    if total <= MOST:
        return
    for _, size, path in sorted(found):
        with suppress(OSError):
            os.unlink(path)
        total -= size
        if total <= MOST * 3 // 4:
            return


def user_cache() -> Cache:
    """Return the cache in XDG_CACHE_HOME or ~/.cache; CATGRAPH_NO_CACHE switches it off."""
    if os.environ.get("CATGRAPH_NO_CACHE"):
        return cache_in(None)
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return cache_in(os.path.join(base, "catgraph") if os.path.isabs(base) else None)


@cache
def cache_in(whole: str | None) -> Cache:
    """Return the one cache of a folder, in which each version of catgraph has its own.

    A folder in a checkout is none: its entries, which are code, may be part of a commit.
    """
    if whole is None or in_checkout(whole):
        return Cache(None)
    return Cache(os.path.join(whole, VERSION), whole)


def kept(store: Cache, key: str, make: Callable[[], object]) -> Any:
    """Return the value that is kept under a key, or make it and keep it."""
    found = store.get(key)
    if found is None:
        found = make()
        store.put(key, found)
    return found
