"""A snapshot of the workspace at one moment: the only input of a feature."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from lsprotocol import types

from analyzer.diagnostics import Finding
from analyzer.frontends.puppet.syntax.checked_file import Checked
from analyzer.frontends.puppet.syntax.lexing.tokens import Token
from analyzer.lsp.index.facts import FileFacts, IndexedSymbol, IndexedUse, uses_of
from analyzer.lsp.index.workspace_index import Index
from analyzer.lsp.state.document import OpenDocument, path_named
from analyzer.lsp.state.paths import uri_of
from analyzer.lsp.state.pictures import CatalogPicture
from analyzer.lsp.state.places import EnvironmentsOfFolders
from analyzer.lsp.state.positions import Encoding, offset_of, position_of
from analyzer.lsp.state.texts import checked, is_readable, on_disk, tokens
from analyzer.lsp.state.traced import TracedNode

# The kinds of symbols that a use of a kind may refer to, the likeliest first.
MEANS: dict[str, tuple[str, ...]] = {
    "class": ("class",),
    "inherits": ("class",),
    "function": ("function", "ruby function"),
    "type": ("define", "type", "ruby type"),
    "resource": ("resource",),
    "key": ("key",),
    "plan": ("plan",),
    "bundle": ("bundle",),
    "body": ("body",),
    "handle": ("handle",),
    "policy class": ("policy class",),
}

# The folder of functions of the current API in a module.
MODERN = "/lib/puppet/functions/"

# Variables that Puppet sets in a class or define: they refer to its name.
OF_THE_SCOPE = ("name", "title")


class RequestRefused(Exception):
    """A request that cannot be carried out; the message has the reason, and what to do."""


class RequestCancelled(Exception):
    """Raised in the work on a request that was cancelled."""


def never() -> bool:
    """Return False: the request is never cancelled."""
    return False


def unheard(message: str) -> None:
    """Discard a message."""


def in_place(function: Callable[..., Any], *given: Any) -> Any:
    """Return the result of a function, called in this process."""
    return function(*given)


class FoundSymbol(NamedTuple):
    """A symbol and its file."""

    path: str
    symbol: IndexedSymbol


class EditorRequest(NamedTuple):
    """A request: the file, its offsets, and the protocol's own parameters.

    `start` and `end` are equal for a position. Without a position or range, they span the text.
    """

    path: str
    text: str
    facts: FileFacts
    start: int
    end: int
    params: Any


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The open documents and the index; nothing here changes, and nothing is evaluated.

    `roots` are the folders of the workspace, `options` the client's configuration. `pictures` are
    the last compiled catalogs of an open file, so their lines may be those of an older text;
    `traced` are those that were traced, with how many there are in all.
    `fixes` are the findings whose fixes were tested. `stopped` returns whether the request was
    cancelled. `apart` calls a slow function, in a separate process if there is one; `tell` writes
    to the editor's log.
    """

    index: Index = field(default_factory=Index)
    documents: Mapping[str, OpenDocument] = field(default_factory=dict)
    roots: tuple[str, ...] = ()
    encoding: Encoding = "utf-16"
    places: EnvironmentsOfFolders = field(default_factory=EnvironmentsOfFolders)
    options: Mapping[str, Any] = field(default_factory=dict)
    pictures: Mapping[str, tuple[CatalogPicture, ...]] = field(default_factory=dict)
    fixes: Mapping[str, tuple[Finding, ...]] = field(default_factory=dict)
    traced: Mapping[str, tuple[tuple[TracedNode, ...], int]] = field(default_factory=dict)
    stopped: Callable[[], bool] = never
    apart: Callable[..., Any] = in_place
    tell: Callable[[str], object] = unheard

    def text(self, path: str) -> str:
        """Return a text from the editor, else from disk; empty if it cannot be read."""
        document = self.documents.get(path)
        return on_disk(path, self.roots) if document is None else document.text

    def facts(self, path: str) -> FileFacts:
        """Return the declarations and uses of a file.

        Raises:
            Stopped: the request was cancelled.
        """
        self.go_on()
        return self.index.facts(path)

    def uses(self, path: str, kind: str, name: str) -> Iterator[IndexedUse]:
        """Yield the uses of a name in a file, if other files may declare it.

        Raises:
            Stopped: the request was cancelled.
        """
        self.go_on()
        packed = self.index.files.get(path)
        if packed is not None:
            yield from uses_of(packed, kind, name)

    def go_on(self) -> None:
        """Check that the request was not cancelled.

        Raises:
            Stopped: the request was cancelled.
        """
        if self.stopped():
            raise RequestCancelled

    def checked(self, path: str) -> Checked:
        """Return the tree of a manifest (None if it is half-written) and its problems."""
        return checked(self.text(path), path, self.places.autoloaded(path))

    def tokens(self, path: str) -> list[Token]:
        """Return the tokens of a manifest, which may be half-written."""
        return tokens(self.text(path), path)

    def uri(self, path: str) -> str:
        """Return the URI of a file."""
        document = self.documents.get(path)
        return uri_of(path) if document is None else document.uri

    def position(self, path: str, offset: int) -> types.Position:
        """Return the editor's position of an offset."""
        return types.Position(*position_of(self.text(path), offset, self.encoding))

    def offset(self, path: str, position: types.Position) -> int:
        """Return the offset of a position."""
        text = self.text(path)
        return offset_of(text, position.line, position.character, self.encoding)

    def range(self, path: str, start: int, end: int) -> types.Range:
        """Return the editor's range of two offsets."""
        return types.Range(self.position(path, start), self.position(path, end))

    def location(self, found: FoundSymbol) -> types.Location:
        """Return the location of the name of a symbol."""
        symbol = found.symbol
        return types.Location(
            self.uri(found.path), self.range(found.path, symbol.start, symbol.end)
        )

    def asked(self, params: Any) -> EditorRequest:
        """Return a request with offsets.

        Raises:
            Refused: its file is neither open nor in a folder of the workspace.
        """
        document = getattr(params, "text_document", None)
        path = self.path_of(document.uri) if document is not None else ""
        text = self.text(path) if path else ""
        start, end = 0, len(text)
        if getattr(params, "position", None) is not None:
            start = end = self.offset(path, params.position)
        elif getattr(params, "range", None) is not None:
            start = self.offset(path, params.range.start)
            end = self.offset(path, params.range.end)
        return EditorRequest(path, text, self.facts(path), start, end, params)

    def path_of(self, uri: str) -> str:
        """Return the path of a file that is open or in a folder of the workspace.

        Raises:
            Refused: the file is neither.
        """
        path = path_named(self.documents, uri)
        known = path is not None and (path in self.documents or path in self.index.files)
        if path is None or not (known or is_readable(path, self.roots)):
            raise RequestRefused(
                f"{uri} is not open, and no file of the folders that the editor has open"
            )
        return path

    def find(self, kind: str, name: str, path: str) -> list[FoundSymbol]:
        """Return the declarations that a use of a kind refers to, as seen from a file.

        Of several with one name, prefer those in the modules of the file's environment; of
        resources, those in the file itself.
        """
        for meant in MEANS.get(kind, (kind,)):
            paths = self.index.declared.get((meant, name), ())
            if kind == "resource" and path in paths:
                paths = (path,)
            if len(paths) > 1:
                paths = tuple(self._nearest(paths, name, path))
            if meant == "ruby function":
                # Puppet searches functions of the old API last.
                paths = tuple(one for one in paths if MODERN in one) or paths
            found = [found for one in paths for found in self.declared(one, meant, name)]
            if found:
                return found
        return []

    def declared(self, path: str, kind: str, name: str) -> Iterator[FoundSymbol]:
        """Yield the declarations of a name in one file."""
        for symbol in self.facts(path).symbols:
            if symbol.kind == kind and symbol.name == name:
                yield FoundSymbol(path, symbol)

    def _nearest(self, paths: tuple[str, ...], name: str, path: str) -> list[str]:
        folder = self.places.module(name.partition("::")[0], path)
        if folder is not None:
            inside = [one for one in paths if one.startswith(os.path.join(folder, ""))]
            if inside:
                return inside
        environment = self.places.environment_folder(path)
        if environment is not None:
            around = os.path.join(environment, "")
            return [one for one in paths if one.startswith(around)] or [*paths]
        return [*paths]

    def meaning(self, path: str, use: IndexedUse) -> list[FoundSymbol]:
        """Return the declarations that a use refers to, in this or other files."""
        if use.kind == "variable":
            return self.variable(path, use)
        if use.kind == "attribute":
            return self.attribute(path, use)
        if use.kind == "policy variable":
            return self.policy_variable(path, use)
        if use.kind in ("template", "epp", "file"):
            there = self.places.file(use.kind, use.name, path)
            return (
                []
                if there is None
                else [FoundSymbol(there, IndexedSymbol("file", use.name, 0, 0, 0, 0))]
            )
        if use.kind == "function" and is_of_puppet(use.name):
            return []
        return self.find(use.kind, use.name, path)

    def attribute(self, path: str, use: IndexedUse) -> list[FoundSymbol]:
        """Return the parameter that an attribute of a define or class sets."""
        owner, _, name = use.name.rpartition("/")
        kind, _, title = owner.rpartition(" ")
        owners = self.find("class", title, path) if kind else self.find("define", owner, path)
        return [found for one in owners for found in self.members(one, name, ("parameter",))]

    def policy_variable(self, path: str, use: IndexedUse) -> list[FoundSymbol]:
        """Return the declarations of a policy's variable, in its bundle or in the named one."""
        kinds = ("policy variable", "policy parameter")
        bundle, _, name = use.name.rpartition(":")[2].rpartition(".")
        if bundle not in ("", "this"):
            owners = self.find("bundle", bundle, path)
            return [found for one in owners for found in self.members(one, name, kinds)]
        within = use.within
        own = self.facts(path).symbols[within : within + 1] if within >= 0 else ()
        return [found for one in own for found in self.members(FoundSymbol(path, one), name, kinds)]

    def members(
        self, owner: FoundSymbol, name: str, kinds: tuple[str, ...]
    ) -> Iterator[FoundSymbol]:
        """Yield the parameters or variables of a name that a class or define has."""
        symbols = self.facts(owner.path).symbols
        number = symbols.index(owner.symbol)
        for symbol in symbols:
            if symbol.within == number and symbol.name == name and symbol.kind in kinds:
                yield FoundSymbol(owner.path, symbol)

    def variable(self, path: str, use: IndexedUse) -> list[FoundSymbol]:
        """Return the declarations of a variable: in enclosing scopes, inherited, or at top scope.

        `$mod::x` is a variable of the class `mod`.
        """
        kinds = ("parameter", "variable")
        scope, _, name = use.name.rpartition("::")
        if scope:
            classes = self.find("class", scope.lower(), path)
            return [found for one in classes for found in self.members(one, name, kinds)]
        facts = self.facts(path)
        around = [*facts.outwards(use.within), -1]
        for number in around:
            found = [
                FoundSymbol(path, symbol)
                for symbol in facts.symbols
                if symbol.within == number and symbol.name == name and symbol.kind in kinds
            ]
            if found:
                return found
            if number >= 0 and facts.symbols[number].kind == "class":
                found = self._inherited(path, number, name)
                if found:
                    return found
        if name in OF_THE_SCOPE:
            owners = [facts.symbols[number] for number in around[:-1]]
            return [FoundSymbol(path, one) for one in owners if one.kind in ("class", "define")][:1]
        return self.of_top_scope(name, path)

    def of_top_scope(self, name: str, path: str) -> list[FoundSymbol]:
        """Return the variables of a name outside all definitions, in the site's manifests.

        If the site of the file has none, return those of all files.
        """
        paths = self.index.declared.get(("variable", name), ())
        folder = self.places.environment_folder(path) if paths else None
        below = os.path.join(folder or "", "manifests", "")
        site = [one for one in paths if one.startswith(below)]
        return [
            found
            for path in site or paths
            for found in self.declared(path, "variable", name)
            if found.symbol.within < 0
        ]

    def _inherited(self, path: str, number: int, name: str) -> list[FoundSymbol]:
        seen: set[str] = set()
        while True:
            parent = parent_of(self.facts(path), number)
            if parent is None or parent in seen:
                return []
            seen.add(parent)
            classes = self.find("class", parent, path)
            for one in classes:
                found = [*self.members(one, name, ("parameter", "variable"))]
                if found:
                    return found
            if not classes:
                return []
            path = classes[0].path
            number = self.facts(path).symbols.index(classes[0].symbol)


def is_of_puppet(function: str) -> bool:
    """Return whether a function is Puppet's own, which hides one of a module's Ruby code."""
    from analyzer.frontends.puppet.functions.families import FAMILIES, OF_OPENSTACKLIB

    return function in FAMILIES and function not in OF_OPENSTACKLIB


def parent_of(facts: FileFacts, number: int) -> str | None:
    """Return the class that a class inherits from."""
    uses = (use for use in facts.uses if use.kind == "inherits" and use.within == number)
    return next((use.name for use in uses), None)
