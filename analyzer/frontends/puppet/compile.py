"""Manifests to catalogs: one for every node and every set of facts (Puppet::Parser::Compiler)."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from analyzer.diagnostics import HOW_TO_SEE, INTERNAL, CompileError, InputError, words_of
from analyzer.frontends.puppet.class_groups import Alone, gap_of, of_modules, of_site, several
from analyzer.frontends.puppet.compiler.compiler import Compiler
from analyzer.frontends.puppet.compiler.definitions.table import Known
from analyzer.frontends.puppet.compiler.exported import exports_of
from analyzer.frontends.puppet.compiler.gaps import gaps_of, skipped_nodes
from analyzer.frontends.puppet.compiler.node_data import server_facts
from analyzer.frontends.puppet.compiler.results.catalog import to_catalog
from analyzer.frontends.puppet.compiler.results.record import record_of
from analyzer.frontends.puppet.compiler.unreadable import unreadable
from analyzer.frontends.puppet.evaluate.errors import EvaluationError, Unit
from analyzer.frontends.puppet.evaluate.limits import TOO_LARGE, TooMuch, limited, place_of_trace
from analyzer.frontends.puppet.evaluate.machine import STRICT
from analyzer.frontends.puppet.node.code import environment_of_code
from analyzer.frontends.puppet.node.environment import (
    Classified,
    Environment,
    Settings,
    find_environment,
    folder_beside,
    of_folder,
)
from analyzer.frontends.puppet.node.exchange import compile_nodes
from analyzer.frontends.puppet.node.exports import Exports
from analyzer.frontends.puppet.node.facts import fact_sets
from analyzer.frontends.puppet.syntax.diagnostic import ParseError
from analyzer.frontends.puppet.syntax.validate.walk import Strictness
from analyzer.model.catalog import Catalog
from analyzer.model.completeness import Gap
from analyzer.reach import within
from analyzer.source import Span, caret_snippet, without_secrets

if TYPE_CHECKING:
    from analyzer.frontends.puppet.bridge.helper import Helper

DEFAULT_NODE = "node.example.com"

# What is said where no facts are given but those of `catgraph.toml`.
ONLY_STUBS = "the only facts are those of [stubs.facts] (--facts FILE)"

# Frames that a compile may need: an expression takes several, and bodies are nested.
DEEPEST = 20_000


def compile_path(path: str, settings: Settings, *, one: bool = False) -> list[Catalog]:
    """Compile a manifest, a folder or a control repo: for each node and set of facts a catalog.

    Of modules, and of a manifest that only defines classes, each class is compiled by itself; `one`
    refuses it if there are several.

    Raises:
        InputError: something cannot be read.
        CompileError: a manifest cannot be compiled for some of the nodes.
    """
    alone = of_modules(path, settings)
    if alone:
        return compile_classes(path, settings, alone, one)
    with explained(path), limited(settings.time_limit):
        find = environment_of_code if settings.is_code else find_environment
        environment = find(path, settings)
    known = read_manifests(environment, settings)
    alone = of_site(path, settings, environment, known)
    if alone:
        return compile_classes(path, settings, alone, one)
    sets = fact_sets(settings)
    nodes = nodes_of(known, settings)
    catalogs = []
    failed = Failed(len(sets) * len(nodes) > 1)
    with helper_for(settings) as helper:
        for name, facts in sets:

            def compile_one(
                node: str, exports: Exports, facts: dict[str, Any] | None = facts
            ) -> Catalog:
                return compile_node(
                    known, environment, settings, node, facts, path, helper, exports
                )

            for node, made in compile_nodes(nodes, compile_one, settings.store, len(sets)):
                where = f"{node}, {name}" if len(sets) > 1 else node
                with failed.on(where, node):
                    catalog = compiled(made)
                    catalog.name = where
                    catalogs.append(catalog)
    for catalog in catalogs:
        catalog.gaps += left_out(known, settings)
    failed.tell(catalogs)
    return catalogs


def compile_classes(
    path: str, settings: Settings, groups: Sequence[Alone], one: bool
) -> list[Catalog]:
    """Compile classes each by itself; a class that cannot be is a gap, unless it was asked for.

    Raises:
        InputError: one is wanted, and there are several.
        CompileError: none can be compiled, or not all that were asked for.
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
                for name in group.classes:
                    shown = f"class {name}"
                    where = f"{shown}, {facts_name}" if len(sets) > 1 else shown
                    with failed.on(where, DEFAULT_NODE):
                        try:
                            catalog = compile_class(group, settings, name, facts, path, helper)
                        except CompileError as error:
                            gaps.setdefault(shown, gap_of(shown, error, DEFAULT_NODE))
                            raise
                        catalog.name = where
                        catalog.alone = True
                        catalogs.append(catalog)
    if settings.classes or not catalogs:
        failed.tell(catalogs)
    for catalog in catalogs:
        catalog.gaps += gaps.values()
    return catalogs


def compile_class(
    group: Alone,
    settings: Settings,
    name: str,
    facts: dict[str, Any] | None,
    path: str,
    helper: Helper | None,
) -> Catalog:
    """Compile a class by itself; what it relates to may be declared by another.

    Raises:
        CompileError: it cannot be compiled.
    """
    group.known.evaluate_only(f"include {name}\n")
    return compile_node(
        group.known,
        group.environment,
        replace(settings, lenient=True),
        settings.node or DEFAULT_NODE,
        facts,
        path,
        helper,
    )


def compiled(made: Catalog | CompileError) -> Catalog:
    """Return a catalog.

    Raises:
        CompileError: there is none.
    """
    if isinstance(made, CompileError):
        raise made
    return made


def helper_for(settings: Settings) -> AbstractContextManager[Helper | None]:
    """Return what evaluates Ruby, None unless it is asked for.

    Raises:
        InputError: there is no such Ruby.
    """
    if settings.ruby is None:
        return nullcontext()
    from analyzer.frontends.puppet.bridge.helper import Helper

    return Helper.of(settings.ruby)


class Failed:
    """The errors of several compiles, each once, with the nodes that it was met for."""

    def __init__(self, several: bool) -> None:
        self.several = several
        self.found: dict[tuple[str, Span], CompileError] = {}

    @contextmanager
    def on(self, where: str, node: str = "") -> Iterator[None]:
        """Remember the errors of one compile; some name the node, and are no others for that."""
        try:
            yield
        except CompileError as first:
            errors, first.others = (first, *first.others), ()
            for error in errors:
                words = error.message.removesuffix(f" for {node}")
                known = self.found.setdefault((words, error.span), error)
                if self.several:
                    known.nodes.append(where)

    def tell(self, catalogs: Sequence[Catalog] = ()) -> None:
        """Raise what was remembered, if anything.

        Raises:
            CompileError: there is such.
        """
        if self.found:
            first, *others = self.found.values()
            first.others, first.catalogs = tuple(others), tuple(catalogs)
            raise first


def left_out(known: Known, settings: Settings) -> list[Gap]:
    """Return the node blocks that `nodes_of` leaves out, unless the user named the nodes."""
    return [] if settings.node or settings.nodes else skipped_nodes(known.nodes)


def nodes_of(known: Known, settings: Settings) -> list[str]:
    """Return the nodes to compile for: those asked for, else those with a block of their name."""
    if settings.node:
        return [settings.node]
    if settings.nodes:
        return list(settings.nodes)
    names = [d.name for d in known.nodes if not hasattr(d.match, "pattern")]
    return names or [DEFAULT_NODE]


def read_manifests(environment: Environment, settings: Settings) -> Known:
    """Parse the manifests of an environment.

    Raises:
        CompileError: one of them is no Puppet program.
    """
    strict: Strictness = "error" if settings.puppet_version >= STRICT else "warning"
    known = Known(
        environment.modulepath, strict, settings.overlay, environment.placed, environment.folder
    )
    failed = Failed(several=False)
    for path in environment.manifests:
        reach = within(environment.roots)
        with failed.on(path), explained(path), limited(settings.time_limit), reach:
            try:
                text = known.read(path)
            except (OSError, UnicodeDecodeError) as error:
                raise CompileError(unreadable(error), Span(path), "unreadable") from None
            known.add_program(text, path, known.store)
    failed.tell()
    return known


def compile_node(
    known: Known,
    environment: Environment,
    settings: Settings,
    node: str,
    facts: dict[str, Any] | None,
    path: str,
    helper: Helper | None = None,
    exports: Exports | None = None,
) -> Catalog:
    """Compile the catalog of one node, without facts they are Unknown; and take what it exports.

    Raises:
        CompileError: it cannot be compiled.
    """
    found = classified(settings, node)
    environment, known = environment_of(found, environment, known, settings)
    compiler = Compiler(
        known,
        node,
        facts,
        environment=found.environment or environment.name,
        classes=found.classes,
        node_parameters=found.parameters,
        strict_variables=bool(settings.strict_variables) or settings.puppet_version >= STRICT,
        puppet_version=settings.puppet_version,
        environment_dir=environment.folder,
        hiera_config=settings.hiera_config,
        trusted=settings.trusted,
        server_facts=server_facts(settings.server_facts),
        stubs=settings.stubs,
        helper=helper,
        lenient=settings.lenient,
        exports=exports,
    )
    deepest = sys.getrecursionlimit()
    sys.setrecursionlimit(DEEPEST)
    try:
        with explained(path), limited(settings.time_limit), within(environment.roots):
            compiler.compile()
            if exports is not None:
                exports.replace(node, exports_of(compiler))
            catalog = to_catalog(compiler, path)
    finally:
        sys.setrecursionlimit(deepest)
    catalog.record = record_of(compiler)
    catalog.gaps = gaps_of(compiler)
    only_stubs = settings.stubs.facts and not settings.facts
    catalog.warnings = [*compiler.warnings, *([ONLY_STUBS] if only_stubs else [])]
    return catalog


def classified(settings: Settings, node: str) -> Classified:
    """Return what a classifier says of a node; the program runs if one is named."""
    if settings.enc is None:
        return Classified()
    from analyzer.frontends.puppet.node.classifier import classify

    return classify(settings.enc, node)


def environment_of(
    found: Classified, environment: Environment, known: Known, settings: Settings
) -> tuple[Environment, Known]:
    """Return the environment that a classifier puts a node into, and what it defines.

    Raises:
        CompileError: there is no such environment (Puppet::Environments).
    """
    folder = folder_beside(environment, found.environment or "", settings.enc or "")
    if folder is None:
        return environment, known
    if folder not in known.others:
        there = replace(settings, environment=None, overlay=known.overlay)
        other = of_folder(folder, None, there)
        known.others[folder] = other, read_manifests(other, there)
    return known.others[folder]


class explained:
    """Turns the errors of a compile into one that a person can read."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        """Raise the error again, in words.

        Raises:
            CompileError: there was one.
        """
        if isinstance(error, (EvaluationError, ParseError)):
            first, *others = [e for one in (error, *error.more) for e in self.errors_of(one)]
            first.others = tuple(others)
            raise first from None
        if isinstance(error, RecursionError):
            message = "this is nested too deeply, or calls itself without end"
            raise self.ended(message, "too-deep", place_of_trace(trace)) from None
        if isinstance(error, TooMuch):
            raise self.ended(error.message, "too-much", error.place) from None
        if isinstance(error, MemoryError):
            raise self.ended(TOO_LARGE, "too-much", place_of_trace(trace)) from None
        if isinstance(error, Exception) and not isinstance(error, (InputError, OSError)):
            message = f"{words_of(error)} ({HOW_TO_SEE})"
            raise self.ended(message, INTERNAL, place_of_trace(trace)) from None

    def ended(self, message: str, code: str, place: tuple[Unit, Any] | None) -> CompileError:
        """Return the error of a compile that was ended, where it was."""
        if place is None:
            return CompileError(message, Span(self.path), code)
        return next(self.errors_of(EvaluationError(message, *place), code))

    def errors_of(
        self, error: EvaluationError | ParseError, code: str = "cannot-compile"
    ) -> Iterator[CompileError]:
        """Yield an error with its line of the source, and what else is wrong with a text."""
        if isinstance(error, ParseError):
            for found in (error.diagnostic, *error.others):
                snippet = caret_snippet(error.text, found.line, found.column)
                span = Span(found.file or self.path, found.line, found.column)
                message = without_secrets(found.message, error.text)
                yield CompileError(message, span, found.code, snippet)
            return
        file, line, column = error.place
        snippet = caret_snippet(error.unit.text, line, column) if error.unit and line else ""
        span = Span(file or self.path, line, column)
        message = without_secrets(error.message, error.unit.text if error.unit else "")
        yield CompileError(message, span, code, snippet)
