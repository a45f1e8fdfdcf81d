"""From a CFEngine policy to the project of a simulated run of the agent, and other ways of it."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from analyzer.apply.engine.commands import CommandError, GoTo
from analyzer.frontends.cfengine.agent.events import KEPT, NOT_KEPT, REPAIRED, TIMEOUT
from tui.run.agent_timeline import AgentTimeline
from tui.run.branch import prepare

if TYPE_CHECKING:
    from analyzer.apply.engine.commands import Inject
    from analyzer.apply.timeline import Timeline
    from analyzer.frontends.cfengine.agent.steps import Step
    from tui.project.opening import Progress, Request
    from tui.project.project import Project
    from tui.run.branch import Branch

# What a promise can be told to do in place of what it would, and its outcome then.
OUTCOMES = {"fail": NOT_KEPT, "change": REPAIRED, "ok": KEPT}


def of_policy(
    request: Request, progress: Progress, told: tuple[dict[str, object], ...] = ()
) -> Project:
    """Return the project of a policy: a file, or a folder of them.

    `told` are outcomes of promises, as rows of a file of outcomes.

    Raises:
        InputError: a file cannot be read, or CFEngine refuses the policy.
    """
    from analyzer.frontends.cfengine.agent.agenda import agenda_of
    from analyzer.session.policies import request_from, run_policy
    from tui.project.opening import built

    progress("simulating the agent")
    run = run_policy(request.path, replace(request_from(request.options), told=told))
    progress(f"laying out {len(run.steps):,} steps")
    agenda = agenda_of(run, request.path)
    agenda.catalog.warnings += run.warnings
    project = built(request, agenda.catalog, "policy", progress)

    def record() -> Timeline:
        return AgentTimeline(project.runs, run, agenda)

    def otherwise(row: dict[str, object]) -> Project:
        return of_policy(request, lambda _: None, (*told, row))

    title = os.path.basename(os.path.abspath(request.path))
    return replace(project, title=title, record=record, otherwise=otherwise)


def why_not_told(timeline: AgentTimeline, node: int) -> str:
    """Return why a promise cannot be told an outcome at the cursor, empty if it can."""
    name = timeline.graph.names[node]
    promise = timeline.promise(node)
    if promise is None:
        return f"{name} only contains promises: select one of them"
    turn = timeline.turn(node)
    if turn is None:
        begun = timeline.begun.get(node)
        return f"{name} was begun in step {begun[0]}: go back" if begun else f"{name} is not begun"
    if not is_told(timeline.agent.steps[turn]):
        return f"what becomes of {name} follows from the policy itself"
    return ""


def is_told(step: Step) -> bool:
    """Tell whether an outcome of a promise is taken from what is given."""
    return step.outcome in (KEPT, REPAIRED, NOT_KEPT, TIMEOUT) and step.type != "reports"


def another_way(project: Project, branch: Branch, command: Inject) -> Branch:
    """Return the run in which the next look at a promise has another outcome, at the cursor.

    Raises:
        CommandError: the promise cannot be told one here.
    """
    from analyzer.session.policies import told_row

    timeline = branch.timeline
    assert isinstance(timeline, AgentTimeline)
    try:
        node = timeline.graph.find(command.ref)
    except KeyError as error:
        raise CommandError(error.args[0]) from None
    wrong = why_not_told(timeline, node)
    turn = timeline.turn(node)
    event = timeline.agent.steps[turn].event if turn is not None else None
    outcome = OUTCOMES.get(command.outcome.apply)
    if wrong or event is None or outcome is None or project.otherwise is None:
        raise CommandError(wrong or f"{command.ref} cannot be told that")
    found = project.otherwise(told_row(event, outcome))
    new = prepare(found).branch
    if not isinstance(new.timeline, AgentTimeline) or not alike(timeline, new.timeline):
        raise CommandError(f"{command.ref} was looked at before: it would be told that then")
    new.timeline.do(GoTo(timeline.position))
    new.project, new.since = found, timeline.position
    branch.project = project
    return new


def alike(one: AgentTimeline, other: AgentTimeline) -> bool:
    """Tell whether two runs are the same up to the cursor of the first."""
    last = one.position + 1
    pairs = zip(one.agent.steps[:last], other.agent.steps[:last], strict=False)
    return all((a.label, a.outcome) == (b.label, b.outcome) for a, b in pairs if not a.calls)
