"""The store of old contents, laid out as a filebucket (Puppet::FileBucket) is."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path


class BackupStore:
    """A folder of contents by their SHA-256, with the paths that they were found at.

    `puppet filebucket -l --bucket DIR` reads it.
    """

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)

    def keep(self, path: str, data: bytes) -> str:
        """Keep what a path holds; return the checksum that finds it again.

        Raises:
            OSError: it cannot be written.
        """
        checksum = sha256(data).hexdigest()
        place = self._place(checksum)
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        contents = place / "contents"
        if not contents.exists():
            fresh = self.folder / f"{os.getpid()}.new"
            with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            fresh.rename(contents)
        self._remember(place / "paths", path.lstrip("/"))
        return checksum

    def read(self, checksum: str) -> bytes:
        """Return a content.

        Raises:
            OSError: there is none of that checksum.
        """
        return (self._place(checksum) / "contents").read_bytes()

    def _place(self, checksum: str) -> Path:
        return self.folder.joinpath(*checksum[:8], checksum)

    def begin(self, root: str, path: str) -> None:
        """Note which temporary file this process writes below a root, until the next one.

        Raises:
            OSError: it cannot be noted.
        """
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
        with open(os.open(self._note, flags, 0o600), "wb") as file:
            file.write(os.fsencode(f"{root}\0{path}"))

    def finish(self) -> None:
        """Forget that note: the file is in its place."""
        self._note.unlink(missing_ok=True)

    def left(self, root: str) -> list[str]:
        """Return the temporary files below a root that runs left which were killed.

        What they left in the store is removed, and so are their notes.
        """
        found = []
        for note in [*self.folder.glob("*.new"), *self.folder.glob("*.writing")]:
            if not note.stem.isdigit() or is_running(int(note.stem)):
                continue
            if note.suffix == ".writing":
                of, _, path = os.fsdecode(note.read_bytes()).partition("\0")
                if of != root:
                    continue
                found.append(path)
            note.unlink(missing_ok=True)
        return found

    @property
    def _note(self) -> Path:
        return self.folder / f"{os.getpid()}.writing"

    @staticmethod
    def _remember(paths: Path, path: str) -> None:
        known = paths.read_text("utf-8").splitlines() if paths.exists() else []
        if path not in known:
            opened = os.open(paths, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            with open(opened, "a", encoding="utf-8") as file:
                os.fchmod(opened, 0o600)
                file.write(f"{path}\n")


def is_running(pid: int) -> bool:
    """Return whether there is a process of a number."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
