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
from analyzer.lsp.state.document import Document, Place, path_named
from analyzer.lsp.state.pictures import Picture
from analyzer.lsp.state.places import Places
from analyzer.lsp.state.positions import Encoding
from analyzer.lsp.state.snapshot import Snapshot
from analyzer.lsp.state.texts import on_disk

# Files of one workspace folder; one that has more is no control repo.
MOST_FILES = 100_000

# An edit: the range that it replaces, None for everything, and the text in its place.
Change = tuple[tuple[Place, Place] | None, str]


class Workspace:
    """The state of the server; `snapshot` is a picture of it that stays as it is."""

    def __init__(self, roots: Sequence[str] = (), encoding: Encoding = "utf-16") -> None:
        self.roots = tuple(roots)
        self.encoding: Encoding = encoding
        self.documents: dict[str, Document] = {}
        self.index = Index()
        self.options: dict[str, Any] = {}
        self.places = Places(self.roots)
        self.pictures: dict[str, tuple[Picture, ...]] = {}
        self.fixes: dict[str, tuple[Finding, ...]] = {}
        # By path: the line that was asked about or edited last, from 1.
        self.lines: dict[str, int] = {}
        self._snapshot: Snapshot | None = None

    @property
    def snapshot(self) -> Snapshot:
        """Return the picture of this moment."""
        if self._snapshot is None:
            self._snapshot = Snapshot(
                self.index, dict(self.documents), self.roots, self.encoding, self.places,
                dict(self.options), dict(self.pictures), dict(self.fixes),
            )  # fmt: skip
        return self._snapshot

    def path_of(self, uri: str) -> str | None:
        """Return the path that a URI names, None if it is of no file or open text."""
        return path_named(self.documents, uri)

    def put(self, document: Document) -> None:
        """Take a document as it is opened or edited."""
        self.documents[document.path] = document
        # Fixes count characters of the texts as they were.
        self.fixes.clear()
        self._know({document.path: self._packed(document.path, document.text)})

    def edit(self, path: str, version: int, changes: Iterable[Change]) -> None:
        """Apply edits in their order; a document that is not open is left alone."""
        document = self.documents.get(path)
        if document is None:
            return
        for span, text in changes:
            if span is not None:
                self.lines[path] = span[0][0] + 1
            document = document.edited(text, version, span, self.encoding)
        self.put(document)

    def look_at(self, params: Any) -> None:
        """Remember where in a document a request is about."""
        document, place = (getattr(params, name, None) for name in ("text_document", "position"))
        if document is not None and place is not None:
            path = self.path_of(document.uri)
            if path in self.documents:
                self.lines[path] = place.line + 1

    def close(self, path: str) -> None:
        """Forget a document: what is on disk counts again."""
        self.pictures.pop(path, None)
        self.lines.pop(path, None)
        if self.documents.pop(path, None) is not None:
            self.read_again([path])

    def read_again(self, paths: Iterable[str]) -> None:
        """Look at files that changed, came or went on disk; open ones are the editor's."""
        paths = [path for path in paths if path not in self.documents]
        found: dict[str, Packed | None] = {}
        for path in paths:
            there = is_indexed(path) and os.path.isfile(path) and self.is_own(path)
            found[path] = self._packed(path, on_disk(path, self.roots)) if there else None
        if any(self.is_place(path) for path in paths):
            self.places = Places(self.roots)
        self._know(found)

    def set_roots(self, roots: Sequence[str]) -> None:
        """Take other folders; `indexing` has to follow."""
        self.roots = tuple(roots)
        self.places = Places(self.roots)
        self._snapshot = None

    def set_pictures(self, path: str, pictures: Iterable[Picture]) -> None:
        """Take the catalogs that a document is part of, as they were compiled last."""
        self.pictures[path] = tuple(pictures)
        self._snapshot = None

    def set_fixes(self, path: str, findings: Iterable[Finding]) -> None:
        """Take the findings in a document that have fixes, of the texts as they are."""
        self.fixes[path] = tuple(findings)
        self._snapshot = None

    def set_options(self, options: dict[str, Any]) -> None:
        """Take what the client configures."""
        self.options = options
        self._snapshot = None

    def indexing(self) -> Iterator[tuple[int, int]]:
        """Index all folders in small steps; yield how many files are done, and of how many.

        Facts that are kept on disk are taken for the files whose text they are of.
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
        """Return whether a file may change where modules are."""
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
    """Yield the files of a folder that may be indexed; hidden and foreign folders are left out."""
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


# Plans are indexed; the rest of the foreign folders holds code of others, often twice.
LEFT_OUT = FOREIGN - {"plans"}
