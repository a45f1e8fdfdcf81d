"""The cache on disk of results: parse tables, diagnostics of files, findings and outputs.

Entries are found by a hash of everything they depend on, so nothing is ever out of date. Each is
sealed with the user's secret and its own name before it is decoded, and it is decoded to values of
listed classes. Entries are written whole under another name and then renamed, so that two processes
may write at once; one that is damaged is made again; a folder that cannot be written is no cache,
and no error. What was least recently used is removed when the cache is full, even if others read or
remove it meanwhile.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

from analyzer.apart import is_apart, user_folder
from analyzer.codec import PLAIN_VALUES, Codec, Undecodable, Unencodable
from analyzer.seal import SIZE, is_own, private, seal, secret_in, unseal
from analyzer.version import VERSION

# Bytes on disk that all entries may have, of every version of catgraph.
MOST = 256 << 20
# Bytes after which they are counted again.
STEP = 16 << 20
# The most bytes of an entry: a thousand catalogs of a large site take some 30 MB.
LARGEST = MOST // 4
# Files have whole blocks of the disk.
BLOCK = 4096


class Cache:
    """Entries in a folder; without a folder nothing is kept.

    `whole` is the folder that is kept small: this one, or one above it that holds entries only, and
    the secret.
    """

    def __init__(self, folder: str | None, whole: str | None = None) -> None:
        self.folder = folder
        self.whole = whole or folder or ""
        self._secret: bytes | None = None

    def get(self, key: str, codec: Codec = PLAIN_VALUES) -> Any:
        """Return the value of a key, None if there is none or the user did not store it."""
        secret = self.secret()
        if secret is None:
            return None
        with suppress(OSError, Undecodable):
            with open(self._path(key), "rb", buffering=0, opener=private) as file:
                stat = os.fstat(file.fileno())
                if not is_own(stat) or stat.st_size > SIZE + LARGEST:
                    return None
                data = file.readall()
            body = unseal(secret, key, data)
            return None if body is None else codec.decode(body)
        return None

    def put(self, key: str, value: object, codec: Codec = PLAIN_VALUES) -> None:
        """Keep a value, if that is possible."""
        secret = self.secret()
        if secret is None:
            return
        try:
            data = codec.encode(value)
        except Unencodable:
            return
        if len(data) > LARGEST:
            return
        path = self._path(key)
        # Containers that share a folder give their processes the same numbers.
        temporary = f"{path}.{os.urandom(8).hex()}"
        try:
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            with open(temporary, "wb", opener=private) as file:
                file.write(seal(secret, key, data) + data)
            os.replace(temporary, path)
        except FileNotFoundError:
            # Another process that makes room took it along.
            return
        except OSError:
            self.folder = None
            with suppress(OSError):
                os.unlink(temporary)
            return
        # Nobody counts what all processes write: each entry takes its chance to be the one.
        if int.from_bytes(os.urandom(4)) * STEP < len(data) << 32:
            prune(self.whole)

    def secret(self) -> bytes | None:
        """Return the secret of the entries, None if nothing is kept.

        More code may have been named since the cache was made.
        """
        if self.folder is None or not is_apart(self.whole):
            return None
        if self._secret is None:
            self._secret = secret_in(self.whole)
            if self._secret is None:
                self.folder = None
        return self._secret

    def _path(self, key: str) -> str:
        return os.path.join(self.folder or "", key[:2], key[2:])


def prune(folder: str) -> None:
    """Remove the files that were not used for longest, if all take more than MOST.

    Three quarters of that are left. File systems note a use to the day. Files that lie directly in
    the folder are no entries: the secret, and the results of the fleet.
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
    return cache_in(None if os.environ.get("CATGRAPH_NO_CACHE") else user_folder())


@cache
def cache_in(whole: str | None) -> Cache:
    """Return the one cache of a folder, in which each version of catgraph has its own."""
    return Cache(None) if whole is None else Cache(os.path.join(whole, VERSION), whole)


def kept(store: Cache, key: str, make: Callable[[], object], codec: Codec = PLAIN_VALUES) -> Any:
    """Return the value that is kept under a key, or make it and keep it."""
    found = store.get(key, codec)
    if found is None:
        found = make()
        store.put(key, found, codec)
    return found
