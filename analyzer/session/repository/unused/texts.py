"""The texts of a repository: its code, its data, and what a node begins with."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from analyzer.compiles.codebases import is_site
from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.compiler.definitions.definition import unreadable
from analyzer.frontends.puppet.compiler.definitions.table import MODULE_NAME
from analyzer.frontends.puppet.node.environment import Environment, Settings
from analyzer.frontends.puppet.node.modules import Module, modules_at
from analyzer.frontends.puppet.node.names import DATA_FOLDERS, levels
from analyzer.frontends.puppet.node.unloaded import is_in_no_catalog
from analyzer.linter.vendored import Vendored
from analyzer.reach import RealPaths, may_read, within
from analyzer.reading import read_text
from analyzer.session.repository.modules import environment_at, inventory_of
from analyzer.session.repository.unused.items import (
    CodeFile,
    Item,
    code_file,
    files_in,
    keys_of,
    ruby_function,
    without_keys,
)
from analyzer.session.repository.unused.names import NamesInTexts, names_in
from analyzer.source import Span

# What is no part of the code that nodes get: tests, and what is about the repository.
ASIDE = frozenset({
    ".git", ".github", ".vendor", "bin", "ci", "doc", "docs", "examples", "fixtures", "images",
    "node_modules", "pkg", "spec", "test", "tests", "vendor",
})  # fmt: skip
YAML = (".yaml", ".yml", ".eyaml")
# Scripts, such as a classifier's, may name classes and look up keys.
SCRIPTS = (".rb", ".py", ".sh", ".erb", ".epp", ".conf", ".toml")
ROLE = re.compile(r"roles?(::.*)?")
# Files that are longer are no code.
MOST_BYTES = 2_000_000


@dataclass(slots=True)
class RepositoryTexts:
    """The parts of a repository, and the texts in which they may be named.

    `roots` are the names of data and of what is in use in any case, `entries` the definitions that
    others may name, `modules` the names of those that are here. `open_entries`: nothing in the
    code says which classes nodes have.
    """

    items: list[Item] = field(default_factory=list)
    code: list[CodeFile] = field(default_factory=list)
    roots: list[NamesInTexts] = field(default_factory=list)
    entries: frozenset[str] = frozenset()
    modules: frozenset[str] = frozenset()
    open_entries: str = ""
    errors: tuple[InputError, ...] = ()


class RepositoryReader:
    """Reads a repository."""

    def __init__(self, path: str, settings: Settings) -> None:
        self.path = path
        self.settings = settings
        self.found = RepositoryTexts()
        self.others = Vendored([path], RealPaths())

    def read_modules(self, modules: Sequence[Module]) -> RepositoryTexts:
        """Return the parts of modules without a site: others may use their definitions."""
        self.found.modules = frozenset(one.name for one in modules)
        for one in modules:
            self.read_module(one.name, one.folder, own=True)
        kinds = ("class", "define", "function")
        self.found.entries = frozenset(i.name for i in self.found.items if i.kind in kinds)
        self.found.open_entries = "there is no site: any definition of a module may be used"
        return self.found

    def read_site(self, environment: Environment) -> RepositoryTexts:
        """Return the parts of a site and of its modules."""
        inventory = inventory_of(self.path, self.settings)
        self.found.errors = inventory.errors
        self.found.modules = frozenset(inventory.installed)
        for name, folder in sorted(inventory.installed.items()):
            # Code of others may use what is ours, and is used by it.
            own = name not in inventory.declarations.modules
            own = (
                own
                and is_name(name)
                and not self.others.module_of(os.path.join(folder, "manifests", "init.pp"))
            )
            self.read_module(name, folder, own=own)
        folder = environment.folder or self.path
        inside = [os.path.realpath(one) for one in inventory.installed.values()]
        self.read_data(folder, own=True)
        # Wherever in the repository the manifests of the site are.
        self.read_rest(self.path, environment, inside)
        self.choose_entries()
        return self.found

    def read_module(self, name: str, folder: str, *, own: bool) -> None:
        """Read the code of a module, and what it has if it is the repository's own."""
        for file in files_below(folder):
            inside = os.path.relpath(file, folder).replace(os.sep, "/")
            first = inside.partition("/")[0]
            if first in ("manifests", "functions", "types", "plans") and file.endswith(".pp"):
                self.add(code_file(file, name, self.text(file)), own=own)
            elif first == "lib" and file.endswith(".rb"):
                self.add(ruby_function(file, folder, name, self.text(file)), own=own)
            elif first == "templates":
                item = next(files_in(os.path.join(folder, first), "template", name, [file]), None)
                self.found.items += [item] if own and item is not None else []
                self.found.roots.append(names_in(self.text(file), file, name))
            elif first == "files" and own:
                self.found.items += files_in(os.path.join(folder, first), "file", name, [file])
            elif first != "files" and file.endswith((*YAML, ".json", *SCRIPTS)):
                self.found.roots.append(names_in(without_keys(self.text(file)), file, name))

    def add(self, one: CodeFile, *, own: bool) -> None:
        """Add a file of code, with its definitions if it is the repository's own."""
        self.found.code.append(one)
        self.found.items += one.items if own else ()

    def read_data(self, folder: str, *, own: bool) -> None:
        """Read the keys of the data of an environment."""
        places = {os.path.normpath(os.path.join(folder, name)) for name in DATA_FOLDERS}
        places |= {os.path.normpath(place) for place, _ in levels(folder, None)}
        first: dict[str, None] = {}
        for place in sorted(filter(os.path.isdir, places)):
            first.update(dict.fromkeys(one for one in files_below(place) if is_data(one)))
        for file in first:
            self.found.items += keys_of(file, self.text(file))

    def read_rest(self, folder: str, environment: Environment, modules: list[str]) -> None:
        """Read what is outside of the modules: manifests, data, and what may name classes."""
        below = tuple(os.path.join(one, "") for one in modules)
        manifests = set(map(os.path.realpath, environment.manifests))
        for file in dict.fromkeys(
            map(os.path.normpath, [*environment.manifests, *files_below(folder)])
        ):
            real = os.path.realpath(file)
            if real.startswith(below) or is_about(os.path.relpath(file, folder)):
                continue
            text = self.text(file)
            if file.endswith(".pp"):
                one = code_file(file, "", text)
                self.add(one, own=real in manifests)
                if len(one.items) < 1 or real in manifests:
                    self.found.roots.append(names_in(one.text, file))
            elif file.endswith((*YAML, ".json")):
                self.found.roots.append(names_in(without_keys(text), file))
            elif file.endswith(SCRIPTS) or "." not in os.path.basename(file):
                self.found.roots.append(names_in(text, file))

    def choose_entries(self) -> None:
        """Choose the definitions that are in use without a name in code: those that others name."""
        own = {item.name for item in self.found.items if item.kind in ("class", "define")}
        named = set().union(*(names.words for names in self.found.roots))
        roles = {name for name in own if ROLE.fullmatch(name)}
        # Roles are for nodes: where nothing names one, a classifier does.
        if own & named and not (roles and roles.isdisjoint(named)):
            return
        self.found.entries = frozenset(roles or own)
        kind = "role" if roles else "class"
        self.found.open_entries = f"no node block or data name a {kind}: any {kind} may be used"

    def text(self, file: str) -> str:
        """Return the text of a file, empty if it is none or too long."""
        try:
            if not may_read(file) or os.path.getsize(file) > MOST_BYTES:
                return ""
            return read_text(file, "replace")
        except OSError as error:
            self.found.errors += (InputError(unreadable(error), Span(file), "unreadable"),)
            return ""


def read_repository(path: str, settings: Settings) -> RepositoryTexts:
    """Return the parts of a repository, or of modules, and its texts.

    Raises:
        InputError: it cannot be read.
    """
    reader = RepositoryReader(path, settings)
    modules = [] if not os.path.isdir(path) or is_site(path) else modules_at(path)
    if modules:
        with within(settings.roots(path)):
            return reader.read_modules(modules)
    environment = environment_at(path, settings)
    with within(environment.roots):
        return reader.read_site(environment)


def is_data(file: str) -> bool:
    """Return whether a file is data of Hiera."""
    return file.endswith(YAML) and os.path.basename(file) != "hiera.yaml"


def is_name(module: str) -> bool:
    """Return whether a folder has the name of a module: no code can name what is in others."""
    return MODULE_NAME.fullmatch(module) is not None


def files_below(folder: str) -> Iterator[str]:
    """Yield the files below a folder in order of their names, without tests and what is hidden."""
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(one for one in folders if one not in ASIDE and one[:1] != ".")
        yield from (os.path.join(place, one) for one in sorted(files) if one[:1] != ".")


def is_about(inside: str) -> bool:
    """Return whether a file is about a repository: its tests, its documents, its tools."""
    return is_in_no_catalog(inside, []) or os.path.basename(inside) in ("Puppetfile", "Rakefile")
