"""Manifests to catalogs: that of a node, or of a class by itself (Puppet::Parser::Compiler)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from analyzer.diagnostics import CompileError, InputError
from analyzer.frontends.puppet.class_groups import (
    ClassGroup,
    check_parameters,
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
from analyzer.frontends.puppet.evaluate.errors import EvaluationError, Watch
from analyzer.frontends.puppet.evaluate.limits import limited
from analyzer.frontends.puppet.evaluate.machine import STRICT
from analyzer.frontends.puppet.failures import TOO_MUCH, Failed, explained
from analyzer.frontends.puppet.node.environment import (
    Classified,
    Environment,
    Settings,
    declaring_folders,
    folder_beside,
    of_folder,
)
from analyzer.frontends.puppet.node.exports import Exports
from analyzer.frontends.puppet.node.language import sign_of_old_puppet
from analyzer.frontends.puppet.node.names import DEFAULT_NODE
from analyzer.frontends.puppet.syntax.diagnostic import ParseError
from analyzer.frontends.puppet.syntax.validate.walk import Strictness
from analyzer.frontends.puppet.targets import (
    Target,
    classified,
)
from analyzer.frontends.recursion import at_least
from analyzer.model.catalog import Catalog
from analyzer.model.values import Value
from analyzer.reach import within
from analyzer.source import Span

if TYPE_CHECKING:
    from analyzer.frontends.puppet.bridge.helper import Helper

Facts = dict[str, Value]

# The warning if no facts are given but those of `catgraph.toml`.
ONLY_STUBS = "the only facts are those of [stubs.facts] (--facts FILE)"

UNKNOWN_VARIABLE, VERSION = "Unknown variable: ", "--puppet-version 8 refuses them"
# The title of a resource of a defined type that is compiled by itself.
EXAMPLE = "example"

# Frames that a compile may need: an expression takes several, and bodies are nested.
DEEPEST = 20_000


def compile_class(
    group: ClassGroup,
    settings: Settings,
    name: str,
    facts: dict[str, Value] | None,
    path: str,
    helper: Helper | None,
) -> Catalog:
    """Compile a class by itself, or a resource of a defined type.

    What it relates to may be declared by another.

    Raises:
        CompileError: it cannot be compiled.
    """
    known = group.known
    check_parameters(known, settings, name)
    with explained(path):
        a_type = known.find("class", name) is None and known.find("define", name) is not None
        known.evaluate_only(f"{name} {{ '{EXAMPLE}': }}\n" if a_type else f"include {name}\n")
    return compile_node(
        group.known,
        group.environment,
        replace(settings, lenient=True, alone=name),
        Target(settings.node or DEFAULT_NODE, "named"),
        facts,
        path,
        helper,
    )


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
    """Parse the manifests of an environment; one that is no Puppet program fails each compile.

    Raises:
        CompileError: the compile is strict, and one of them is no Puppet program.
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
        limits = limited(settings.time_limit, settings.memory_limit)
        with failed.on(path), explained(path), limits, within(environment.roots):
            try:
                text = known.read(path)
            except (OSError, UnicodeDecodeError) as error:
                raise InputError(unreadable(error), Span(path)) from None
            try:
                known.add_program(text, path, known.store)
            except (EvaluationError, ParseError) as error:
                if settings.strict:
                    raise
                known.unparsed.append(error)
        if failed.error is not None and failed.error.code == TOO_MUCH:
            break
    if failed.error is not None:
        raise failed.error
    return known


def refuse_unparsed(known: DefinitionTable, path: str) -> None:
    """Refuse manifests that are no Puppet program.

    Raises:
        CompileError: one is.
    """
    if known.unparsed:
        with explained(path):
            first, *first.more = known.unparsed
            raise first


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
    limits = limited(settings.time_limit, settings.memory_limit)
    with at_least(DEEPEST):
        try:
            with explained(path), limits, within(environment.roots):
                compiler.compile()
                if exports is not None:
                    exports.replace(node, exports_of(compiler.compilation))
                return catalog_of(compiler.compilation, settings, path, environment)
        except CompileError as error:
            # Where a limit ends a compile is chance, and the rest would need as much again.
            if compiler.may_go_on and error.code != TOO_MUCH:
                limits = limited(settings.time_limit, settings.memory_limit)
                with explained(path), limits, within(environment.roots):
                    error.catalog = catalog_of(compiler.compilation, settings, path, environment)
            say_closed(error, environment.closed)
            for one in (error, *error.others):
                one.node = node
            # The error may be kept, and this frame with it.
            del compiler
            raise
        finally:
            known.end()


def catalog_of(
    compilation: Compilation, settings: Settings, path: str, environment: Environment
) -> Catalog:
    """Return the catalog of a compile."""
    catalog = to_catalog(compilation, path)
    catalog.modules = environment.modulepath, environment.roots
    definitions = (entry.definition for entry in compilation.entries.values())
    catalog.placeholders = frozenset(one.name for one in definitions if one and one.missing)
    catalog.record = record_of(compilation, keep_variables=settings.keep_variables)
    catalog.gaps = gaps_of(compilation, environment.closed)
    only_stubs = settings.stubs.facts and not settings.facts
    catalog.warnings = [*counted_unknown(compilation), *([ONLY_STUBS] if only_stubs else [])]
    return catalog


def counted_unknown(compilation: Compilation) -> list[str]:
    """Return the warnings; those of unknown variables in code for an old Puppet as one."""
    unknown = [one for one in compilation.warnings if one.startswith(UNKNOWN_VARIABLE)]
    if not compilation.inputs.old or not unknown:
        return compilation.warnings
    count = f"{len(unknown)} unknown variables are" if unknown[1:] else "an unknown variable is"
    words = f"{count} undef, as before Puppet 8, since {compilation.inputs.old} ({VERSION})"
    rest = [one for one in compilation.warnings if one not in unknown]
    return [*rest, f"{words}; the first: {unknown[0]}"]


def inputs_of(
    target: Target,
    found: Classified,
    environment: Environment,
    settings: Settings,
    facts: Facts | None,
) -> Inputs:
    """Return the inputs of the compile of a node, with the answer of a classifier."""
    old = ""
    if settings.version_assumed and environment.folder is not None:
        old = sign_of_old_puppet(environment.folder)
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
        strict_variables=bool(settings.strict_variables)
        or (settings.puppet_version >= STRICT and not old),
        old=old,
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
