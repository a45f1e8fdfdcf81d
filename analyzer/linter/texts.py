"""The texts of manifests by file, with changes that are tried but not written."""

from __future__ import annotations

from collections.abc import Mapping


class Texts:
    """Reads each file once; `overlay` counts instead of what is on disk."""

    def __init__(self, overlay: Mapping[str, str] | None = None) -> None:
        self.known: dict[str, str | None] = dict(overlay or {})

    def get(self, file: str) -> str | None:
        """Return the text of a file, None if it cannot be read."""
        if file not in self.known:
            try:
                with open(file, encoding="utf-8", newline="") as opened:
                    self.known[file] = opened.read()
            except (OSError, ValueError):
                self.known[file] = None
        return self.known[file]
