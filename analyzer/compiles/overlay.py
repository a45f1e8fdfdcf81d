"""Texts of files that replace those on disk."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping


class Overlay(Mapping[str, str]):
    """Texts that replace those on disk; several paths may lead to one file."""

    def __init__(self, texts: Mapping[str, str] | None = None) -> None:
        self.texts = {os.path.realpath(file): text for file, text in (texts or {}).items()}

    def __contains__(self, file: object) -> bool:
        return bool(self.texts) and os.path.realpath(str(file)) in self.texts

    def __getitem__(self, file: str) -> str:
        return self.texts[os.path.realpath(file)]

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)

    def __len__(self) -> int:
        return len(self.texts)

    def differs(self, other: Overlay) -> set[str]:
        """Return the real paths of the files whose texts differ in another overlay."""
        return {
            file
            for file in self.texts.keys() | other.texts.keys()
            if self.texts.get(file) != other.texts.get(file)
        }
