"""Makes the project of a CFEngine policy: the simulated run of the agent over it."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from tui.project.catalog import built
from tui.project.child import in_child

if TYPE_CHECKING:
    from tui.project.project import OpenRequest, Progress, Project


def of_policy(
    request: OpenRequest, progress: Progress, injected: tuple[dict[str, object], ...] = ()
) -> Project:
    """Return the project of a policy: a file, or a folder of them.

    `injected` has outcomes of promises, as rows of a file of outcomes.

    Raises:
        InputError: a file cannot be read, or CFEngine refuses the policy.
    """
    from analyzer.frontends.cfengine.agent.agenda import agenda_of
    from analyzer.session.policies import request_from, run_policy

    progress("simulating the agent")
    asked = replace(request_from(request.options), injected=injected)
    check = partial(progress, "simulating the agent")
    run = in_child(partial(run_policy, request.path, asked), request.path, check)
    progress(f"laying out {len(run.steps):,} steps")
    agenda = agenda_of(run, request.path)
    agenda.catalog.warnings += run.warnings
    project = built(request, agenda.catalog, "policy", progress)

    def otherwise(row: dict[str, object]) -> Project:
        return of_policy(request, lambda _: None, (*injected, row))

    title = os.path.basename(os.path.abspath(request.path))
    return replace(project, title=title, agent=(run, agenda), otherwise=otherwise)
