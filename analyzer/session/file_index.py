"""The digests of files that have not changed, by what the file system records about them.

A row is valid as long as device, inode, size and both times of its file are the same. Only files
whose times are older than this process are recorded: after any change of such a file, the time of
its last change is another one, which programs cannot choose. Git's index works in the same way.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from stat import S_ISREG

from analyzer.frontends.cache import Cache
from analyzer.frontends.puppet.syntax.cache import key_of
from analyzer.reach import may_read
from analyzer.reading import FLAGS, most_bytes, note, state_of
from analyzer.session.keeping import FileStates

# Increased when the format of entries changes.
FORM = "files 1"

# The process has read nothing before this moment; file systems may round times down by two seconds.
START = time.time_ns() - 2 * 10**9

# Device, inode, size, and the times of the last modification and the last change.
Signature = tuple[int, int, int, int, int]
Row = tuple[Signature, str]


class FileIndex:
    """The states of files, as `state_of` returns them, kept under a key."""

    def __init__(self, store: Cache, key: str) -> None:
        self.store = store
        self.key = key
        found = store.get(key)
        self.before: dict[str, Row] = found if isinstance(found, dict) else {}
        # The rows that were used, and the states of files without a row.
        self.used: dict[str, Row] = {}
        self.read: dict[str, str] = {}

    def state(self, path: str) -> str:
        """Return the state of a file; read it if it may have changed."""
        row = self.before.get(path)
        if row is None or row[0] != signature_of(path):
            self.read[path] = state_of(path)
            return self.read[path]
        self.used[path] = row
        # The file counts as read.
        sys.audit("open", path, "r", FLAGS)
        note({path: row[1]})
        return row[1]

    def save(self) -> None:
        """Write the rows of this process if there are new ones."""
        signatures = ((path, signature_of(path)) for path in self.read)
        new = {p: (one, self.read[p]) for p, one in signatures if one and max(one[3:]) < START}
        if new:
            self.store.put(self.key, self.used | new)


class IndexedStates(FileStates):
    """The states of files with an index of them; `paths` are the inputs that the user named."""

    def __init__(self, store: Cache, paths: Sequence[str]) -> None:
        super().__init__()
        self.index = FileIndex(store, key_of(FORM, os.getcwd(), *paths))
        self.read = self.index.state


def signature_of(path: str) -> Signature | None:
    """Return the signature of a regular file that may be read."""
    try:
        stat = os.stat(path)
    except OSError:
        return None
    if not S_ISREG(stat.st_mode) or stat.st_size > most_bytes() or not may_read(path):
        return None
    return stat.st_dev, stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns
