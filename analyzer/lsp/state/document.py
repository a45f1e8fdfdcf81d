"""An open text, and the edits that an editor makes to it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from analyzer.lsp.state.positions import Encoding, offset_of

# A place: line from 0, and units in it.
Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Document:
    """A text as the editor has it, with the editor's name and number for it."""

    path: str
    uri: str
    version: int
    text: str

    def edited(
        self, text: str, version: int, span: tuple[Place, Place] | None, encoding: Encoding
    ) -> Document:
        """Return the document with a text in place of a range, or of everything."""
        if span is not None:
            start, end = (offset_of(self.text, *place, encoding) for place in span)
            text = self.text[:start] + text + self.text[max(start, end) :]
        return replace(self, text=text, version=version)
