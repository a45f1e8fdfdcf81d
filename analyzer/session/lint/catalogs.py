"""The second stage of a lint: the inputs are compiled, as a whole or some of them again."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Sequence
from dataclasses import dataclass, field

from analyzer.diagnostics import InputError
from analyzer.linter.checked import CheckedCatalog
from analyzer.linter.failures import Failure
from analyzer.linter.puppet.compiles import Program
from analyzer.linter.puppet.subjects import Compiled, Refusal
from analyzer.linter.run import check_catalog
from analyzer.session.lint.compiles import Compiles, Run
from analyzer.session.lint.inputs import LintPart
from analyzer.session.lint.own_code import files_of_nodes
from analyzer.session.lint.parts import Answer, Divided, Shared, answer_of, programs_in
from analyzer.session.lint.read import Sources

# The catalogs with their graphs, by name and input.
Graphs = dict[tuple[str, str], Compiled]


@dataclass(frozen=True)
class CompiledInputs:
    """The results of compiling inputs: catalogs, refusals and failures.

    `graphs` has the catalogs with their graphs that were made for subjects which are stored
    results; more are added when they are needed. `unreadable` are inputs with the reasons, `empty`
    lines about inputs without manifests or classes.
    """

    sources: Sources
    compiles: Compiles
    runs: Sequence[Run]
    unreadable: Sequence[tuple[str, str]] = ()
    errors: Sequence[InputError] = ()
    graphs: Graphs = field(default_factory=dict)

    @property
    def empty(self) -> Sequence[str]:
        """Return lines about inputs without manifests or without classes."""
        return self.compiles.empty

    @property
    def catalogs(self) -> list[Compiled | CheckedCatalog]:
        """Return the catalogs among the results."""
        return [run for run in self.runs if isinstance(run, Compiled | CheckedCatalog)]

    @property
    def is_whole(self) -> bool:
        """Return whether all inputs were compiled completely: then no finding can be missing."""
        catalogs = self.catalogs
        return len(catalogs) == len(self.runs) and all(one.complete for one in catalogs)

    @property
    def files(self) -> set[str]:
        """Return the manifests that catalogs were compiled from."""
        return {self.sources.names.of(file) for one in self.catalogs for file in one.files}

    @property
    def modules(self) -> set[str]:
        """Return the folders of modules that are compiled by themselves."""
        return {m.folder for one in self.compiles.every if (m := one.part.module) is not None}


def compile_inputs(
    sources: Sources, before: CompiledInputs | None = None, only: Collection[str] | None = None
) -> CompiledInputs:
    """Compile the inputs; record those that cannot be read.

    `only` are the names to compile, None for all: then policies are read, too, and stored results
    are used. `before` are the results of an earlier check, whose programs are used again.
    """
    compiling = Compiling(sources, compiles_of(sources, before), only)
    if compiling.kept is not None and (workers := sources.request.workers) is not None:
        divided = programs_in(compiling.compiles)
        compiling.shared.make(divided, compiling.kept.stale, workers, compiling.answer)
    compiles = compiling.compiles
    runs = compiles.runs(compiling.runs_of)
    refused = sources.policies.unreadable if only is None else []
    unreadable = [*compiles.unreadable, *((one.span.file, str(one)) for one in refused)]
    errors = [*compiles.errors, *refused]
    return CompiledInputs(sources, compiles, runs, unreadable, errors, compiling.graphs)


def compiles_of(sources: Sources, before: CompiledInputs | None = None) -> Compiles:
    """Return the programs of the inputs, to compile them."""
    return Compiles(
        sources.request,
        sources.texts,
        sources.others.have,
        lambda: sources.definitions,
        lambda: files_of_nodes(sources.files, sources.texts.get, sources.request.paths),
        sources.names,
        before.compiles if before else None,
    )


class Compiling:
    """One stage of compiling, in this process or in one that has a share of the work."""

    def __init__(
        self, sources: Sources, compiles: Compiles, only: Collection[str] | None = None
    ) -> None:
        self.sources = sources
        self.compiles = compiles
        self.only = only
        self.kept = sources.kept if only is None else None
        self.shared = Shared(sources.rules)
        self.graphs: Graphs = {}
        # The last program of classes that no node has, with its path, number and classes.
        self.of_classes: tuple[tuple[str, int, tuple[str, ...]], Program] | None = None

    def runs_of(self, program: Program) -> list[Run]:
        """Return the results of a program, with those of the rules if these are stored."""
        if self.kept is None:
            return [*program.compiled(self.sources.texts.overlay, self.only)]

        def made(names: Collection[str] | None) -> list[CheckedCatalog | Refusal | Failure]:
            self.share(program, names)
            found = self.shared.take(program)
            return [*self.checked(program, names)] if found is None else found

        return [*self.kept.runs(program, made)]

    def share(self, program: Program, names: Collection[str] | None) -> None:
        """Divide the compiles of the classes that no node has among processes."""
        workers = self.sources.request.workers
        if workers is None or program.parent is None or program.part.is_of_file:
            return
        from analyzer.compiles.compile import TOGETHER

        for one in programs_in(self.compiles):
            if one.program is program.parent:
                classes = program.settings.classes
                self.of_classes = (one.path, one.number, classes), program
                divided = [Divided(one.path, one.number, program, classes)]
                limit = TOGETHER * program.settings.time_limit
                self.shared.make(divided, lambda _: names, workers, self.answer, limit)

    def checked(
        self, program: Program, names: Container[str] | None = None
    ) -> Iterator[CheckedCatalog | Refusal | Failure]:
        """Compile a program, and apply the rules to its catalogs."""
        for one in program.compiled(self.sources.texts.overlay, names):
            if isinstance(one, Compiled):
                self.graphs[one.name, one.path] = one
                yield check_catalog(self.sources.rules, one)
            else:
                yield one

    def answer(self, part: LintPart) -> Answer:
        """Return the results of a part of the work."""
        if part.number < 0:
            return self.sources.manifests.rows(part.names), {}, None
        program = self.program_of(part)
        return answer_of(program, self.checked(program, part.names))

    def program_of(self, part: LintPart) -> Program:
        """Return the program of a part."""
        program = self.compiles.of(part.path)[part.number]
        if not part.classes:
            return program
        key = part.path, part.number, part.classes
        if self.of_classes is None or self.of_classes[0] != key:
            self.of_classes = key, program.program_of(program.part.with_classes(part.classes))
        return self.of_classes[1]


def with_graphs(
    compiled: CompiledInputs, catalogs: Sequence[Compiled | CheckedCatalog]
) -> list[Compiled]:
    """Return catalogs with their graphs; compile those of which only results are stored."""
    graphs = compiled.graphs
    checked = [one for one in catalogs if isinstance(one, CheckedCatalog)]
    missing = {one.name for one in checked if (one.name, one.path) not in graphs}
    if missing:
        made = compile_inputs(compiled.sources, compiled, missing).catalogs
        graphs |= {(one.name, one.path): one for one in made if isinstance(one, Compiled)}
    found = (c if isinstance(c, Compiled) else graphs.get((c.name, c.path)) for c in catalogs)
    return [one for one in found if one is not None]
