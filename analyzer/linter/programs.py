"""Manifests compiled for the lint: every node and set of facts, or every class of a module."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from analyzer.diagnostics import CompileError
from analyzer.frontends.puppet.compile import (
    DEFAULT_NODE,
    STRICT,
    compile_node,
    helper_for,
    nodes_of,
    read_manifests,
)
from analyzer.frontends.puppet.compiler.known import Known
from analyzer.frontends.puppet.environment import (
    Environment,
    Settings,
    find_environment,
    of_folder,
)
from analyzer.frontends.puppet.facts import fact_sets
from analyzer.graph.autorelations import Rules
from analyzer.graph.relationship_graph import relate
from analyzer.linter.inputs import Module
from analyzer.linter.subjects import Compiled, Refusal
from analyzer.linter.texts import Texts
from analyzer.model.catalog import Catalog
from analyzer.model.statements import Record

# The name of a compile, what came of it, and the manifests that it read.
Run = tuple[str, Catalog | CompileError, frozenset[str]]

RulesFor = Callable[[Catalog], Rules | None]


@dataclass(frozen=True, slots=True)
class Program:
    """Something to compile, again and again with other texts: a site or the classes of a module."""

    path: str
    settings: Settings
    rules_for: RulesFor
    module: Module | None = None
    shuffle: int = 0

    def compiled(
        self, overlay: Mapping[str, str], only: Container[str] | None = None
    ) -> Iterator[Compiled | Refusal]:
        """Compile everything, or only what has certain names; errors are values.

        Raises:
            InputError: facts or other inputs cannot be read.
        """
        settings = replace(self.settings, lenient=True, overlay=overlay)
        runs = self._classes if self.module else self._nodes
        texts = Texts(overlay)
        for name, catalog, files in runs(settings, only):
            if isinstance(catalog, CompileError):
                for error in (catalog, *catalog.others):
                    yield Refusal(name, error, self.module is not None)
            else:
                yield compiled_of(
                    name,
                    catalog,
                    self.rules_for(catalog),
                    settings.puppet_version,
                    texts,
                    partial=self.module is not None,
                    shuffle=self.shuffle,
                    files=files,
                )

    def _nodes(self, settings: Settings, only: Container[str] | None) -> Iterator[Run]:
        environment = find_environment(self.path, settings)
        try:
            known = read_manifests(environment, settings)
        except CompileError as error:
            yield self.path, error, frozenset()
            return
        sets = fact_sets(settings)
        nodes = nodes_of(known, settings)
        with helper_for(settings) as helper:
            for name, facts in sets:
                for node in nodes:
                    parts = [node] if len(nodes) > 1 else []
                    parts += [name] if len(sets) > 1 else []
                    shown = f"{self.path} ({', '.join(parts)})" if parts else self.path
                    if only is None or shown in only:
                        run = self._run(known, environment, settings, node, facts, helper)
                        yield shown, run, known.files

    def _classes(self, settings: Settings, only: Container[str] | None) -> Iterator[Run]:
        module = self.module
        assert module is not None
        sets = fact_sets(settings)
        environment = environment_around(module, settings)
        paths = environment.modulepath
        strict: Any = "error" if settings.puppet_version >= STRICT else "warning"
        with helper_for(settings) as helper:
            for name, facts in sets:
                known = Known(paths, strict, settings.overlay, {module.name: module.folder})
                for one in module.classes:
                    shown = f"class {one}" + (f" ({name})" if len(sets) > 1 else "")
                    if only is not None and shown not in only:
                        continue
                    known.programs.clear()
                    known.add_program(f"include {one}\n", "")
                    run = self._run(known, environment, settings, DEFAULT_NODE, facts, helper)
                    yield shown, run, known.files

    def _run(
        self,
        known: Known,
        environment: Environment,
        settings: Settings,
        node: str,
        facts: Any,
        helper: Any,
    ) -> Catalog | CompileError:
        try:
            return compile_node(known, environment, settings, node, facts, self.path, helper)
        except CompileError as error:
            return error


def environment_around(module: Module, settings: Settings) -> Environment:
    """Return what a module is compiled in: the environment that it lies in, if there is one."""
    if module.environment is None:
        return Environment("production", (), (*settings.modulepath, *module.neighbours))
    found = of_folder(module.environment, (), settings)
    return replace(found, modulepath=(*found.modulepath, *module.neighbours))


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
    graph = relate(catalog, puppet_version, rules)
    record = catalog.record or Record()
    return Compiled(name, graph, record, puppet_version, partial, shuffle, files, texts.get)
