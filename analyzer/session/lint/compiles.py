"""Compiles the inputs of a lint: a site for its nodes, a module class by class."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress

from analyzer.compiles.own_code import OwnDefinition, has_choice, of_module, of_site, rounds_of
from analyzer.compiles.parts import CodePart, misplaced_in, unread_in
from analyzer.compiles.sites import divide, programs_in
from analyzer.diagnostics import InputError
from analyzer.escape import shown
from analyzer.frontends.puppet.failures import TOO_MUCH
from analyzer.frontends.puppet.node.contents import NOTHING
from analyzer.frontends.puppet.node.unloaded import has_only_examples
from analyzer.linter.checked import CheckedCatalog, definitions_of
from analyzer.linter.failures import Failure
from analyzer.linter.puppet.compiles import Program, compiled_of
from analyzer.linter.puppet.subjects import Compiled, Refusal
from analyzer.linter.texts import Names, Texts
from analyzer.reading import why_missing
from analyzer.session.lint.guesses import without_guesses
from analyzer.session.lint.inputs import has_only_policies, is_document
from analyzer.session.lint.missing_modules import replace_missing
from analyzer.session.lint.own_code import not_in
from analyzer.session.lint.request import Request
from analyzer.session.locating import locate
from analyzer.source import Span

# The statement about a module without classes, of which no code is compiled.
NO_CLASS = "no class to compile; functions are compiled where a site uses them"

Run = Compiled | CheckedCatalog | Refusal | Failure


class Compiles:
    """The compiles of the inputs of a request.

    `vendored` returns whether a file is in a module of others, which is not compiled, `own` the
    definitions of the checked code, `of_nodes` its manifests with node blocks. The programs of an
    earlier check, `before`, are used again.
    """

    def __init__(
        self,
        request: Request,
        texts: Texts,
        vendored: Callable[[str], bool],
        own: Callable[[], list[OwnDefinition]],
        of_nodes: Callable[[], Iterable[str]],
        names: Names,
        before: Compiles | None,
    ) -> None:
        self.request = request
        self.texts = texts
        self.vendored = vendored
        self.own = own
        self.of_nodes = of_nodes
        self.names = names
        self.programs: dict[str, list[Program]] = before.programs if before else {}
        # The programs of classes that no node of a site has, by the program of the nodes.
        self.unreached: dict[Program, list[Program]] = before.unreached if before else {}
        self.is_repeated = before is not None
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
                before: dict[tuple[str, ...], list[Run]] = {}
                for program in self.new(path, done):
                    runs = self.all_runs(program, compiled, before)
                    found += replace_missing(program.path, program.settings, runs, self.own_names)
            except InputError as error:
                if error.code == NOTHING:
                    self.empty.append(f"{shown(path)}: {error.message}")
                    continue
                self.unreadable.append((path, str(error)))
                self.errors.append(error)
        return without_guesses(found + self.misplaced(found, compiled))

    def all_runs(
        self,
        program: Program,
        compiled: Callable[[Program], list[Run]],
        before: dict[tuple[str, ...], list[Run]],
    ) -> list[Run]:
        """Return the results of a program, and of the classes of a site that no node has.

        `before` are the results of other sites of the input by their modulepath, such as manifests
        that are applied one by one: what they have is not compiled again.
        """
        runs = compiled(program)
        if program in self.unreached:
            return runs + [run for one in self.unreached[program] for run in compiled(one)]
        part = program.part
        if has_choice(part.settings) or (program.code.by_class and not part.is_beside):
            return runs
        self.unreached[program] = []
        if part.is_beside and part.module is not None:
            own, others = of_module(part.path, part.module.name, self.own()), []
        else:
            own = of_site(program.environment, self.own())
            others = before.setdefault(program.environment.modulepath, [])

        def compile_round(names: tuple[str, ...]) -> set[str]:
            one = program.program_of(program.part.with_classes(names))
            self.unreached[program].append(one)
            more = compiled(one)
            runs.extend(more)
            return names_in(more)

        rounds_of([one.name for one in own], names_in([*others, *runs]), compile_round)
        others += runs
        return runs

    def misplaced(self, runs: Sequence[Run], compiled: Callable[[Program], list[Run]]) -> list[Run]:
        """Return the results of the code that Puppet does not find by its names.

        They belong to the first program: a repeated check has them with it.
        """
        first = next((one for programs in self.programs.values() for one in programs), None)
        if first is None or self.is_repeated or has_choice(first.settings):
            return []
        left = [*left_in(runs, self.own(), self.names)]
        more: list[Program] = []
        for program in (one for programs in self.programs.values() for one in programs):
            module = program.part.module
            if program.part.is_beside and module is not None:
                mine = of_module(program.path, module.name, left)
                left = [one for one in left if one not in mine]
                more += self.misplaced_of(program, mine)
        more += self.misplaced_of(first, left)
        # An environment that cannot be read is reported already.
        with suppress(InputError):
            modulepath, nodes = first.environment.modulepath, self.of_nodes()
            unread = [*unread_in(first.part, modulepath, nodes, self.manifests())]
            more += self.add_unreached(first, unread)
        return [run for one in more for run in compiled(one)]

    def misplaced_of(self, program: Program, left: Iterable[OwnDefinition]) -> list[Program]:
        """Return the programs of definitions that are compiled from their files."""
        with suppress(InputError):
            modulepath = program.environment.modulepath
            return self.add_unreached(program, misplaced_in(program.part, modulepath, left))
        return []

    def add_unreached(self, program: Program, parts: Iterable[CodePart]) -> list[Program]:
        """Add the programs of parts that no node of a program has, and return them."""
        more = [program.program_of(part) for part in parts]
        if more:
            self.unreached[program] = [*self.unreached.get(program, ()), *more]
        return more

    def own_names(self) -> set[str]:
        """Return the names that the checked code defines, in small letters."""
        return {one.name.lower() for one in self.own()}

    def manifests(self) -> Iterator[str]:
        """Yield the manifests that the sites of the inputs read."""
        for programs in self.programs.values():
            for one in programs:
                yield from one.environment.manifests

    @property
    def every(self) -> list[Program]:
        """Return the programs of all inputs."""
        made = [one for programs in self.programs.values() for one in programs]
        return made + [one for programs in self.unreached.values() for one in programs]

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
            raise InputError(f"cannot be read: {why_missing(path)}", Span(path))
        if path not in self.programs:
            self.programs[path] = self._made(path)
        return self.programs[path]

    def _made(self, path: str) -> list[Program]:
        request = self.request
        settings, rules, shuffle = request.settings_for(path), request.rules_for, request.shuffle
        if has_only_examples(path) and isinstance(programs_in(path), str):
            self.empty.append(f"{shown(path)}: {NO_CLASS}")
            return []
        divided = divide(path, settings, self.own_files, self.vendored)
        modules = divided.modules
        if modules and not divided.sites and not any(m.module.classes for m in modules if m.module):
            self.empty.append(f"{shown(path)}: {NO_CLASS}")
        sites = [Program(one, rules, shuffle) for one in divided.sites]
        return sites + [Program(one, rules, shuffle, self.beside) for one in modules]

    def own_files(self) -> set[str]:
        """Return the files with definitions of the checked code."""
        return {one.span.file for one in self.own()}


def names_in(results: Iterable[Run]) -> set[str]:
    """Return the names of the classes and defined types that catalogs have."""
    catalogs = [one for one in results if isinstance(one, Compiled | CheckedCatalog)]
    return {name for one in catalogs for name in definitions_of(one)}


def left_in(
    runs: Sequence[Run], own: Iterable[OwnDefinition], names: Names
) -> Iterator[OwnDefinition]:
    """Yield the definitions that no catalog has, except those for which no time was left."""
    catalogs = [one for one in runs if isinstance(one, Compiled | CheckedCatalog)]
    late = {one.name for one in runs if isinstance(one, Refusal) and one.error.code == TOO_MUCH}
    yield from (one for one in not_in(own, catalogs, names) if f"class {one.name}" not in late)
