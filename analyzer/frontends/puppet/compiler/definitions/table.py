"""The definitions a compile can find: of its manifests, and of modules when asked for."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any

from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet.compiler.definitions.definition import (
    Definition,
    refuse_built_in,
    unreadable,
)
from analyzer.frontends.puppet.compiler.definitions.files import (
    NOWHERE,
    checked,
    definitions_for,
    definitions_in,
    is_there,
    module_folders,
)
from analyzer.frontends.puppet.compiler.definitions.missing import MissingModules
from analyzer.frontends.puppet.compiler.definitions.module_functions import RubyFunctions
from analyzer.frontends.puppet.compiler.definitions.native import OWN, WITH_PACKAGE
from analyzer.frontends.puppet.compiler.definitions.node_blocks import NodeNames
from analyzer.frontends.puppet.evaluate.errors import EvaluationError, Unit
from analyzer.frontends.puppet.evaluate.listening import Watch
from analyzer.frontends.puppet.ruby_types import RubyType, RubyTypes
from analyzer.frontends.puppet.ruby_types.generated import generated_files, read_generated
from analyzer.frontends.puppet.syntax import ast as a
from analyzer.frontends.puppet.syntax.cache import Cache, user_cache
from analyzer.frontends.puppet.syntax.diagnostic import ParseError
from analyzer.frontends.puppet.syntax.recovery import recovered
from analyzer.frontends.puppet.syntax.validate.walk import Strictness
from analyzer.reach import may_read
from analyzer.reading import read_text
from analyzer.source import Span

# The folder of a module for each kind of definition.
FOLDERS = {"class": "manifests", "define": "manifests", "function": "functions", "type": "types"}

# What a folder must be called to be a module (puppet/module.rb): no name leads elsewhere.
MODULE_NAME = re.compile("[a-z][a-z0-9_]*")


class DefinitionTable:
    """Definitions by kind and name; modules are folders that are searched in order.

    `store` keeps the trees of their files; `overlay` are texts that count instead of theirs,
    `placed` the folders of modules that are not called as their modules are. `environment` is the
    folder in which there may be types that were generated. `watch` hears of the choices that code
    takes. `declaring` are the folders whose files declare modules that may be missing.
    """

    def __init__(
        self,
        modulepath: Sequence[str] = (),
        strict: Strictness = "error",
        overlay: Mapping[str, str] | None = None,
        placed: Mapping[str, str] | None = None,
        environment: str | None = None,
        watch: Watch | None = None,
        declaring: Sequence[str] = (),
    ) -> None:
        self.modulepath, self.watch, self.strict = modulepath, watch, strict
        self.overlay, self.placed = overlay or {}, placed or {}
        self.store = user_cache()
        self.found: dict[tuple[str, str], Definition] = {}
        self.nodes: list[Definition] = []
        # The node blocks in order, once a node was looked up.
        self.blocks: object = None
        self.mappings: list[tuple[a.TypeMapping, Unit]] = []
        self._by_file: dict[str, list[Definition]] = {}
        self.programs: list[tuple[a.Program, Unit]] = []
        self._looked: set[str] = set()
        self._unreadable: dict[str, ParseError] = {}
        # The errors of manifests of the environment, which each compile reports.
        self.unparsed: list[EvaluationError | ParseError] = []
        # The errors of node blocks whose names are taken; the first block of a name stays.
        self.redefined: list[EvaluationError] = []
        self._node_names = NodeNames()
        # The errors of files that this compile has reported: it goes on without these files.
        self.accepted: set[ParseError] = set()
        self.on_define: Callable[[Definition], None] = ignore
        # The files reported to this compile, and the names it searched files for.
        self._told: set[str] = set()
        self._sought: set[tuple[str, str]] = set()
        # The folders of modules that this compile asked for.
        self._modules: dict[str, str | None] = {}
        libraries = [os.path.join(folder, "lib") for folder in self.placed.values()]
        self.ruby_types = RubyTypes(modulepath, libraries)
        self.generated = generated_files(environment)
        self.missing = MissingModules(declaring, self.module)
        self._ruby_types: dict[str, RubyType | None] = {}
        folders = partial(module_folders, self.placed, modulepath)
        self.ruby_functions = RubyFunctions(folders, self.module)
        # What names of functions mean, as `origins` found it.
        self.origins: dict[str, Any] = {}
        # What other environments define, by name, for the nodes that a classifier puts there.
        self.others: dict[str, tuple[Any, DefinitionTable]] = {}
        # The data of Hiera that were parsed for any node.
        self.data: dict[Any, Any] = {}
        # The keys of parameters that files of data mention, once they are asked for.
        self.keys_in_data: tuple[frozenset[str], Mapping[str, str]] | None = None

    def share(self, other: DefinitionTable) -> None:
        """Take over what a table of the same code has read of Ruby files and of data."""
        self.ruby_types, self.ruby_functions = other.ruby_types, other.ruby_functions
        self.data = other.data

    def add_program(self, text: str, file: str, store: Cache = NOWHERE) -> None:
        """Take in a manifest: its definitions, and its statements for the main class.

        Raises:
            ParseError: it is no Puppet program.
        """
        unit = Unit(text, file, self.watch)
        program = checked(text, file, store, strict=self.strict)
        self.programs.append((program, unit))
        self._take(program, unit, definitions_in(program, unit, "", self.strict))

    def take_refused(self, error: ParseError, module: str = "") -> None:
        """Take in the clear code of a file that Puppet refuses; that of a module only once."""
        program, file = error.tree, error.diagnostic.file
        if program is None and file not in self._by_file:
            program = recovered(error.text, file, self.strict)
        if program is not None and file not in self._by_file:
            unit = Unit(error.text, file, self.watch)
            self.programs += [] if module else [(program, unit)]
            with suppress(EvaluationError):
                self._take(program, unit, definitions_in(program, unit, module, self.strict))

    @contextmanager
    def evaluating_only(self, text: str) -> Iterator[None]:
        """Take in a text in place of the statements and node blocks of the manifests.

        Their definitions stay. Statements and blocks are back after the context.
        """
        before = self.nodes, self.redefined, self.blocks, self.programs
        self.nodes, self.redefined, self.blocks = [], [], None
        nothing = a.Nop(0, 0)
        rest = [(p._replace(body=nothing), unit) for p, unit in self.programs]
        self.programs = []
        try:
            self.add_program(text, "")
            self.programs += rest
            yield
        finally:
            self.nodes, self.redefined, self.blocks, self.programs = before

    def _take(self, program: a.Program, unit: Unit, found: Sequence[Definition]) -> None:
        mappings = (node for node in program.definitions if type(node) is a.TypeMapping)
        self.mappings += [(node, unit) for node in mappings]
        marked = self.strict == "error"
        self.redefined += self._node_names.redefined(program, unit, marked=marked)
        for definition in found:
            if definition.kind == "node":
                self._node_names.name_again(definition)
                self.nodes.append(definition)
            else:
                self._define_once(definition)

    def _define_once(self, definition: Definition) -> None:
        key = (definition.kind, definition.name)
        known = self.found.get(key)
        if known is not None and definition.kind != "class":
            raise EvaluationError(
                f"{definition.kind} '{definition.name}' is already defined",
                definition.unit,
                definition.node,
            )
        if definition.kind == "type":
            refuse_built_in(definition)
        self.found.setdefault(key, definition)
        if definition.kind in ("class", "define"):
            self._by_file.setdefault(definition.unit.file, []).append(definition)

    def end(self) -> None:
        """End a compile: the table keeps nothing of it, in the frames of its errors neither."""
        self.on_define = ignore
        for error in (*self._unreadable.values(), *self.unparsed, *self.redefined):
            error.__traceback__ = error.__context__ = error.__cause__ = None
        for _, other in self.others.values():
            other.end()

    def begin(self, on_define: Callable[[Definition], None]) -> None:
        """Begin a compile: `on_define` gets each class and define when its file is first used.

        Several compiles may use the table, one after the other.
        """
        self.on_define = on_define
        self._told.clear()
        self._sought.clear()
        self._modules.clear()
        self.missing.refused.clear()
        self.accepted.clear()
        for _, unit in self.programs:
            self._tell(unit.file)

    def forget(self, files: Collection[str], overlay: Mapping[str, str]) -> None:
        """Forget what files of modules hold: they are read again, with other texts.

        `files` are real paths.
        """
        gone = {file for file in self._looked if os.path.realpath(file) in files}
        self.found = {key: d for key, d in self.found.items() if d.unit.file not in gone}
        self.mappings = [one for one in self.mappings if one[1].file not in gone]
        self._looked -= gone
        self._modules.clear()
        for file in gone:
            self._by_file.pop(file, None)
            self._unreadable.pop(file, None)
        self.overlay = overlay
        if not all(file.endswith(".pp") for file in files):
            self.keys_in_data = None
        self.origins.clear()
        self.others.clear()

    def _tell(self, file: str) -> None:
        if file not in self._told:
            self._told.add(file)
            for definition in self._by_file.get(file, ()):
                self.on_define(definition)

    def find(self, kind: str, name: str) -> Definition | None:
        """Return a definition, loading the file of a module that should hold it."""
        name = name.lower().removeprefix("::")
        found = self.found.get((kind, name))
        if (kind, name) not in self._sought and (found is None or found.module):
            for path in self._files(kind, name):
                if self._unreadable.get(path) not in self.accepted:
                    self._load(path, name.partition("::")[0])
                    self._tell(path)
            self._sought.add((kind, name))
            found = self.found.get((kind, name))
        if found is None and kind in ("class", "define"):
            found = self.missing.definition(kind, name)
        return found

    def find_class_or_define(self, name: str) -> Definition | None:
        """Return a class or a defined type.

        Modules, whose file may define a type of the manifests again, are not asked for a class.
        """
        key = name.lower().removeprefix("::")
        own = self.found.get(("define", key))
        if own is not None and not own.module:
            return self.found.get(("class", key), own)
        return self.find("class", key) or self.find("define", key)

    @property
    def unparsed_files(self) -> frozenset[str]:
        """The manifests of the environment that are no Puppet program."""
        errors = (one for one in self.unparsed if isinstance(one, ParseError))
        return frozenset(one.diagnostic.file for one in errors)

    def may_be_unparsed(self, kind: str, name: str) -> bool:
        """Return whether a file that may hold a definition has an error that is reported."""
        errors = map(self._unreadable.get, self._files(kind, name))
        return bool(self.unparsed) or any(one in self.accepted for one in errors)

    def missing_type(self, name: str) -> str:
        """Return why a type of resources is not known, empty if it is or if nothing brings it."""
        if self.has_ruby_type(name) or self.find("define", name) is not None:
            return ""
        return self.missing.reason("resource type", name)

    def _files(self, kind: str, name: str) -> Iterator[str]:
        module, _, rest = name.partition("::")
        parts = rest.split("::") if rest else ["init"]
        base = self.module(module)
        if base is None:
            return
        place = os.path.normpath(os.path.join(base, FOLDERS[kind]))
        if kind in ("class", "define"):
            yield os.path.join(place, "init.pp")
            for depth in range(1, len(parts) + 1):
                yield os.path.join(place, *parts[:depth]) + ".pp"
        else:
            yield os.path.join(place, *parts) + ".pp"

    def module(self, name: str) -> str | None:
        """Return the folder of a module, None if there is none."""
        if name in self.placed:
            return self.placed[name]
        if name not in self._modules:
            valid = MODULE_NAME.fullmatch(name) is not None
            folders = (os.path.join(folder, name) for folder in self.modulepath if valid)
            self._modules[name] = next(filter(is_there, folders), None)
        return self._modules[name]

    def has_ruby_type(self, name: str, certainly: bool = False) -> bool:
        """Return whether a type exists; what only a package of Puppet brings is not `certain`."""
        name = name.lower()
        if name in OWN or name in self.generated:
            return True
        if ":" not in name and name in self.ruby_types.files:
            return True
        return name in WITH_PACKAGE and not certainly

    def ruby_type(self, name: str) -> RubyType | None:
        """Return a type of resources that is Puppet's own or that a module has in Ruby.

        Raises:
            EvaluationError, ParseError: the environment has a file for it, of another content.
        """
        try:
            return self._ruby_types[name]
        except KeyError:
            found = self._find_ruby_type(name.lower())
            return self._ruby_types.setdefault(name, found)

    def _find_ruby_type(self, name: str) -> RubyType | None:
        if ":" in name or name in ("class", "node"):
            return None
        if name in self.generated and name not in OWN:
            return self._read_generated(name, self.generated[name])
        return OWN.get(name) or self.ruby_types.find(name) or WITH_PACKAGE.get(name)

    def _read_generated(self, name: str, path: str) -> RubyType:
        try:
            text = self.read(path)
        except (OSError, UnicodeDecodeError) as error:
            raise EvaluationError(f"{path}: {unreadable(error)}") from None
        found = read_generated(name, path, checked(text, path, self.store, strict=self.strict))
        # How it is applied, only the Ruby tells.
        ruby = self.ruby_types.find(name)
        if ruby is not None:
            found = replace(found, refreshable=ruby.refreshable, self_refresh=ruby.self_refresh)
        self.ruby_types.read[name] = found
        return found

    def may_have(self, type: RubyType, attribute: str) -> bool:
        """Return whether a type may have an attribute that it does not declare.

        In Ruby that is `name`, and what other files declare for it.
        """
        if type.name in self.generated:
            return False
        return attribute == "name" or self.ruby_types.declares_elsewhere(type.name, attribute)

    @property
    def files(self) -> frozenset[str]:
        """The manifests that the last compile used."""
        own = {unit.file for _, unit in self.programs} | (self._told & self._looked)
        return frozenset(own).union(*(other.files for _, other in self.others.values()))

    @property
    def read_by_last(self) -> frozenset[str]:
        """The manifests that the last compile used or found names in, read for it or before."""
        known = self._sought & self.found.keys()
        return self.files.union(self.found[key].unit.file for key in known)

    @property
    def sought(self) -> frozenset[str]:
        """The manifests that the last compile used or looked for, whether they exist or not."""
        return self.read_by_last.union(*(self._files(*key) for key in self._sought))

    def read(self, path: str) -> str:
        """Return the text of a manifest.

        Raises:
            OSError: it cannot be read.
            UnicodeDecodeError: it is not UTF-8.
        """
        if path in self.overlay:
            return self.overlay[path]
        return read_text(path, newline="")

    def _load(self, path: str, module: str) -> None:
        if path in self._unreadable:
            raise self._unreadable[path]
        if path in self._looked:
            return
        self._looked.add(path)
        if path in self.overlay or not may_read(path) or os.path.exists(path):
            try:
                text = self.read(path)
            except (OSError, UnicodeDecodeError) as error:
                self._looked.discard(path)
                raise CompileError(unreadable(error), Span(path), "unreadable") from None
            elsewhere = module in self.placed
            above = [os.path.dirname(self.placed[module])] if elsewhere else self.modulepath
            file = text, path, self.store, module, self.strict, elsewhere, tuple(above)
            try:
                found = definitions_for(self.watch, *file)
            except ParseError as error:
                self._unreadable[path] = error
                raise
            self._take(*found)


def ignore(definition: Definition) -> None:
    """Do nothing with a definition: no compile is under way."""
