"""Manifests to catalogs: that of a node, or of a class by itself (Puppet::Parser::Compiler)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING

from analyzer.diagnostics import CompileError, InputError
from analyzer.frontends.puppet.compiler.compiler import Compiler
from analyzer.frontends.puppet.compiler.declared.compilation import Compilation, CompileInputs, Ruby
from analyzer.frontends.puppet.compiler.definitions.definition import unreadable
from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable
from analyzer.frontends.puppet.compiler.exported import exports_of
from analyzer.frontends.puppet.compiler.gaps import gaps_of, say_closed
from analyzer.frontends.puppet.compiler.nodes import server_facts
from analyzer.frontends.puppet.compiler.results.catalog import to_catalog
from analyzer.frontends.puppet.compiler.results.record import record_of
from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.evaluate.limits import limited
from analyzer.frontends.puppet.evaluate.listening import Watch
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
from analyzer.frontends.puppet.node.language import openvox_of, sign_of_old_puppet
from analyzer.frontends.puppet.syntax.diagnostic import ParseError
from analyzer.frontends.puppet.syntax.validate.walk import Strictness
from analyzer.frontends.recursion import at_least
from analyzer.model.catalog import Catalog
from analyzer.model.certnames import EXAMPLE_NODE
from analyzer.model.completeness import Gap, hint_in
from analyzer.model.values import Value
from analyzer.reach import Outside, may_read, within
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


@dataclass(frozen=True, slots=True)
class Codebase:
    """An environment, and what its manifests and modules define.

    `classes` are those to compile, each by itself; none: its nodes are compiled.
    """

    environment: Environment
    definitions: DefinitionTable
    classes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CatalogResult:
    """A catalog or the error that prevented it; with both, the rest compiles in spite of it."""

    catalog: Catalog | None
    error: CompileError | None = None


def compile_class(
    code: Codebase,
    settings: Settings,
    name: str,
    facts: dict[str, Value] | None,
    path: str,
    helper: Helper | None,
) -> CatalogResult:
    """Compile a class by itself, or a resource of a defined type.

    What it relates to may be declared by another.

    Raises:
        InputError: an input cannot be read, or the class has no such parameter.
    """
    known = code.definitions
    check_parameters(known, settings, name)
    alone = replace(settings, lenient=True, alone=name)
    node = settings.node or EXAMPLE_NODE
    try:
        with explained(path), known.evaluating_only(declaration_of(known, name)):
            return compile_node(code, alone, node, None, facts, path, helper)
    except CompileError as error:
        return failed_with(error)


def declaration_of(known: DefinitionTable, name: str) -> str:
    """Return the code that declares a class, or a resource of a defined type.

    The compile reports the errors of files where either may be.
    """
    while True:
        try:
            found = known.find_class_or_define(name)
            break
        except ParseError as error:
            known.accepted.add(error)
            known.take_refused(error, name.lower().removeprefix("::").partition("::")[0])
    is_type = found is not None and found.kind == "define"
    return f"{name} {{ '{EXAMPLE}': }}\n" if is_type else f"include {name}\n"


def check_parameters(known: DefinitionTable, settings: Settings, name: str) -> None:
    """Check that a class has the parameters for which the user gives values.

    Raises:
        InputError: it has no parameter of that name.
    """
    given = [key for key in settings.parameters if key.rpartition("::")[0] == name]
    definition = known.find_class_or_define(name) if given else None
    if definition is None or definition.kind == "define":
        return
    names = [parameter.name for parameter in definition.node.parameters]
    for key in given:
        last = key.rpartition("::")[2]
        if last not in names:
            near = get_close_matches(last, names, 1)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            raise InputError(f"class {name} has no parameter '{last}'{hint}", Span("--param"))


def helper_for(settings: Settings) -> AbstractContextManager[Helper | None]:
    """Return the helper that evaluates Ruby, None unless the options ask for it.

    Raises:
        InputError: there is no such Ruby.
    """
    if settings.ruby is None:
        return nullcontext()
    from analyzer.frontends.puppet.bridge.helper import helper_of

    return helper_of(settings.ruby)


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
                if isinstance(error, ParseError):
                    known.take_refused(error)
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
    code: Codebase,
    settings: Settings,
    node: str,
    role: str | None,
    facts: dict[str, Value] | None,
    path: str,
    helper: Helper | None = None,
    exports: Exports | None = None,
) -> CatalogResult:
    """Compile the catalog of one node, without facts they are Unknown; and take what it exports.

    A role is declared as a classifier would, in place of the node block.

    Raises:
        InputError: an input cannot be read.
    """
    try:
        found = classified(settings, node, role)
        environment, known = environment_of(found, code.environment, code.definitions, settings)
        inputs = inputs_of(node, role, found, environment, settings, facts, known.unparsed)
        compiler = Compiler(known, inputs, exports, linked(helper))
        return catalog_by(compiler, settings, environment, path, exports)
    except CompileError as error:
        return failed_with(error)


def catalog_by(
    compiler: Compiler,
    settings: Settings,
    environment: Environment,
    path: str,
    exports: Exports | None,
) -> CatalogResult:
    """Return the catalog that a compiler makes.

    Raises:
        CompileError: what compiles in spite of an error cannot be made a catalog.
    """
    node = compiler.compilation.inputs.node
    limits = limited(settings.time_limit, settings.memory_limit)
    with at_least(DEEPEST):
        try:
            with explained(path), limits, within(environment.roots):
                compiler.compile()
                if exports is not None:
                    exports.replace(node, exports_of(compiler.compilation))
                return CatalogResult(catalog_of(compiler.compilation, settings, path, environment))
        except CompileError as error:
            catalog = None
            # Where a limit ends a compile is chance, and the rest would need as much again.
            if compiler.may_go_on and error.code != TOO_MUCH:
                limits = limited(settings.time_limit, settings.memory_limit)
                with explained(path), limits, within(environment.roots):
                    catalog = catalog_of(compiler.compilation, settings, path, environment)
            say_closed(error, environment.closed)
            for one in (error, *error.others):
                one.node = node
            return failed_with(error, catalog)
        finally:
            compiler.compilation.definitions.end()


def failed_with(error: CompileError, catalog: Catalog | None = None) -> CatalogResult:
    """Return the result of a compile that failed, without its frames, which hold all its values."""
    for one in (error, *error.others):
        one.__traceback__ = one.__context__ = one.__cause__ = None
    return CatalogResult(catalog, error)


def classified(settings: Settings, node: str, role: str | None) -> Classified:
    """Return a classifier's answer for a node; the program runs if one is named.

    Raises:
        InputError: it says nothing of use.
    """
    if role:
        return Classified({role: None})
    if settings.nodes_dir is None and settings.enc is None:
        return Classified()
    from analyzer.frontends.puppet.node.classifier import classified_in, classify

    if settings.nodes_dir is not None:
        return classified_in(settings.nodes_dir, node)
    return classify(settings.enc or "", node)


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
    if environment.elsewhere and not settings.alone:
        place = environment.elsewhere
        reason, hint = (
            "no such file, so that Puppet reads none",
            "another manifest in environment.conf",
        )
        if not may_read(place, environment.roots):
            reason, hint = hint_in(str(Outside("").strerror))
        catalog.gaps.append(Gap("file", f"manifest {place}", reason, hint=hint))
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
    node: str,
    role: str | None,
    found: Classified,
    environment: Environment,
    settings: Settings,
    facts: Facts | None,
    refused: Sequence[Exception],
) -> CompileInputs:
    """Return the inputs of the compile of a node, with the answer of a classifier."""
    old, version = "", settings.puppet_version
    if settings.version_assumed and environment.folder is not None:
        old = sign_of_old_puppet(environment.folder, environment.modulepath, refused)
        version = openvox_of(environment.folder) or version
    return CompileInputs(
        node,
        facts,
        environment=found.environment or environment.name,
        environment_dir=environment.folder,
        hiera_config=settings.hiera_config,
        classes=found.classes,
        node_parameters=found.parameters,
        trusted=settings.trusted or None,
        server_facts=server_facts(settings.server_facts, version),
        stubs=settings.stubs,
        strict_variables=bool(settings.strict_variables)
        or (settings.puppet_version >= STRICT and not old),
        old=old,
        puppet_version=version,
        lenient=settings.lenient,
        alone=settings.alone,
        parameters=settings.parameters,
        strict=settings.strict,
        node_blocks=role is None,
        typical=settings.typical,
        no_legacy_facts=settings.no_legacy_facts,
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
        known.others[folder] = other, read_manifests(other, there, known.watch)
    return known.others[folder]
