"""The folder that real runs keep: journals, old contents of files, times, the lock."""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from pathlib import Path

SYSTEM = "/var/lib/catgraph"
# Journals that are kept; older ones are removed.
KEPT = 20


class BusyError(Exception):
    """Another run is changing the same root; the message says which."""


def folder_for(given: str | None, environment: Mapping[str, str]) -> Path:
    """Return the state folder: the one given, the system's for root, else the user's own."""
    if given:
        return Path(os.path.abspath(given))
    if os.geteuid() == 0:
        return Path(SYSTEM)
    home = environment.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    return Path(home, "catgraph")


class StateFolder:
    """The state folder of one run.

    Raises:
        OSError: it cannot be made.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        for folder in (path, self.runs, path / "locks"):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    @property
    def runs(self) -> Path:
        """Return the folder of the journals."""
        return self.path / "runs"

    @property
    def backups(self) -> Path:
        """Return the store of old contents of files."""
        return self.path / "backups"

    def new_journal(self) -> str:
        """Return the path of a new journal; the oldest ones make room for it."""
        for old in sorted(self.runs.glob("*.jsonl"))[: -KEPT + 1]:
            old.unlink(missing_ok=True)
        now = time.time()
        stamp = time.strftime("%Y%m%dT%H%M%S", time.gmtime(now))
        fraction = int(now % 1 * 1e6)
        return str(self.runs / f"{stamp}.{fraction:06}Z-{os.getpid()}.jsonl")

    def lock(self, root: str, about: Mapping[str, object]) -> Lock:
        """Return the lock of a root; it is freed at the latest when this process ends.

        Raises:
            BusyError: another run holds it.
        """
        return Lock(self.path / "locks" / f"{name_of(root)}.json", root, about)

    def checked(self, root: str) -> dict[str, datetime]:
        """Return when resources that have a schedule were last looked at, by reference."""
        try:
            found = json.loads((self.path / "checked" / f"{name_of(root)}.json").read_bytes())
            return {ref: datetime.fromisoformat(text) for ref, text in found.items()}
        except (OSError, ValueError, AttributeError, TypeError):
            return {}

    def keep_checked(self, root: str, checked: Mapping[str, datetime]) -> None:
        """Keep that for the next run.

        Raises:
            OSError: it cannot be written.
        """
        folder = self.path / "checked"
        folder.mkdir(mode=0o700, exist_ok=True)
        fresh = folder / f"{name_of(root)}.new"
        fresh.write_text(json.dumps({ref: one.isoformat() for ref, one in checked.items()}))
        fresh.replace(folder / f"{name_of(root)}.json")


def name_of(root: str) -> str:
    """Return the base name of the files about a root."""
    path = os.path.realpath(root).encode("utf-8", "surrogateescape")
    return sha256(path).hexdigest()[:16]


class Lock:
    """A lock on a root: on a file that says who holds it, and on the root itself.

    The second is seen by runs with another state folder too. The kernel frees both.

    Raises:
        BusyError: another run holds one of them.
        OSError: the file cannot be made or locked.
    """

    def __init__(self, path: Path, root: str, about: Mapping[str, object]) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        self._root = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._lock_root()
        except BlockingIOError:
            holder = holder_in(os.read(self._file, 4096))
            self.release()
            raise BusyError(f"another run is in progress on {root}: {holder}") from None
        os.ftruncate(self._file, 0)
        os.write(self._file, json.dumps({"pid": os.getpid(), **about}).encode())

    def _lock_root(self) -> None:
        """Lock the root itself, where its file system has such locks."""
        try:
            fcntl.flock(self._root, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise
        except OSError:
            return

    def release(self) -> None:
        """Release the root."""
        for opened in (self._file, self._root):
            os.close(opened)


def holder_in(data: bytes) -> str:
    """Return the owner of a lock, as its file names it."""
    try:
        found = json.loads(data)
        return f"process {found['pid']} of {found['user']}, since {found['since']}"
    except (ValueError, KeyError, TypeError):
        return "an unknown process"
