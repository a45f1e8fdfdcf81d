"""From anything that can be opened to a project: catalogs, manifests, policies, reports, logs."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tui.project.project import Project

if TYPE_CHECKING:
    from analyzer.config import Config
    from analyzer.frontends.puppet.node.environment import Settings as CompileSettings
    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.model.catalog import Catalog

# Told what is being done while something is opened.
Progress = Callable[[str], None]


class Cancelled(Exception):
    """The person does not want to wait."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to open: an input, and how to compile it by the names of the command's options."""

    path: str
    options: Mapping[str, Any] = field(default_factory=dict)


def open_project(request: Request, progress: Progress = lambda _: None) -> Project:
    """Read an input and build its graph.

    `progress` may raise Cancelled. The collector rests meanwhile: it would look at every resource
    again and again, and what is made here lives as long as it is open.

    Raises:
        InputError: it cannot be read.
        CompileError: it cannot be compiled.
        Cancelled: `progress` did not want to go on.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        return reading(request, progress)
    finally:
        gc.freeze()
        if enabled:
            gc.enable()


def reading(request: Request, progress: Progress) -> Project:
    """Recognise an input by its content, and read it."""
    from analyzer.session import is_manifest, is_policy, load_catalog, maybe_run, read_input

    path = request.path
    progress("reading")
    if is_policy(path):
        from tui.run.agent_outcomes import of_policy

        return of_policy(request, progress)
    if is_manifest(path):
        config, version = configuration(request)
        progress("compiling")
        settings = compile_settings(request, config, version)
        catalog = load_catalog(path, settings)
        return replace(built(request, catalog, "manifests", progress), compiled_with=settings)
    data = read_input(path)
    if maybe_run(data):
        from tui.project.recording import of_run

        found = of_run(request, data, progress)
        if found is not None:
            return found
    return built(request, load_catalog(path, None, data), "catalog", progress)


def configuration(request: Request) -> tuple[Config | None, int]:
    """Return the configuration that holds for an input, and Puppet's major version."""
    from analyzer.session import config_for

    config = config_for(request.path, request.options.get("config"))
    return config, request.options.get("puppet_version") or (config and config.puppet_version) or 8


def built(request: Request, catalog: Catalog, kind: str, progress: Progress) -> Project:
    """Return the project of a catalog."""
    from analyzer.session import graph_of, rules_for

    config, version = configuration(request)
    progress(f"relating {len(catalog.resources):,} resources")
    graph = graph_of(catalog, rules_for(catalog, config))
    return of_graph(request, graph, kind, config, progress, version)


def of_graph(
    request: Request,
    graph: RelationshipGraph,
    kind: str,
    config: Config | None,
    progress: Progress,
    version: int = 8,
) -> Project:
    """Return the project of a graph."""
    from analyzer.apply.engine.run_graph import RunGraph
    from analyzer.apply.engine.skipping import Settings
    from tui.present.edges import EdgeIndex

    catalog = graph.catalog
    progress(f"preparing the run of {graph.relationship_count:,} relationships")
    runs = RunGraph(graph)
    edges = EdgeIndex(graph).prepare()
    for node in range(min(1, runs.vertices)):
        runs.wiring.sources(node, lambda _: True)
    return Project(
        request.path,
        kind,
        catalog.name or request.path,
        graph,
        runs,
        Settings(puppet_version=version),
        edges,
        config,
        (*statement_of(graph), *catalog.warnings, *graph.warnings),
    )


def statement_of(graph: RelationshipGraph) -> list[str]:
    """Return what is not known of a catalog, as the commands print it."""
    if not graph.gaps:
        return []
    from analyzer.model.completeness import statement

    return statement(graph.gaps)


def compile_settings(
    request: Request, config: Config | None, version: int
) -> CompileSettings | None:
    """Return how to compile manifests, None for other inputs."""
    from os import pathsep

    from analyzer.session import is_manifest, settings_of

    if not is_manifest(request.path):
        return None
    given = {**request.options, "puppet_version": version}
    folders = given.get("modulepath")
    given["modulepath"] = folders.split(pathsep) if folders else ()
    return settings_of(config, given)
