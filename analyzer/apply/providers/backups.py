"""The store of old contents, laid out as a filebucket (Puppet::FileBucket) is."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path


class Store:
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
            fresh = place / "contents.new"
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

    @staticmethod
    def _remember(paths: Path, path: str) -> None:
        known = paths.read_text("utf-8").splitlines() if paths.exists() else []
        if path not in known:
            opened = os.open(paths, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            with open(opened, "a", encoding="utf-8") as file:
                os.fchmod(opened, 0o600)
                file.write(f"{path}\n")
