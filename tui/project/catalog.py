"""Makes the project of a catalog or of a graph, and reads the configuration for an input."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui.project.neighbours import Surroundings
from tui.project.project import OpenRequest, Progress, Project

if TYPE_CHECKING:
    from analyzer.config import Config
    from analyzer.frontends.puppet.node.environment import Settings as CompileSettings
    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.model.catalog import Catalog


def configuration(request: OpenRequest) -> tuple[Config | None, int]:
    """Return the configuration of an input, and Puppet's major version."""
    from analyzer.session.settings import config_for

    config = config_for(request.path, request.options.get("config"))
    return config, request.options.get("puppet_version") or (config and config.puppet_version) or 8


def built(request: OpenRequest, catalog: Catalog, kind: str, progress: Progress) -> Project:
    """Return the project of a catalog."""
    from analyzer.model.catalog import resource_count
    from analyzer.model.nouns import counted
    from analyzer.session.inputs import graph_of
    from analyzer.session.settings import rules_for

    config, version = configuration(request)
    progress(f"relating {counted(resource_count(catalog), catalog.nouns.node)}")
    graph = graph_of(catalog, rules_for(catalog, config))
    return of_graph(request, graph, kind, config, progress, version)


def of_graph(
    request: OpenRequest,
    graph: RelationshipGraph,
    kind: str,
    config: Config | None,
    progress: Progress,
    version: int = 8,
) -> Project:
    """Return the project of a graph."""
    from analyzer.apply.engine.run_graph import RunGraph
    from analyzer.apply.engine.skipping import RunSettings
    from analyzer.session.locating import locate

    locate(graph)
    catalog = graph.catalog
    progress(f"preparing the run of {graph.relationship_count:,} relationships")
    runs = RunGraph(graph)
    edges = Surroundings(graph).prepare()
    for node in range(min(1, runs.vertices)):
        runs.wiring.sources(node, lambda _: True)
    return Project(
        request.path,
        kind,
        catalog.name or request.path,
        graph,
        runs,
        RunSettings(puppet_version=version),
        edges,
        config,
        (*statement_of(graph), *catalog.warnings, *graph.warnings),
    )


def statement_of(graph: RelationshipGraph) -> list[str]:
    """Return the completeness statement of a catalog, as the commands print it."""
    if not graph.gaps:
        return []
    from analyzer.model.completeness import statement

    return statement(graph.gaps)


def compile_settings(
    request: OpenRequest, config: Config | None, version: int
) -> CompileSettings | None:
    """Return the settings to compile manifests, None for other inputs."""
    from os import pathsep

    from analyzer.session.inputs import is_manifest
    from analyzer.session.settings import settings_of

    if not is_manifest(request.path):
        return None
    given = {**request.options, "puppet_version": version}
    folders = given.get("modulepath")
    given["modulepath"] = folders.split(pathsep) if folders else ()
    return settings_of(config, given)
