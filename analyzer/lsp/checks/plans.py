"""The plans of a job's compiles: its classes, and the nodes that have them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from analyzer.compiles.codebases import codebase_of, site_at
from analyzer.compiles.overlay import Overlay
from analyzer.compiles.plan import CompilePlan, plan_of_classes
from analyzer.diagnostics import CompileError, InputError
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.modules import Module
from analyzer.frontends.puppet.node.sites import name_of
from analyzer.frontends.puppet.worlds.watcher import Watcher
from analyzer.lsp.checks.nodes import is_site, nodes_of
from analyzer.lsp.checks.reach import Job
from analyzer.session.worlds.exploring import on_supported


def plans_of(
    job: Job, settings: Settings, watcher: Watcher, sets: Sequence[str] | None
) -> Iterator[CompilePlan]:
    """Yield the plans of the classes of a job, then that of the nodes that have them.

    `sets` are the names of sets of facts, None: those of the settings.
    """
    overlay = Overlay(job.overlay)
    for folder, classes in job.classes:
        # A search of worlds begins with the systems of the module.
        own = settings if sets is None else on_supported(folder, settings)
        module = Module(folder, name_of(folder), classes)
        code = codebase_of(module, own, overlay, watcher)
        yield plan_of_classes(folder, [code], own, sets)
    if is_site(job.folder) or job.site:
        path = job.folder or job.path
        own = replace(settings, overlay=overlay)
        try:
            yield nodes_of(job, path, site_at(path, own, watcher), own, sets)
        except (CompileError, InputError):
            # The error is shown in the manifest that has it.
            return
