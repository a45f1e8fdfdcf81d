"""Compiles manifests for the lint: each node with each set of facts, or each class of a module."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from analyzer.diagnostics import INTERNAL, CompileError
from analyzer.frontends.puppet.hiera.sources.parts import is_about_keys
from analyzer.frontends.puppet.node.environment import Environment, Settings, find_environment
from analyzer.frontends.puppet.node.exchange import compile_nodes
from analyzer.frontends.puppet.node.exports import Exports
from analyzer.frontends.puppet.node.facts import fact_sets, facts_for, for_system, nodes_with
from analyzer.frontends.puppet.node.modules import Module, environment_around
from analyzer.frontends.puppet.node.names import DEFAULT_NODE
from analyzer.frontends.puppet.syntax.diagnostic import ParseError
from analyzer.graph.automatic.rules import Rules
from analyzer.graph.relationship_graph import relate
from analyzer.linter.failures import Failure, tried
from analyzer.linter.puppet.default_node import is_intended
from analyzer.linter.puppet.subjects import MISSING_IN_MODULE, Compiled, Refusal
from analyzer.linter.texts import Overlay, Texts
from analyzer.model.catalog import Catalog, recurses
from analyzer.model.completeness import Gap
from analyzer.model.statements import Record
from analyzer.reach import may_read
from analyzer.reading import noting

if TYPE_CHECKING:
    from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
    from analyzer.frontends.puppet.targets import Target

# The name of a compilation, its result, and the manifests that it read.
Run = tuple[str, Catalog | CompileError, frozenset[str]]

# A class with another name is a syntax error, which is reported for its file.
CLASS_NAME = re.compile(r"[a-z]\w*(?:::[a-z]\w*)*")

RulesFor = Callable[[Catalog], Rules | None]


# Stands for the exported resources of all nodes among the manifests of those that export or collect
# any: their results depend on each other.
EXPORTS = "<exports>"


class Collects(Exception):
    """A node collects resources that others export, so it cannot be compiled without them."""


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
        self._known_targets: tuple[DefinitionTable, list[Target], list[Gap]] | None = None
        # The names of all compilations.
        self.names: set[str] = set()
        # The manifests of modules that each compilation read, with its keys of data and `EXPORTS`,
        # and whether no compilation depends on code of another environment.
        self.manifests: dict[str, frozenset[str]] = {}
        self.apart = True
        # Whether this program has the classes of a site that no node has.
        self.is_of_classes = False
        # Whether this process compiles only some of the nodes; `Collects` then ends it.
        self.divided = False

    def of_classes(self, names: tuple[str, ...]) -> Program:
        """Return a program that compiles classes and defined types of a site by themselves."""
        settings = replace(self.settings, classes=names)
        one = Program(self.path, settings, self.rules_for, None, self.shuffle, self.beside)
        one.is_of_classes = True
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
        for name, run, files in self._runs(overlay, only):
            if only is None:
                self.names.add(name)
            if isinstance(run, CompileError):
                errors = [error for error in (run, *run.others) if not is_intended(error)]
                for error in errors:
                    if self.classes and self.known(overlay).missing.has_no_other(error.message):
                        error.code = MISSING_IN_MODULE
                    yield refusal_of(name, error, bool(self.classes))
                if not errors:
                    continue
            catalog = run.catalog if isinstance(run, CompileError) else run
            if catalog is None:
                continue
            yield from failures_of(name, catalog)
            yield tried(
                partial(self._compiled_of, name, catalog, files, texts),
                f"the graph of {name}",
                name,
                self.path,
            )

    def may_have(self, wanted: Container[str], overlay: Overlay) -> bool:
        """Return whether a compilation may have one of the wanted names.

        The names of the first time are still valid unless the manifests of a site have changed.
        """
        own = map(os.path.realpath, self.environment.manifests)
        if not self.names or any(file in overlay.texts for file in own):
            return True
        return any(name in wanted for name in self.names)

    def _compiled_of(
        self, name: str, catalog: Catalog, files: frozenset[str], texts: Texts
    ) -> Compiled:
        compiled = compiled_of(
            name,
            catalog,
            self.rules_for(catalog),
            self.settings.puppet_version,
            texts,
            partial=bool(self.classes),
            shuffle=self.shuffle,
            files=files,
        )
        return replace(compiled, without_node=self.is_of_classes)

    @cached_property
    def environment(self) -> Environment:
        """Return the environment of the site, or the one to compile the classes of a module in."""
        if self.module:
            return environment_around(self.module, self.settings, self.beside)
        return find_environment(self.path, self.settings)

    @cached_property
    def facts(self) -> list[tuple[str, dict[str, Any] | None]]:
        """Return the sets of facts, with their names."""
        return list(fact_sets(self.settings))

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
        from analyzer.frontends.puppet.class_groups import classes_of, known_of
        from analyzer.frontends.puppet.compile import read_manifests

        if self.module is None:
            known = read_manifests(self.environment, replace(self.settings, overlay=overlay))
            self.classes = classes_of(known, self.settings)
            if self.is_of_classes:
                self.classes = tuple(name for name in self.classes if is_defined(known, name))
            return known
        self.classes = tuple(filter(CLASS_NAME.fullmatch, self.module.classes))
        return known_of(self.module, self.environment, self.settings, overlay)

    def _runs(self, overlay: Overlay, only: Container[str] | None) -> Iterator[Run]:
        try:
            known = self.known(overlay)
        except CompileError as error:
            yield self.path, error, frozenset()
            return
        yield from (self._classes if self.by_class else self._nodes)(known, only)

    @property
    def by_class(self) -> bool:
        """Return whether classes are compiled, once the definitions are known."""
        return bool(self.classes) or self.module is not None or self.is_of_classes

    def names_in(self, overlay: Overlay) -> list[str]:
        """Return the names of all compilations, or none if they cannot be known in advance.

        Raises:
            InputError: facts or other inputs cannot be read.
        """
        try:
            known = self.known(overlay)
        except CompileError:
            return []
        sets = [name for name, _ in self.facts]
        if self.by_class:
            return [self._name_of_class(one, name) for name in sets for one in self.classes]
        targets, _ = self._targets(known)
        by_node = {target.node: target for target in targets}
        return [
            self._name_of_node(by_node[node], name, targets)
            for name in sets
            for node in nodes_with(self.settings, by_node, name)
        ]

    def _name_of_node(self, target: Target, facts: str, targets: Sequence[Target]) -> str:
        parts = [target.name] if len(targets) > 1 or self.alone else []
        parts += [facts] if len(self.facts) > 1 else []
        return f"{self.path} ({', '.join(parts)})" if parts else self.path

    def _name_of_class(self, name: str, facts: str) -> str:
        return f"class {name}" + (f" ({facts})" if len(self.facts) > 1 else "")

    def _targets(self, known: DefinitionTable) -> tuple[list[Target], list[Gap]]:
        """Return the nodes of a site, and gaps for node blocks without a name, computed once."""
        from analyzer.frontends.puppet.targets import left_out, targets_of

        if self._known_targets is None or self._known_targets[0] is not known:
            targets = targets_of(known, self.environment, self.settings)
            self._known_targets = known, targets, left_out(known, self.settings, targets)
        return self._known_targets[1:]

    def _nodes(self, known: DefinitionTable, only: Container[str] | None) -> Iterator[Run]:
        from analyzer.frontends.puppet.compile import helper_for

        targets, without_name = self._targets(known)
        by_node = {target.node: target for target in targets}
        files: dict[str, frozenset[str]] = {}
        used: dict[str, frozenset[str]] = {}
        with helper_for(self.settings) as helper:
            for name, facts in self.facts:

                def compile_one(
                    node: str, exports: Exports, name: str = name, facts: Any = facts
                ) -> Catalog:
                    own = facts_for(self.settings, name, facts, node)
                    try:
                        with noting() as read:
                            return self._compile(known, by_node[node], name, own, helper, exports)
                    finally:
                        files[node] = known.files
                        linked = exports.asked.get(node) or exports.compiled.get(node)
                        used[node] = self._used(known, read) | ({EXPORTS} if linked else set())
                        self.apart = self.apart and not known.others
                        if self.divided and exports.asked:
                            raise Collects

                nodes = nodes_with(self.settings, by_node, name)
                names = {n: self._name_of_node(by_node[n], name, targets) for n in nodes}
                wanted = None if only is None else [n for n in nodes if names[n] in only]
                runs = (
                    run
                    for group in ([[node] for node in nodes] if self.alone else [nodes])
                    for run in compile_nodes(
                        group,
                        compile_one,
                        self.settings.store,
                        len(self.facts),
                        save=False,
                        progress=self.settings.progress,
                        wanted=wanted,
                    )
                )
                for node, run in runs:
                    if isinstance(run, Catalog):
                        run.gaps += without_name
                    if only is None or names[node] in only:
                        self.manifests[names[node]] = used[node]
                        yield names[node], run, files[node]

    def _classes(self, known: DefinitionTable, only: Container[str] | None) -> Iterator[Run]:
        from analyzer.frontends.puppet.class_groups import ClassGroup
        from analyzer.frontends.puppet.compile import compile_class, helper_for

        group = ClassGroup(self.environment, known, self.classes)
        with helper_for(self.settings) as helper:
            for name, facts in self.facts:
                own = facts_for(self.settings, name, facts, self.settings.node or DEFAULT_NODE)
                settings = for_system(self.settings, name, self.settings.node or DEFAULT_NODE)
                for one in self.classes:
                    shown = self._name_of_class(one, name)
                    if only is not None and shown not in only:
                        continue
                    with noting() as read:
                        try:
                            run: Catalog | CompileError = compile_class(
                                group, settings, one, own, self.path, helper
                            )
                        except CompileError as error:
                            run = error
                    self.manifests[shown] = self._used(known, read)
                    yield shown, run, known.files

    def _used(self, known: DefinitionTable, read: Iterable[str]) -> frozenset[str]:
        # The site's own manifests belong to all nodes.
        manifests = known.read_by_last.difference(self.environment.manifests)
        return manifests.union(filter(is_about_keys, read))

    def _compile(
        self,
        known: DefinitionTable,
        target: Target,
        name: str,
        facts: Any,
        helper: Any,
        exports: Exports | None = None,
    ) -> Catalog:
        from analyzer.frontends.puppet.compile import compile_node

        settings = for_system(self.settings, name, target.node)
        return compile_node(
            known, self.environment, settings, target, facts, self.path, helper, exports
        )


def is_defined(known: DefinitionTable, name: str) -> bool:
    """Return whether a class or a defined type is where Puppet looks for it."""
    with suppress(ParseError):
        found = known.find("class", name) or known.find("define", name)
        return found is not None and not found.missing
    return True


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
