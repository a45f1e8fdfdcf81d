"""An open text, and the edits that an editor applies to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from analyzer.lsp.state.paths import path_of
from analyzer.lsp.state.positions import Encoding, offset_of

# A place: the line, counted from 0, and the unit in it.
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class OpenDocument:
    """An open text of the editor, with its URI and version."""

    path: str
    uri: str
    version: int
    text: str

    def edited(
        self, text: str, version: int, span: tuple[Place, Place] | None, encoding: Encoding
    ) -> OpenDocument:
        """Return the document with a range, or the whole text, replaced."""
        if span is not None:
            start, end = (offset_of(self.text, *place, encoding) for place in span)
            text = self.text[:start] + text + self.text[max(start, end) :]
        return replace(self, text=text, version=version)

    @property
    def is_saved(self) -> bool:
        """Return whether the document has the path of a file, even if it is not on disk yet."""
        return path_of(self.uri) is not None


def path_named(documents: Mapping[str, OpenDocument], uri: str) -> str | None:
    """Return the path of a file, or of an open text without a file."""
    path = path_of(uri)
    return path or next((one.path for one in documents.values() if one.uri == uri), None)
