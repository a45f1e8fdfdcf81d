"""Compiles the inputs of a lint: a site for its nodes, a module class by class."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from analyzer.diagnostics import InputError
from analyzer.escape import shown
from analyzer.frontends.puppet.node.contents import NOTHING
from analyzer.frontends.puppet.node.loose import alternatives_in
from analyzer.frontends.puppet.node.modules import has_only_examples
from analyzer.linter.checked import CheckedCatalog
from analyzer.linter.failures import Failure
from analyzer.linter.input_files import programs_in
from analyzer.linter.puppet.compiles import Program, compiled_of
from analyzer.linter.puppet.site_texts import look_again
from analyzer.linter.puppet.subjects import Compiled, Refusal
from analyzer.linter.texts import Texts
from analyzer.session.lint.inputs import has_only_policies, is_document
from analyzer.session.lint.missing_modules import replace_missing
from analyzer.session.lint.request import Request
from analyzer.session.locating import locate
from analyzer.source import Span

# A file that stands for the manifests of a module.
MANIFEST = os.path.join("manifests", "init.pp")

# The statement about a module without classes, of which no code is compiled.
NO_CLASS = "no class to compile; defines and functions are compiled where a site uses them"

Run = Compiled | CheckedCatalog | Refusal | Failure


class Compiles:
    """The compiles of the inputs of a request.

    `vendored` returns whether a file is in a module of others, which is not compiled. `programs`
    are those of an earlier check, to use again.
    """

    def __init__(
        self,
        request: Request,
        texts: Texts,
        vendored: Callable[[str], bool],
        programs: dict[str, list[Program]],
    ) -> None:
        if not programs:
            look_again()
        self.request = request
        self.texts = texts
        self.vendored = vendored
        self.programs = programs
        self.beside: dict[str, frozenset[str]] = {}
        self.unreadable: list[tuple[str, str]] = []
        self.errors: list[InputError] = []
        # Lines about inputs without manifests or without classes.
        self.empty: list[str] = []

    def runs(self, compiled: Callable[[Program], list[Run]]) -> list[Run]:
        """Return the results of all inputs; record those that cannot be read.

        `compiled` are those of a program.
        """
        found: list[Run] = []
        done: set[str] = set()
        for path in self.request.paths:
            try:
                if self.is_policy(path) and os.path.exists(path):
                    continue
                if is_document(path):
                    found += self.read(path)
                    continue
                for program in self.new(path, done):
                    found += replace_missing(program.path, program.settings, compiled(program))
            except InputError as error:
                if error.code == NOTHING:
                    self.empty.append(f"{shown(path)}: {error.message}")
                    continue
                self.unreadable.append((path, str(error)))
                self.errors.append(error)
        return found

    @property
    def every(self) -> list[Program]:
        """Return the programs of all inputs."""
        return [one for made in self.programs.values() for one in made]

    def is_policy(self, path: str) -> bool:
        """Return whether an input contains only CFEngine policies; one with programs does not."""
        return path not in self.programs and has_only_policies(path)

    def read(self, path: str) -> list[Run]:
        """Return the catalogs of a document.

        Raises:
            InputError: it is not valid.
        """
        request = self.request
        version = request.settings_for(path).puppet_version
        found: list[Run] = []
        for catalog in request.load(path):
            rules, shuffle = request.rules_for(catalog), request.shuffle
            one = compiled_of(path, catalog, rules, version, self.texts, shuffle=shuffle)
            locate(one.graph)
            found.append(one)
        return found

    def new(self, path: str, done: set[str]) -> Iterator[Program]:
        """Yield the programs of an input that no earlier input had.

        Raises:
            InputError: the file does not exist or is not valid.
        """
        for program in self.of(path):
            place = os.path.realpath(program.path)
            if place not in done:
                done.add(place)
                yield program

    def of(self, path: str) -> list[Program]:
        """Return the programs of an input.

        Raises:
            InputError: the file does not exist or is not valid.
        """
        if not os.path.exists(path):
            raise InputError("cannot be read: No such file or directory", Span(path))
        if path not in self.programs:
            self.programs[path] = self._made(path)
        return self.programs[path]

    def _made(self, path: str) -> list[Program]:
        request, found = self.request, programs_in(path)
        settings = request.settings_for(path)
        if isinstance(found, str):
            if has_only_examples(found):
                self.empty.append(f"{shown(path)}: {NO_CLASS}")
                return []
            rules, shuffle = request.rules_for, request.shuffle
            sites = alternatives_in(found) or (found,)
            return [Program(site, settings, rules, None, shuffle) for site in sites]
        own = [m for m in found if not self.vendored(os.path.join(m.folder, MANIFEST))]
        if own and not any(m.classes for m in own):
            self.empty.append(f"{shown(path)}: {NO_CLASS}")
        rules = request.rules_for
        return [Program(m.folder, settings, rules, m, request.shuffle, self.beside) for m in own]
