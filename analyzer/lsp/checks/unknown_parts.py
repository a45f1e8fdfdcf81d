"""Diagnostics of what a catalog lacks because something in the file is unknown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from analyzer.diagnostics import Finding
from analyzer.linter.puppet.subjects import Compiled
from analyzer.lsp.checks.shown import same_file
from analyzer.model.completeness import FACTS, ending, hiding

# Findings of rules are about the other kinds.
KINDS = frozenset({"undecided", "function", "template", "resource type", "file", "folder", "data"})
CODE = "incomplete"


def unknown_parts(path: str, catalogs: Iterable[Compiled]) -> list[Finding]:
    """Return a note for each unknown part of the catalogs that is in a file, each once."""
    return [*dict.fromkeys(one for compiled in catalogs for one in notes_of(path, compiled))]


def notes_of(path: str, compiled: Compiled) -> Iterator[Finding]:
    """Yield the notes of a catalog; facts that nobody gives are what the search of worlds tries."""
    for gap in hiding(compiled.graph.gaps):
        if (
            gap.kind in KINDS
            and gap.hint != FACTS
            and gap.span is not None
            and same_file(gap.span.file, path)
        ):
            plain = replace(gap, hint="")
            words = f"the catalog is incomplete: {gap.name}{ending(plain)}"
            yield Finding(CODE, "note", words, gap.span)
