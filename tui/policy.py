"""From a CFEngine policy to the project of a simulated run of the agent."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from tui.agent_line import AgentTimeline

if TYPE_CHECKING:
    from analyzer.apply.timeline import Timeline
    from tui.opening import Progress, Request
    from tui.project import Project


def of_policy(request: Request, progress: Progress) -> Project:
    """Return the project of a policy: a file, or a folder of them.

    Raises:
        InputError: a file cannot be read, or CFEngine refuses the policy.
    """
    from analyzer.frontends.cfengine.agenda import agenda_of
    from analyzer.session.policies import request_from, run_policy
    from tui.opening import built

    progress("simulating the agent")
    run = run_policy(request.path, request_from(request.options))
    progress(f"laying out {len(run.steps):,} steps")
    agenda = agenda_of(run, request.path)
    agenda.catalog.warnings += run.warnings
    project = built(request, agenda.catalog, "policy", progress)

    def record() -> Timeline:
        return AgentTimeline(project.runs, run, agenda)

    title = os.path.basename(os.path.abspath(request.path))
    return replace(project, title=title, record=record)
