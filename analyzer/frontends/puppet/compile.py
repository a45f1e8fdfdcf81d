"""Manifests to catalogs: one for every node and every set of facts (Puppet::Parser::Compiler)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet.compiler.compiler import Compiler
from analyzer.frontends.puppet.compiler.exported import exports_of
from analyzer.frontends.puppet.compiler.known import Known
from analyzer.frontends.puppet.compiler.output import to_catalog
from analyzer.frontends.puppet.diagnostic import ParseError
from analyzer.frontends.puppet.environment import (
    Environment,
    Settings,
    find_environment,
    read_facts,
)
from analyzer.frontends.puppet.evaluate.errors import EvaluationError
from analyzer.frontends.puppet.exchange import compile_nodes
from analyzer.frontends.puppet.exports import Exports
from analyzer.model.catalog import Catalog
from analyzer.source import Span, caret_snippet

DEFAULT_NODE = "node.example.com"

# Frames that a compile may need: an expression takes several, and bodies are nested.
DEEPEST = 20_000


def compile_path(path: str, settings: Settings) -> list[Catalog]:
    """Compile a manifest, a folder or a control repo: for each node and set of facts a catalog.

    Raises:
        InputError: something cannot be read.
        CompileError: a manifest cannot be compiled for one of the nodes.
    """
    environment = find_environment(path, settings)
    known = read_manifests(environment)
    sets: list[tuple[str, dict[str, Any] | None]] = [
        (name, read_facts(name)) for name in settings.facts
    ] or [("", None)]
    catalogs = []
    for name, facts in sets:

        def compile_one(
            node: str, exports: Exports, facts: dict[str, Any] | None = facts
        ) -> Catalog:
            return compile_node(known, environment, settings, node, facts, path, exports)

        nodes = nodes_of(known, settings)
        for catalog in compile_nodes(nodes, compile_one, settings.store, len(sets)):
            if len(sets) > 1:
                catalog.name += f", {name}"
            catalogs.append(catalog)
    return catalogs


def nodes_of(known: Known, settings: Settings) -> list[str]:
    """Return the nodes to compile for: the one asked for, else those with a block of their name."""
    if settings.node:
        return [settings.node]
    names = [d.name for d in known.nodes if not hasattr(d.match, "pattern")]
    return names or [DEFAULT_NODE]


def read_manifests(environment: Environment) -> Known:
    """Parse the manifests of an environment.

    Raises:
        CompileError: one of them is no Puppet program.
    """
    known = Known(environment.modulepath)
    for path in environment.manifests:
        try:
            with open(path, encoding="utf-8", newline="") as file:
                text = file.read()
        except (OSError, UnicodeDecodeError) as error:
            raise CompileError(f"cannot be read: {error}", Span(path), "unreadable") from None
        with explained(path):
            known.add_program(text, path)
    return known


def compile_node(
    known: Known,
    environment: Environment,
    settings: Settings,
    node: str,
    facts: dict[str, Any] | None,
    path: str,
    exports: Exports,
) -> Catalog:
    """Compile the catalog of one node, without facts they are Unknown; and take what it exports.

    Raises:
        CompileError: it cannot be compiled.
    """
    found = classified(settings, node)
    compiler = Compiler(
        known,
        node,
        facts,
        environment=found.environment or environment.name,
        classes=found.classes,
        node_parameters=found.parameters,
        strict_variables=settings.puppet_version >= 8,
        environment_dir=environment.folder,
        hiera_config=settings.hiera_config,
        exports=exports,
    )
    deepest = sys.getrecursionlimit()
    sys.setrecursionlimit(DEEPEST)
    try:
        with explained(path):
            compiler.compile()
            exports.replace(node, exports_of(compiler))
    finally:
        sys.setrecursionlimit(deepest)
    catalog = to_catalog(compiler, path)
    catalog.warnings = [*compiler.warnings, *undecided(compiler)]
    return catalog


def classified(settings: Settings, node: str) -> Any:
    """Return what a classifier says of a node; the program runs if one is named."""
    from analyzer.frontends.puppet.classifier import Classified, classify

    return classify(settings.enc, node) if settings.enc else Classified()


def undecided(compiler: Compiler) -> Iterator[str]:
    """Yield what an Unknown should have decided, each place once."""
    seen = set()
    for unknown, what, unit, node in compiler.undecided_by:
        text = (
            f"{unit.file}:{unit.line(node)}: what this {what} does is not known: {unknown.reason}"
        )
        if text not in seen:
            seen.add(text)
            yield text


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
        if isinstance(error, ParseError):
            found = error.diagnostic
            raise CompileError(
                found.message, Span(found.file, found.line, found.column), found.code
            ) from None
        if isinstance(error, EvaluationError):
            file, line, column = error.place
            snippet = caret_snippet(error.unit.text, line, column) if error.unit and line else ""
            span = Span(file or self.path, line, column)
            raise CompileError(error.message, span, "cannot-compile", snippet) from None
        if isinstance(error, RecursionError):
            message = "the definitions call each other without end"
            raise CompileError(message, Span(self.path), "too-deep") from None
