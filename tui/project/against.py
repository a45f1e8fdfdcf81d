"""Opens the other side of a comparison: `--against` names an input or a git revision."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from analyzer.diagnostics import InputError
from analyzer.source import Span
from tui.project.catalog import built, compile_settings, configuration
from tui.project.child import in_child
from tui.project.project import OpenRequest, Progress, Project

if TYPE_CHECKING:
    from collections.abc import Callable

    from analyzer.model.catalog import Catalog

OPTION = "--against"
SEVERAL = "it has several nodes or worlds: choose one with --node"
NO_RUN = "compare a catalog, manifests or a policy: a report has no relationships"


def with_other(
    request: OpenRequest,
    project: Project,
    read: Callable[[OpenRequest, Progress], object],
    progress: Progress,
) -> Project:
    """Return a project with the one that `--against` names; `read` opens an input.

    Raises:
        InputError: it cannot be read, or is not a single catalog.
    """
    wanted = request.options.get("against")
    if not wanted:
        return project
    if not project.has_catalog:
        raise InputError(NO_RUN, Span(request.path), "no-catalog")
    if os.path.exists(wanted):
        there = OpenRequest(wanted, {**request.options, "against": None})
        found = read(there, progress)
        if not isinstance(found, Project):
            raise InputError(SEVERAL, Span(wanted), "several")
        if not found.has_catalog:
            raise InputError(NO_RUN, Span(wanted), "no-catalog")
    else:
        found = of_revision(request, project, wanted, progress)
    return replace(project, other=replace(found, title=wanted))


def of_revision(
    request: OpenRequest, project: Project, revision: str, progress: Progress
) -> Project:
    """Return the project of an input as it was at a revision.

    Raises:
        InputError: there is no such revision, or it cannot be read.
        CompileError: its manifests cannot be compiled.
    """
    if project.kind == "policy":
        text = "no such file; a policy is compared with another policy, not with a revision"
        raise InputError(text, Span(revision), "no-policy")
    config, version = configuration(request)
    # Files of facts are the current ones, whatever the process's working folder is.
    facts = [os.path.abspath(name) for name in request.options.get("facts") or ()]
    now = replace(request, options={**request.options, "facts": facts}) if facts else request
    settings = compile_settings(now, config, version)

    def work() -> Catalog:
        from analyzer.session.inputs import load_catalog

        with placed(request.path, revision) as there:
            return load_catalog(there, settings)

    stage = f"compiling at {revision}"
    progress(stage)
    catalog = in_child(work, request.path, partial(progress, stage))
    return built(request, catalog, project.kind, progress)


@contextmanager
def placed(path: str, revision: str) -> Iterator[str]:
    """Yield the path of an input at a revision, or another input; without one, the path itself.

    This changes the working folder of the process meanwhile: use it in a separate process.

    Raises:
        InputError: there is no such revision.
    """
    from analyzer.session.repository.revisions import at_revision

    if not revision or os.path.exists(revision):
        yield revision or path
        return
    with at_revision(path, revision, OPTION) as there:
        yield there
