"""Compiles manifests for the lint: each node with each set of facts, or each class of a module."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

from analyzer.compiles.exchange import Collects
from analyzer.compiles.outlined import Outlined, can_outline, outlined_of
from analyzer.compiles.own_code import is_defined
from analyzer.compiles.reads import Reads
from analyzer.compiles.result import CompileResult
from analyzer.compiles.target import Target
from analyzer.diagnostics import INTERNAL, CompileError
from analyzer.frontends.puppet.node.environment import Environment, Settings, find_environment
from analyzer.frontends.puppet.node.exports import Exports
from analyzer.frontends.puppet.node.facts import for_system
from analyzer.frontends.puppet.node.modules import Module, environment_around
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
from analyzer.linter.texts import Overlay, Texts
from analyzer.model.catalog import Catalog, recurses
from analyzer.model.statements import Record
from analyzer.reach import may_read
from analyzer.reading import CLOCK, noting

if TYPE_CHECKING:
    from analyzer.compiles.compile import CompileRun
    from analyzer.compiles.plan import CompilePlan
    from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable

# The name of a compilation, and its result.
Run = tuple[str, CompileResult]

# A class with another name is a syntax error, which is reported for its file.
CLASS_NAME = re.compile(r"[a-z]\w*(?:::[a-z]\w*)*")

RulesFor = Callable[[Catalog], Rules | None]


# Stands for the exported resources of all nodes among the manifests of those that export or collect
# any: their results depend on each other.
EXPORTS = "<exports>"


class Program:
    """A site, or the classes of a module, which can be compiled repeatedly with changed texts.

    A compilation reuses the files that an earlier one read, unless their texts have changed.
    """

    def __init__(
        self,
        path: str,
        settings: Settings,
        rules_for: RulesFor,
        module: Module | None = None,
        shuffle: int = 0,
        beside: dict[str, frozenset[str]] | None = None,
    ) -> None:
        self.path = path
        self.beside = beside
        self.settings = replace(settings, lenient=True)
        self.rules_for = rules_for
        self.module = module
        self.shuffle = shuffle
        # True if each node is compiled without the exported resources of others.
        self.alone = False
        self._known: DefinitionTable | None = None
        self._overlay = Overlay()
        # The classes that are compiled by themselves.
        self.classes: tuple[str, ...] = ()
        self._run: CompileRun | None = None
        # The names of all compilations.
        self.names: set[str] = set()
        # The manifests of modules that each compilation read, with its keys of data, `EXPORTS` and
        # `CLOCK`, and whether no compilation depends on code of another environment.
        self.manifests: dict[str, frozenset[str]] = {}
        self.apart = True
        # Whether this program has the classes of a site that no node has, and the program of the
        # site for code that it does not reach.
        self.is_of_classes = False
        self.parent: Program | None = None
        # Whether no site reads the manifest.
        self.is_unread = False
        # Whether this process compiles only some of the nodes; `Collects` then ends it.
        self.divided = False

    def of_classes(self, names: tuple[str, ...]) -> Program:
        """Return a program that compiles classes and defined types of a site by themselves."""
        return self.of_settings(replace(self.settings, classes=names))

    def of_settings(self, settings: Settings) -> Program:
        """Return a program that compiles classes of a site by themselves with other settings."""
        return self._of(self.path, settings)

    def of_file(self, file: str, names: tuple[str, ...]) -> Program:
        """Return a program that compiles definitions of a file where Puppet does not look."""
        modulepath = self.environment.modulepath
        return self._of(file, replace(self.settings, classes=names, modulepath=modulepath))

    def of_nodes(self, file: str) -> Program:
        """Return a program that compiles the nodes of a file that no site reads."""
        settings = replace(self.settings, modulepath=self.environment.modulepath)
        one = Program(file, settings, self.rules_for, None, self.shuffle, self.beside)
        one.is_unread, one.parent = True, self
        return one

    def _of(self, path: str, settings: Settings) -> Program:
        one = Program(path, settings, self.rules_for, None, self.shuffle, self.beside)
        one.is_of_classes, one.parent = True, self
        return one

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
                partial(self._compiled_of, name, result, catalog, texts),
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
        for error in () if self.is_unread else errors:
            if is_guess and refuses_system(error):
                error.code = OF_GUESS
            if lacks_data and asks_for_value(error):
                error.code = OF_DATA
            if self.classes and self.known(overlay).missing.has_no_other(error.message):
                error.code = MISSING_IN_MODULE
            if names_example(error):
                error.code = OF_GUESS
            yield refusal_of(name, error, bool(self.classes))

    def may_have(self, wanted: Container[str], overlay: Overlay) -> bool:
        """Return whether a compilation may have one of the wanted names.

        The names of the first time are still valid unless the manifests of a site have changed.
        """
        own = map(os.path.realpath, self.environment.manifests)
        if not self.names or any(file in overlay.texts for file in own):
            return True
        return any(name in wanted for name in self.names)

    def _compiled_of(
        self, name: str, result: CompileResult, catalog: Catalog, texts: Texts
    ) -> Compiled:
        of_gaps = len(catalog.gaps)
        if result.error is None and self._run is not None:
            catalog.gaps += self._run.plan.gaps
        compiled = compiled_of(
            name,
            catalog,
            self.rules_for(catalog),
            self.settings.puppet_version,
            texts,
            partial=bool(self.classes),
            shuffle=self.shuffle,
            files=result.reads.used,
        )
        outlined = self._outlined(result, compiled.graph, of_gaps)
        return replace(compiled, without_node=self.is_of_classes, outlined=outlined)

    def _outlined(
        self, result: CompileResult, graph: RelationshipGraph, of_gaps: int
    ) -> Outlined | None:
        if self.module is not None or not can_outline(result):
            return None
        is_file = self.parent is not None and self.parent.path != self.path
        common = () if is_file else self.environment.manifests
        return outlined_of(self.path, result, graph, of_gaps, common)

    @cached_property
    def environment(self) -> Environment:
        """Return the environment of the site, or the one to compile the classes of a module in."""
        if self.module:
            return environment_around(self.module, self.settings, self.beside)
        return find_environment(self.path, self.settings)

    def known(self, overlay: Overlay) -> DefinitionTable:
        """Return the definitions, with the texts of an overlay.

        Raises:
            CompileError: one of the site's manifests is not a Puppet program.
        """
        changed = self._overlay.differs(overlay)
        own = set(map(os.path.realpath, self.environment.manifests)) if changed else set()
        if self._known is None or changed & own:
            self._known = None
            self._known = self._read(overlay)
        elif changed:
            self._known.forget(changed, overlay)
        self._overlay = overlay
        return self._known

    def _read(self, overlay: Overlay) -> DefinitionTable:
        from analyzer.compiles.codebases import classes_of, definitions_of
        from analyzer.frontends.puppet.compile import read_manifests

        if self.module is None:
            known = read_manifests(self.environment, replace(self.settings, overlay=overlay))
            self.classes = classes_of(known, self.settings)
            self._leave_out_undefined(known)
            return known
        self.classes = tuple(filter(CLASS_NAME.fullmatch, self.module.classes))
        known = definitions_of(self.module, self.environment, self.settings, overlay)
        self._leave_out_undefined(known)
        return known

    def _leave_out_undefined(self, known: DefinitionTable) -> None:
        """Leave out classes of a site that are not where Puppet looks for them."""
        if self.is_of_classes:
            self.classes = tuple(name for name in self.classes if is_defined(known, name))

    @property
    def by_class(self) -> bool:
        """Return whether classes are compiled, once the definitions are known."""
        return bool(self.classes) or self.module is not None or self.is_of_classes

    def run(self, overlay: Overlay) -> CompileRun:
        """Return the compiles; their plan is made once for the same definitions.

        Raises:
            InputError: facts or other inputs cannot be read.
            CompileError: one of the site's manifests is not a Puppet program.
        """
        from analyzer.compiles.compile import CompileRun
        from analyzer.compiles.plan import plan_of_classes, plan_of_nodes
        from analyzer.frontends.puppet.compile import Codebase

        known = self.known(overlay)
        if self._run is None or self._run.plan.codebases[0].definitions is not known:
            code = Codebase(self.environment, known, self.classes)
            if self.by_class:
                plan = plan_of_classes(self.path, [code], self.settings)
            else:
                plan = plan_of_nodes(self.path, code, self.settings)
            self._run = CompileRun(plan)
        return self._run

    def names_in(self, overlay: Overlay) -> list[str]:
        """Return the names of all compilations, or none if they cannot be known in advance.

        Raises:
            InputError: facts or other inputs cannot be read.
        """
        try:
            plan = self.run(overlay).plan
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
            run = self.run(overlay)
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

        assert self._run is not None
        plan = self._run.plan
        targets = {name: target for target, name in self.names_by_target(plan).items()}
        for name in names:
            result = too_late(targets[name], plan, TOGETHER * self.settings.time_limit)
            self.manifests[name] = self._used(result.reads)
            if result.error is not None:
                yield refusal_of(name, result.error, partial=True)

    def _compile(self, target: Target, exports: Exports) -> CompileResult:
        assert self._run is not None
        with noting() as noted:
            result = self._run.compile(target, exports)
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
