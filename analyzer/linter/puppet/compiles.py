"""Compiles manifests for the lint: each node with each set of facts, or each class of a module."""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from analyzer.compiles.changing import ChangingCode
from analyzer.compiles.exchange import Collects
from analyzer.compiles.outlined import Outlined, OutlinedError, can_outline, errors_of, outlined_of
from analyzer.compiles.overlay import Overlay
from analyzer.compiles.parts import CodePart
from analyzer.compiles.reads import Reads
from analyzer.compiles.result import CompileResult
from analyzer.compiles.target import Target
from analyzer.diagnostics import INTERNAL, CompileError
from analyzer.frontends.puppet.node.environment import Environment, Settings
from analyzer.frontends.puppet.node.exports import Exports
from analyzer.frontends.puppet.node.facts import for_system
from analyzer.graph.automatic.rules import Rules
from analyzer.graph.relationship_graph import RelationshipGraph, relate
from analyzer.linter.failures import Failure, tried
from analyzer.linter.puppet.default_node import is_intended
from analyzer.linter.puppet.site_texts import (
    OF_DATA,
    OF_GUESS,
    asks_for_value,
    names_example,
    refuses_system,
)
from analyzer.linter.puppet.subjects import MISSING_IN_MODULE, Compiled, Refusal
from analyzer.linter.texts import Texts
from analyzer.model.catalog import Catalog, recurses
from analyzer.model.statements import Record
from analyzer.reach import may_read
from analyzer.reading import CLOCK, noting

if TYPE_CHECKING:
    from analyzer.compiles.plan import CompilePlan

# The name of a compilation, and its result.
Run = tuple[str, CompileResult]

RulesFor = Callable[[Catalog], Rules | None]


# Stands for the exported resources of all nodes among the manifests of those that export or collect
# any: their results depend on each other.
EXPORTS = "<exports>"


class Program:
    """Some code that is compiled for rules, repeatedly with changed texts.

    `beside` is as for `environment_around`.
    """

    def __init__(
        self,
        part: CodePart,
        rules_for: RulesFor,
        shuffle: int = 0,
        beside: dict[str, frozenset[str]] | None = None,
        parent: Program | None = None,
    ) -> None:
        settings = replace(part.settings, lenient=True)
        self.code = ChangingCode(replace(part, settings=settings), beside)
        self.rules_for = rules_for
        self.shuffle = shuffle
        # The program of the site for code that its nodes leave out.
        self.parent = parent
        # True if each node is compiled without the exported resources of others.
        self.alone = False
        # The names of all compilations.
        self.names: set[str] = set()
        # The manifests of modules that each compilation read, with its keys of data, `EXPORTS` and
        # `CLOCK`, and whether no compilation depends on code of another environment.
        self.manifests: dict[str, frozenset[str]] = {}
        self.apart = True
        # Whether this process compiles only some of the nodes; `Collects` then ends it.
        self.divided = False

    @property
    def part(self) -> CodePart:
        """Return the code that is compiled."""
        return self.code.part

    @property
    def path(self) -> str:
        """Return the path of the code."""
        return self.code.part.path

    @property
    def settings(self) -> Settings:
        """Return the settings of the compiles."""
        return self.code.part.settings

    @property
    def environment(self) -> Environment:
        """Return the environment of the code."""
        return self.code.environment

    def program_of(self, part: CodePart) -> Program:
        """Return the program of code that the nodes of this site leave out."""
        return Program(part, self.rules_for, self.shuffle, self.code.beside, self)

    def compiled(
        self, overlay: Overlay, only: Container[str] | None = None
    ) -> Iterator[Compiled | Refusal | Failure]:
        """Compile everything, or only the compilations in `only`; yield errors as values.

        Raises:
            InputError: facts or other inputs cannot be read.
        """
        if only is not None and not self.may_have(only, overlay):
            return
        texts = Texts(overlay, lambda file: may_read(file, self.environment.roots))
        for name, result in self._runs(overlay, only):
            if only is None:
                self.names.add(name)
            # Those of the compile: the lint changes the codes of some.
            compile_errors = errors_of(result)
            if result.error is not None:
                every = (result.error, *result.error.others)
                errors = [error for error in every if not is_intended(error)]
                yield from self._refusals(name, result, errors, overlay)
                if not errors:
                    continue
            catalog = result.catalog
            if catalog is None:
                continue
            yield from failures_of(name, catalog)
            yield tried(
                partial(self._compiled_of, name, result, compile_errors, texts),
                f"the graph of {name}",
                name,
                self.path,
            )

    def _refusals(
        self, name: str, result: CompileResult, errors: list[CompileError], overlay: Overlay
    ) -> Iterator[Refusal | Failure]:
        is_guess = is_typical(self.settings, result.target)
        gaps = result.gaps if result.catalog is None else result.catalog.gaps
        lacks_data = any(gap.kind == "assumption" and "Hiera" in gap.name for gap in gaps)
        # Where no site reads the manifest, errors are the gaps of its catalogs.
        for error in () if self.part.is_unread else errors:
            if is_guess and refuses_system(error):
                error.code = OF_GUESS
            if lacks_data and asks_for_value(error):
                error.code = OF_DATA
            if self.code.classes and self.code.known(overlay).missing.has_no_other(error.message):
                error.code = MISSING_IN_MODULE
            if names_example(error):
                error.code = OF_GUESS
            yield refusal_of(name, error, bool(self.code.classes))

    def may_have(self, wanted: Container[str], overlay: Overlay) -> bool:
        """Return whether a compilation may have one of the wanted names.

        The names of the first time are still valid unless the manifests of a site have changed.
        """
        own = map(os.path.realpath, self.environment.manifests)
        if not self.names or any(file in overlay.texts for file in own):
            return True
        return any(name in wanted for name in self.names)

    def _compiled_of(
        self, name: str, result: CompileResult, errors: tuple[OutlinedError, ...], texts: Texts
    ) -> Compiled:
        catalog = result.catalog
        assert catalog is not None
        of_gaps = len(catalog.gaps)
        if result.error is None and self.code.last is not None:
            catalog.gaps += self.code.last.plan.gaps
        compiled = compiled_of(
            name,
            catalog,
            self.rules_for(catalog),
            self.settings.puppet_version,
            texts,
            partial=bool(self.code.classes),
            shuffle=self.shuffle,
            files=result.reads.used,
        )
        outlined = self._outlined(result, errors, compiled.graph, of_gaps)
        return replace(compiled, without_node=self.part.without_node, outlined=outlined)

    def _outlined(
        self,
        result: CompileResult,
        errors: tuple[OutlinedError, ...],
        graph: RelationshipGraph,
        of_gaps: int,
    ) -> Outlined | None:
        if not can_outline(result, errors):
            return None
        common = () if self.part.is_of_file else self.environment.manifests
        return outlined_of(self.path, result, errors, graph, of_gaps, common)

    def names_in(self, overlay: Overlay) -> list[str]:
        """Return the names of all compilations, or none if they cannot be known in advance.

        Raises:
            InputError: facts or other inputs cannot be read.
        """
        try:
            plan = self.code.run(overlay).plan
        except CompileError:
            return []
        return list(self.names_by_target(plan).values())

    def names_by_target(self, plan: CompilePlan) -> dict[Target, str]:
        """Return the names of compilations: with nodes and facts, where there are several."""
        names: dict[Target, str] = {}
        is_one = len(plan.subjects) == 1 and not self.alone
        for target in plan.targets:
            parts = [] if is_one or target.alone else [target.name]
            parts += [target.facts] if len(plan.sets) > 1 else []
            name = target.name if target.alone else self.path
            names[target] = f"{name} ({', '.join(parts)})" if parts else name
        return names

    def _runs(self, overlay: Overlay, only: Container[str] | None) -> Iterator[Run]:
        from analyzer.compiles.compile import ruby_for

        try:
            run = self.code.run(overlay)
        except CompileError as error:
            yield self.path, CompileResult(Target("", self.path), None, error)
            return
        names = self.names_by_target(run.plan)
        wanted = None if only is None else {one for one, name in names.items() if name in only}
        with ruby_for(self.settings) as run.helper:
            results = run.results(self._compile, wanted, save=False, separately=self.alone)
            for result in results:
                if wanted is None or result.target in wanted:
                    name = names[result.target]
                    self.manifests[name] = self._used(result.reads)
                    yield name, result

    def too_late(self, names: Iterable[str]) -> Iterator[Refusal | Failure]:
        """Yield errors of classes for which no time is left, by the names of their compilations."""
        from analyzer.compiles.compile import TOGETHER, too_late

        assert self.code.last is not None
        plan = self.code.last.plan
        targets = {name: target for target, name in self.names_by_target(plan).items()}
        for name in names:
            result = too_late(targets[name], plan, TOGETHER * self.settings.time_limit)
            self.manifests[name] = self._used(result.reads)
            if result.error is not None:
                yield refusal_of(name, result.error, partial=True)

    def _compile(self, target: Target, exports: Exports) -> CompileResult:
        assert self.code.last is not None
        with noting() as noted:
            result = self.code.last.compile(target, exports)
            # Only this compile depends on the clock, as its reads say.
            noted.pop(CLOCK, None)
        self.apart = self.apart and not result.reads.others
        if self.divided and exports.asked:
            raise Collects
        return result

    def _used(self, reads: Reads) -> frozenset[str]:
        # The site's own manifests belong to all nodes.
        linked = {EXPORTS} if reads.collected or reads.exported else set()
        linked |= {CLOCK} if reads.of_moment else set()
        return reads.depends(self.environment.manifests) | linked


def is_typical(settings: Settings, target: Target) -> bool:
    """Return whether a target has the facts of a typical system, which nobody's machine has."""
    return for_system(replace(settings, typical=False), target.facts, target.node).typical


def are_of_moment(manifests: Mapping[str, frozenset[str]]) -> bool:
    """Return whether one of some compilations depends on the clock; the values are their reads."""
    return any(CLOCK in read for read in manifests.values())


def refusal_of(name: str, error: CompileError, partial: bool) -> Refusal | Failure:
    """Return the error that prevented a catalog: an error of the program, or an internal one."""
    if error.code != INTERNAL:
        return Refusal(name, error, partial)
    return Failure(name, error.message, name, error.span.file, error.span)


def failures_of(name: str, catalog: Catalog) -> Iterator[Failure]:
    """Yield the parts of a catalog that internal errors excluded."""
    for gap in catalog.gaps:
        if gap.kind == "internal error":
            yield Failure(f"a statement of {gap.name}", gap.reason, name, catalog.path, gap.span)


def compiled_of(
    name: str,
    catalog: Catalog,
    rules: Rules | None,
    puppet_version: int,
    texts: Texts,
    *,
    partial: bool = False,
    shuffle: int = 0,
    files: frozenset[str] = frozenset(),
) -> Compiled:
    """Return a catalog with its graph."""
    if recurses(catalog):
        from analyzer.apply.served import with_served

        with_served(catalog)
    graph = relate(catalog, rules)
    record = catalog.record or Record()
    return Compiled(name, graph, record, puppet_version, partial, shuffle, files, texts.get)
