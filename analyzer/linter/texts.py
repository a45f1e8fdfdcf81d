"""The texts of manifests by file, with changes that are not written to disk."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from analyzer.compiles.overlay import Overlay
from analyzer.diagnostics import Finding
from analyzer.linter.rule import Proposal
from analyzer.reading import read_text
from analyzer.source import Span


class Texts:
    """Reads each file once; texts of `overlay` replace those on disk.

    `may_read` decides which files may be read, because a catalog can name any file.
    """

    def __init__(
        self,
        overlay: Mapping[str, str] | None = None,
        may_read: Callable[[str], bool] = lambda file: True,
    ) -> None:
        self.overlay = Overlay(overlay)
        self.may_read = may_read
        self.known: dict[str, str | None] = {}

    def get(self, file: str) -> str | None:
        """Return the text of a file, None if it cannot be read."""
        if file not in self.known:
            self.known[file] = self._find(file)
        return self.known[file]

    def _find(self, file: str) -> str | None:
        if file in self.overlay:
            return self.overlay[file]
        return read(file) if self.may_read(file) else None


def read(file: str) -> str | None:
    """Return the text of a file with its line ends, None if it cannot be read."""
    try:
        return read_text(file, newline="")
    except (OSError, ValueError):
        return None


class Names:
    """The names of files in findings, in the user's spelling."""

    def __init__(self, paths: Iterable[str]) -> None:
        named = (path for path in paths if path != "-")
        self.places = {os.path.abspath(path): os.path.normpath(path) for path in named}
        self.here = os.path.join(os.getcwd(), "")
        self.known: dict[str, str] = {}

    def of(self, file: str) -> str:
        """Return the name of a file: relative to an input or the current folder, else unchanged."""
        if file not in self.known:
            self.known[file] = self._find(file)
        return self.known[file]

    def _find(self, file: str) -> str:
        full = os.path.normpath(os.path.join(self.here, file))
        for place, name in self.places.items():
            if is_below(full, place):
                return os.path.normpath(os.path.join(name, full[len(place) :].lstrip(os.sep)))
        return full[len(self.here) :] if full.startswith(self.here) else file

    def names(self, file: str) -> bool:
        """Return whether a file is one of the inputs, or below one."""
        full = os.path.abspath(file)
        return any(is_below(full, place) for place in self.places)

    def renamed(self, finding: Finding) -> Finding:
        """Return a finding with all of its files renamed."""
        span = self.span(finding.span)
        spans = [self.span(step.span) for step in finding.steps]
        if span is finding.span and all(
            new is step.span for new, step in zip(spans, finding.steps, strict=True)
        ):
            return finding
        steps = [replace(one, span=new) for one, new in zip(finding.steps, spans, strict=True)]
        return replace(finding, span=span, steps=tuple(steps))

    def span(self, span: Span | None) -> Span | None:
        """Return a place with its file renamed; the same object if its name stays."""
        if span is None or (name := self.of(span.file)) == span.file:
            return span
        return replace(span, file=name)

    def edited(self, proposal: Proposal) -> Proposal:
        """Return a proposal with all of its files renamed."""
        edits = tuple(replace(edit, file=self.of(edit.file)) for edit in proposal.edits)
        return replace(proposal, edits=edits)


def is_below(path: str, place: str) -> bool:
    """Return whether an absolute path is, or is below, another one."""
    return path == place or path.startswith(os.path.join(place, ""))
