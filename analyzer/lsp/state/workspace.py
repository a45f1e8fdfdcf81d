"""The workspace: open documents, files on disk and their index, changed one at a time."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from analyzer.diagnostics import Finding
from analyzer.frontends.puppet.node.modules import FOREIGN
from analyzer.lsp.index.facts import Packed
from analyzer.lsp.index.store import keep_facts, kept_facts
from analyzer.lsp.index.workspace_index import (
    Index,
    built,
    digest_of,
    is_indexed,
    packed_of,
)
from analyzer.lsp.state.document import OpenDocument, Place, path_named
from analyzer.lsp.state.pictures import CatalogPicture
from analyzer.lsp.state.places import EnvironmentsOfFolders
from analyzer.lsp.state.positions import Encoding
from analyzer.lsp.state.snapshot import Snapshot
from analyzer.lsp.state.texts import on_disk
from analyzer.lsp.state.traced import TracedNode

# The most files of one workspace folder; a folder with more is not a control repo.
MOST_FILES = 100_000

# An edit: the range that it replaces (None for everything), and the new text.
Change = tuple[tuple[Place, Place] | None, str]


class Workspace:
    """The state of the server; `snapshot` is an immutable view of it."""

    def __init__(self, roots: Sequence[str] = (), encoding: Encoding = "utf-16") -> None:
        self.roots = tuple(roots)
        self.encoding: Encoding = encoding
        self.documents: dict[str, OpenDocument] = {}
        self.index = Index()
        self.options: dict[str, Any] = {}
        self.places = EnvironmentsOfFolders(self.roots)
        self.pictures: dict[str, tuple[CatalogPicture, ...]] = {}
        self.fixes: dict[str, tuple[Finding, ...]] = {}
        self.traced: dict[str, tuple[tuple[TracedNode, ...], int]] = {}
        # By path: the line that was requested or edited last, counted from 1.
        self.lines: dict[str, int] = {}
        self._snapshot: Snapshot | None = None

    @property
    def snapshot(self) -> Snapshot:
        """Return the snapshot of this moment."""
        if self._snapshot is None:
            self._snapshot = Snapshot(
                self.index, dict(self.documents), self.roots, self.encoding, self.places,
                dict(self.options), dict(self.pictures), dict(self.fixes), dict(self.traced),
            )  # fmt: skip
        return self._snapshot

    def path_of(self, uri: str) -> str | None:
        """Return the path of a URI, None if it is neither a file's nor an open text's."""
        return path_named(self.documents, uri)

    def put(self, document: OpenDocument) -> None:
        """Add an opened document, or replace it after an edit."""
        self.documents[document.path] = document
        # The offsets of fixes are those of the texts before the edit.
        self.fixes.clear()
        self._know({document.path: self._packed(document.path, document.text)})

    def edit(self, path: str, version: int, changes: Iterable[Change]) -> None:
        """Apply edits in their order; ignore a document that is not open."""
        document = self.documents.get(path)
        if document is None:
            return
        for span, text in changes:
            if span is not None:
                self.lines[path] = span[0][0] + 1
            document = document.edited(text, version, span, self.encoding)
        self.put(document)

    def look_at(self, params: Any) -> None:
        """Record the line that a request is about."""
        document, place = (getattr(params, name, None) for name in ("text_document", "position"))
        if document is not None and place is not None:
            path = self.path_of(document.uri)
            if path in self.documents:
                self.lines[path] = place.line + 1

    def close(self, path: str) -> None:
        """Remove a document: the file on disk is used again."""
        self.pictures.pop(path, None)
        self.traced.pop(path, None)
        self.lines.pop(path, None)
        if self.documents.pop(path, None) is not None:
            self.read_again([path])

    def read_again(self, paths: Iterable[str]) -> None:
        """Index files that were changed, added or removed on disk, except open documents."""
        paths = [path for path in paths if path not in self.documents]
        found: dict[str, Packed | None] = {}
        for path in paths:
            there = is_indexed(path) and os.path.isfile(path) and self.is_own(path)
            found[path] = self._packed(path, on_disk(path, self.roots)) if there else None
        if any(self.is_place(path) for path in paths):
            self.places = EnvironmentsOfFolders(self.roots)
        self._know(found)

    def set_roots(self, roots: Sequence[str]) -> None:
        """Replace the folders of the workspace; call `indexing` afterwards."""
        self.roots = tuple(roots)
        self.places = EnvironmentsOfFolders(self.roots)
        self._snapshot = None

    def set_pictures(self, path: str, pictures: Iterable[CatalogPicture]) -> None:
        """Replace the last compiled catalogs of a document."""
        self.pictures[path] = tuple(pictures)
        self._snapshot = None

    def add_traced(
        self, path: str, traced: Iterable[TracedNode], total: int, *, further: bool
    ) -> None:
        """Replace the traced compiles of a document, or add `further` ones."""
        before = self.traced.get(path, ((), 0))[0] if further else ()
        self.traced[path] = (*before, *traced), total
        self._snapshot = None

    def set_fixes(self, path: str, findings: Iterable[Finding]) -> None:
        """Replace the findings of a document that have fixes for the current texts."""
        self.fixes[path] = tuple(findings)
        self._snapshot = None

    def set_options(self, options: dict[str, Any]) -> None:
        """Replace the client's options."""
        self.options = options
        self._snapshot = None

    def indexing(self) -> Iterator[tuple[int, int]]:
        """Index all folders in small steps; yield the number of files done, and of all files.

        Stored facts are used for the files whose text has not changed.
        """
        files: dict[str, Packed] = {}
        for root in self.roots:
            paths: list[str] = []
            for path in files_of(root):
                paths.append(path)
                yield 0, 0
            kept = kept_facts(root)
            own: dict[str, Packed] = {}
            for number, path in enumerate(paths):
                text = on_disk(path, self.roots)
                known = kept.get(path)
                fits = known is not None and known.digest == digest_of(text)
                own[path] = known if known and fits else packed_of(path, text)
                yield number + 1, len(paths)
            if own != kept:
                keep_facts(root, own)
            files |= own
        for path, document in self.documents.items():
            files[path] = packed_of(path, document.text)
        self.index = built(files.items())
        self._snapshot = None

    def is_own(self, path: str) -> bool:
        """Return whether a file is below a folder of the workspace."""
        return any(path.startswith(os.path.join(root, "")) for root in self.roots)

    def is_place(self, path: str) -> bool:
        """Return whether a file may change the places of modules."""
        return os.path.basename(path) in ("environment.conf", "metadata.json", "catgraph.toml") or (
            path not in self.index.files
        )

    def _packed(self, path: str, text: str) -> Packed:
        known = self.index.files.get(path)
        if known is not None and known.digest == digest_of(text):
            return known
        return packed_of(path, text)

    def _know(self, files: dict[str, Packed | None]) -> None:
        self._snapshot = None
        news = {path: one for path, one in files.items() if self.index.files.get(path) is not one}
        if news:
            self.index = self.index.changed(news)


def files_of(root: str) -> Iterator[str]:
    """Yield the files of a folder to index; hidden folders and folders of others are left out."""
    count = 0
    for place, folders, names in os.walk(root):
        folders[:] = sorted(one for one in folders if one[0] != "." and one not in LEFT_OUT)
        for name in sorted(names):
            path = os.path.join(place, name)
            if is_indexed(path):
                count += 1
                if count > MOST_FILES:
                    return
                yield path


# Plans are indexed; the other excluded folders have code of others, often a second copy.
LEFT_OUT = FOREIGN - {"plans"}
