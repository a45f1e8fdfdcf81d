"""From anything that can be opened to a project: catalogs, manifests, policies, reports, logs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tui.project import Project

if TYPE_CHECKING:
    from analyzer.frontends.puppet.environment import Settings as CompileSettings
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

    `progress` may raise Cancelled.

    Raises:
        InputError: it cannot be read.
        CompileError: it cannot be compiled.
        Cancelled: `progress` did not want to go on.
    """
    from analyzer.apply.run_graph import RunGraph
    from analyzer.apply.skipping import Settings
    from analyzer.session import config_for, graph_of, is_manifest, rules_for

    path = request.path
    config = config_for(path, request.options.get("config"))
    version = request.options.get("puppet_version") or (config and config.puppet_version) or 8
    progress("compiling" if is_manifest(path) else "reading")
    catalog = catalog_of(request, compile_settings(request, config, version))
    progress(f"relating {len(catalog.resources):,} resources")
    graph = graph_of(catalog, rules_for(catalog, config), version)
    progress("preparing the run")
    runs = RunGraph(graph)
    kind = "manifests" if is_manifest(path) else "policy" if path.endswith(".cf") else "catalog"
    return Project(
        path,
        kind,
        catalog.name or path,
        graph,
        runs,
        Settings(puppet_version=version),
        config,
        tuple(catalog.warnings + graph.kernel.warnings),
    )


def catalog_of(request: Request, settings: CompileSettings | None) -> Catalog:
    """Return the one catalog of an input."""
    from analyzer.session import load_catalog

    return load_catalog(request.path, settings)


def compile_settings(request: Request, config: Any, version: int) -> CompileSettings | None:
    """Return how to compile manifests, None for other inputs."""
    from os import pathsep

    from analyzer.session import is_manifest, settings_of

    if not is_manifest(request.path):
        return None
    given = {**request.options, "puppet_version": version}
    folders = given.get("modulepath")
    given["modulepath"] = folders.split(pathsep) if folders else ()
    return settings_of(config, given)
