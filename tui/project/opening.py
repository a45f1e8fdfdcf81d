"""Opens any input: catalogs, manifests, control repos, policies, reports, journals."""

from __future__ import annotations

import gc
from dataclasses import replace
from functools import partial

from tui.project.against import with_other
from tui.project.catalog import built, compile_settings, configuration
from tui.project.child import in_child
from tui.project.project import OpenRequest, Progress, Project
from tui.project.repository import OpenRepository, repository_of


def open_project(
    request: OpenRequest, progress: Progress = lambda _: None
) -> Project | OpenRepository:
    """Read an input and build its graph; return a repository if it has several nodes or worlds.

    `progress` may raise Cancelled. Garbage collection is off meanwhile: it would scan every
    resource repeatedly, and all objects made here live as long as the project is open.

    Raises:
        InputError: the input cannot be read.
        CompileError: the manifests cannot be compiled.
        Cancelled: `progress` raised it.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        found = reading(request, progress)
        if isinstance(found, Project):
            found = with_other(request, found, reading, progress)
        return found
    finally:
        gc.freeze()
        if enabled:
            gc.enable()


def reading(request: OpenRequest, progress: Progress) -> Project | OpenRepository:
    """Read an input, which is recognised by its content."""
    from analyzer.session.inputs import is_manifest, is_policy, load_catalog, maybe_run, read_input

    path = request.path
    progress("reading")
    if is_policy(path):
        from tui.project.policy import of_policy

        return of_policy(request, progress)
    if is_manifest(path):
        repository = repository_of(request, progress)
        if repository is not None:
            return repository
        config, version = configuration(request)
        progress("compiling")
        settings = compile_settings(request, config, version)
        check = partial(progress, "compiling")
        catalog = in_child(partial(load_catalog, path, settings), path, check)
        return replace(built(request, catalog, "manifests", progress), compiled_with=settings)
    data = read_input(path)
    if maybe_run(data):
        from tui.project.recording import of_run

        found = of_run(request, data, progress)
        if found is not None:
            return found
    return built(request, load_catalog(path, None, data), "catalog", progress)
