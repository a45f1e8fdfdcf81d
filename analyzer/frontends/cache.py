"""What was parsed before, on disk: parse tables, and the trees and problems of files.

Entries are found by a hash of everything they depend on, so nothing is ever out of date. They are
written whole under another name and then renamed, so that two processes may write at once; one
that is damaged is made again; a folder that cannot be written is no cache, and no error.
"""

from __future__ import annotations

import os
import pickle
import zlib
from collections.abc import Callable
from functools import cache
from typing import Any

from analyzer.version import VERSION

# Raised by reading what is not there or not whole.
UNUSABLE = (OSError, ValueError, EOFError, pickle.UnpicklingError, AttributeError, ImportError)


class Cache:
    """Entries in a folder; without a folder nothing is kept."""

    def __init__(self, folder: str | None) -> None:
        self.folder = folder

    def get(self, key: str) -> Any:
        """Return what was put under a key, None if there is nothing or it is damaged."""
        if self.folder is None:
            return None
        try:
            with open(self._path(key), "rb", buffering=0) as file:
                data = file.readall()
            if int.from_bytes(data[:4]) != zlib.crc32(data[4:]):
                return None
            return pickle.loads(data[4:])
        except UNUSABLE:
            return None

    def put(self, key: str, value: Any) -> None:
        """Keep a value, if that is possible."""
        if self.folder is None:
            return
        try:
            data = pickle.dumps(value, 5)
        except RecursionError:
            # A tree as deep as nobody writes one.
            return
        path = self._path(key)
        temporary = f"{path}.{os.getpid()}"
        try:
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            with open(temporary, "wb") as file:
                file.write(zlib.crc32(data).to_bytes(4) + data)
            os.replace(temporary, path)
        except OSError:
            self.folder = None

    def _path(self, key: str) -> str:
        return os.path.join(self.folder or "", key[:2], key[2:])


def user_cache() -> Cache:
    """Return the cache in XDG_CACHE_HOME or ~/.cache; CATGRAPH_NO_CACHE switches it off."""
    if os.environ.get("CATGRAPH_NO_CACHE"):
        return cache_in(None)
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return cache_in(os.path.join(base, "catgraph", VERSION) if os.path.isabs(base) else None)


@cache
def cache_in(folder: str | None) -> Cache:
    """Return the one cache of a folder."""
    return Cache(folder)


def kept(store: Cache, key: str, make: Callable[[], Any]) -> Any:
    """Return what is kept under a key, or make it and keep it."""
    found = store.get(key)
    if found is None:
        found = make()
        store.put(key, found)
    return found
