"""Manifests to catalogs: one for every node and every set of facts (Puppet::Parser::Compiler)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from analyzer.diagnostics import CompileError, InputError
from analyzer.frontends.puppet.class_groups import (
    ClassGroup,
    check_parameters,
    gap_of,
    of_modules,
    of_site,
    several,
)
from analyzer.frontends.puppet.compiler.compiler import Compiler
from analyzer.frontends.puppet.compiler.declared.compilation import Compilation, Inputs, Ruby
from analyzer.frontends.puppet.compiler.definitions.definition import unreadable
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.compiler.exported import exports_of
from analyzer.frontends.puppet.compiler.gaps import gaps_of, say_closed
from analyzer.frontends.puppet.compiler.nodes import server_facts
from analyzer.frontends.puppet.compiler.results.catalog import to_catalog
from analyzer.frontends.puppet.compiler.results.record import record_of
from analyzer.frontends.puppet.evaluate.errors import Watch
from analyzer.frontends.puppet.evaluate.limits import limited
from analyzer.frontends.puppet.evaluate.machine import STRICT
from analyzer.frontends.puppet.failures import Failed, explained
from analyzer.frontends.puppet.node.code import environment_of_code
from analyzer.frontends.puppet.node.environment import (
    Classified,
    Environment,
    Settings,
    declaring_folders,
    find_environment,
    folder_beside,
    of_folder,
)
from analyzer.frontends.puppet.node.exchange import compile_nodes
from analyzer.frontends.puppet.node.exports import Exports
from analyzer.frontends.puppet.node.facts import are_typical, fact_sets, facts_for, nodes_with
from analyzer.frontends.puppet.syntax.validate.walk import Strictness
from analyzer.frontends.puppet.targets import (
    DEFAULT_NODE,
    Target,
    classified,
    left_out,
    several_nodes,
    targets_of,
)
from analyzer.model.catalog import Catalog
from analyzer.model.completeness import Gap
from analyzer.model.values import Value
from analyzer.reach import within
from analyzer.source import Span

if TYPE_CHECKING:
    from analyzer.frontends.puppet.bridge.helper import Helper

Facts = dict[str, Value]

# The warning if no facts are given but those of `catgraph.toml`.
ONLY_STUBS = "the only facts are those of [stubs.facts] (--facts FILE)"

# Frames that a compile may need: an expression takes several, and bodies are nested.
DEEPEST = 20_000


@dataclass(frozen=True, slots=True)
class Outcome:
    """The catalogs of the nodes, facts or classes that compile, and the error of the others."""

    catalogs: list[Catalog]
    error: CompileError | None = None

    def all(self) -> list[Catalog]:
        """Return the catalogs.

        Raises:
            CompileError: one is missing.
        """
        if self.error is not None:
            raise self.error
        return self.catalogs


def compile_path(path: str, settings: Settings, *, one: bool = False) -> Outcome:
    """Compile a manifest, a folder or a control repo: for each node and set of facts a catalog.

    Of modules, and of a manifest that only defines classes, each class is compiled by itself; `one`
    refuses several classes or nodes.

    Raises:
        InputError: something cannot be read.
        CompileError: a manifest cannot be read or parsed.
    """
    if alone := of_modules(path, settings):
        return compile_classes(path, settings, alone, one)
    find = environment_of_code if settings.is_code else find_environment
    with explained(path), limited(settings.time_limit):
        environment = find(path, settings)
    known = read_manifests(environment, settings)
    if alone := of_site(path, settings, environment, known):
        return compile_classes(path, settings, alone, one)
    targets = targets_of(known, environment, settings)
    if one and len(targets) > 1:
        raise several_nodes(path, targets)
    return compile_targets(path, settings, environment, known, targets)


def compile_targets(
    path: str,
    settings: Settings,
    environment: Environment,
    known: DefinitionTable,
    targets: Sequence[Target],
) -> Outcome:
    """Compile the nodes and roles of a site, each with each set of facts."""
    sets = fact_sets(settings)
    by_node = {target.node: target for target in targets}
    catalogs = []
    failed = Failed(len(sets) * len(targets) > 1)
    with helper_for(settings) as helper:
        for name, facts in sets:

            def compile_one(
                node: str, exports: Exports, name: str = name, facts: Facts | None = facts
            ) -> Catalog:
                own = facts_for(settings, name, facts, node)
                given = replace(settings, typical=are_typical(settings, name, node))
                target = by_node[node]
                return compile_node(known, environment, given, target, own, path, helper, exports)

            nodes = nodes_with(settings, by_node, name)
            made_of = compile_nodes(
                nodes, compile_one, settings.store, len(sets), progress=settings.progress
            )
            for node, made in made_of:
                where = by_node[node].name + (f", {name}" if len(sets) > 1 else "")
                with failed.on(where, node):
                    catalog = partial_of(made)
                    if catalog is not None:
                        catalog.name = where
                        catalogs.append(catalog)
                    compiled(made)
    without_name = left_out(known, settings, targets)
    for catalog in catalogs:
        catalog.gaps += without_name
    return Outcome(catalogs, failed.error)


def compile_classes(
    path: str, settings: Settings, groups: Sequence[ClassGroup], one: bool
) -> Outcome:
    """Compile classes each by itself; a class that cannot be is a gap, unless it was asked for.

    Raises:
        InputError: one is wanted, and there are several.
    """
    names = [name for group in groups for name in group.classes]
    if one and len(names) > 1:
        raise several(path, names)
    sets = fact_sets(settings)
    catalogs: list[Catalog] = []
    failed = Failed(len(sets) * len(names) > 1)
    gaps: dict[str, Gap] = {}
    with helper_for(settings) as helper:
        for group in groups:
            for facts_name, facts in sets:
                own = facts_for(settings, facts_name, facts, settings.node or DEFAULT_NODE)
                for name in group.classes:
                    shown = f"class {name}"
                    where = f"{shown}, {facts_name}" if len(sets) > 1 else shown
                    with failed.on(where, DEFAULT_NODE):
                        try:
                            catalog = compile_class(group, settings, name, own, path, helper)
                        except CompileError as error:
                            if error.catalog is not None:
                                catalogs.append(alone(error.catalog, where))
                            else:
                                gaps.setdefault(shown, gap_of(shown, error, DEFAULT_NODE))
                            raise
                        catalogs.append(alone(catalog, where))
    if settings.classes or not catalogs:
        return Outcome(catalogs, failed.error)
    for catalog in catalogs:
        catalog.gaps += gaps.values()
    return Outcome(catalogs)


def alone(catalog: Catalog, name: str) -> Catalog:
    """Return the catalog of a class by itself with its name."""
    catalog.name = name
    catalog.alone = True
    return catalog


def compile_class(
    group: ClassGroup,
    settings: Settings,
    name: str,
    facts: dict[str, Value] | None,
    path: str,
    helper: Helper | None,
) -> Catalog:
    """Compile a class by itself; what it relates to may be declared by another.

    Raises:
        CompileError: it cannot be compiled.
    """
    check_parameters(group.known, settings, name)
    with explained(path):
        group.known.evaluate_only(f"include {name}\n")
    return compile_node(
        group.known,
        group.environment,
        replace(settings, lenient=True, alone=name),
        Target(settings.node or DEFAULT_NODE, "named"),
        facts,
        path,
        helper,
    )


def partial_of(made: Catalog | CompileError) -> Catalog | None:
    """Return a catalog, or what compiles of it in spite of errors."""
    return made.catalog if isinstance(made, CompileError) else made


def compiled(made: Catalog | CompileError) -> Catalog:
    """Return a catalog.

    Raises:
        CompileError: there is none.
    """
    if isinstance(made, CompileError):
        raise made
    return made


def helper_for(settings: Settings) -> AbstractContextManager[Helper | None]:
    """Return the helper that evaluates Ruby, None unless the options ask for it.

    Raises:
        InputError: there is no such Ruby.
    """
    if settings.ruby is None:
        return nullcontext()
    from analyzer.frontends.puppet.bridge.helper import Helper

    return Helper.of(settings.ruby)


def read_manifests(
    environment: Environment, settings: Settings, watch: Watch | None = None
) -> DefinitionTable:
    """Parse the manifests of an environment.

    Raises:
        CompileError: one of them is no Puppet program.
    """
    strict: Strictness = "error" if settings.puppet_version >= STRICT else "warning"
    known = DefinitionTable(
        environment.modulepath,
        strict,
        settings.overlay,
        environment.placed,
        environment.folder,
        watch,
        () if settings.strict else declaring_folders(environment.folder),
    )
    failed = Failed(several=False)
    for path in environment.manifests:
        reach = within(environment.roots)
        with failed.on(path), explained(path), limited(settings.time_limit), reach:
            try:
                text = known.read(path)
            except (OSError, UnicodeDecodeError) as error:
                raise InputError(unreadable(error), Span(path)) from None
            known.add_program(text, path, known.store)
    if failed.error is not None:
        raise failed.error
    return known


def compile_node(
    known: DefinitionTable,
    environment: Environment,
    settings: Settings,
    target: Target,
    facts: dict[str, Value] | None,
    path: str,
    helper: Helper | None = None,
    exports: Exports | None = None,
) -> Catalog:
    """Compile the catalog of one node, without facts they are Unknown; and take what it exports.

    A role is declared as a classifier would, in place of the node block.

    Raises:
        CompileError: it cannot be compiled.
    """
    node = target.node
    found = classified(settings, target)
    environment, known = environment_of(found, environment, known, settings)
    inputs = inputs_of(target, found, environment, settings, facts)
    compiler = Compiler(known, inputs, exports, linked(helper))
    deepest = sys.getrecursionlimit()
    sys.setrecursionlimit(DEEPEST)
    try:
        with explained(path), limited(settings.time_limit), within(environment.roots):
            compilation = compiler.compile()
            if exports is not None:
                exports.replace(node, exports_of(compilation))
            return catalog_of(compilation, settings, path, environment)
    except CompileError as error:
        if compiler.may_go_on:
            with explained(path), within(environment.roots):
                error.catalog = catalog_of(compiler.compilation, settings, path, environment)
        say_closed(error, environment.closed)
        raise
    finally:
        sys.setrecursionlimit(deepest)


def catalog_of(
    compilation: Compilation, settings: Settings, path: str, environment: Environment
) -> Catalog:
    """Return the catalog of a compile."""
    catalog = to_catalog(compilation, path)
    catalog.modules = environment.modulepath, environment.roots
    catalog.record = record_of(compilation, keep_variables=settings.keep_variables)
    catalog.gaps = gaps_of(compilation, environment.closed)
    only_stubs = settings.stubs.facts and not settings.facts
    catalog.warnings = [*compilation.warnings, *([ONLY_STUBS] if only_stubs else [])]
    return catalog


def inputs_of(
    target: Target,
    found: Classified,
    environment: Environment,
    settings: Settings,
    facts: Facts | None,
) -> Inputs:
    """Return the inputs of the compile of a node, with the answer of a classifier."""
    return Inputs(
        target.node,
        facts,
        environment=found.environment or environment.name,
        environment_dir=environment.folder,
        hiera_config=settings.hiera_config,
        classes=found.classes,
        node_parameters=found.parameters,
        trusted=settings.trusted or None,
        server_facts=server_facts(settings.server_facts),
        stubs=settings.stubs,
        strict_variables=bool(settings.strict_variables) or settings.puppet_version >= STRICT,
        puppet_version=settings.puppet_version,
        lenient=settings.lenient,
        alone=settings.alone,
        parameters=settings.parameters,
        strict=settings.strict,
        node_blocks=target.role is None,
        typical=settings.typical,
    )


def linked(helper: Helper | None) -> Callable[[Compilation], Ruby] | None:
    """Return the constructor of a compilation's bridge to Ruby, None without a helper."""
    if helper is None:
        return None
    from analyzer.frontends.puppet.bridge.calls import RubyCalls

    return partial(RubyCalls, helper)


def environment_of(
    found: Classified, environment: Environment, known: DefinitionTable, settings: Settings
) -> tuple[Environment, DefinitionTable]:
    """Return the environment that a classifier puts a node into, and what it defines.

    Raises:
        CompileError: there is no such environment (Puppet::Environments).
    """
    folder = folder_beside(
        environment, found.environment or "", settings.nodes_dir or settings.enc or ""
    )
    if folder is None:
        return environment, known
    if folder not in known.others:
        there = replace(settings, environment=None, overlay=known.overlay)
        other = of_folder(folder, None, there)
        known.others[folder] = other, read_manifests(other, there)
    return known.others[folder]
