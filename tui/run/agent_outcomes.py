"""Branches of a policy's run: another simulation with a different outcome of one promise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.apply.engine.commands import CommandError, GoTo
from analyzer.frontends.cfengine.agent.events import KEPT, NOT_KEPT, REPAIRED, TIMEOUT
from tui.run.agent_timeline import AgentTimeline
from tui.run.branch import prepare

if TYPE_CHECKING:
    from analyzer.apply.engine.commands import Inject
    from analyzer.frontends.cfengine.agent.steps import Step
    from tui.project.project import Project
    from tui.run.branch import Branch

# The outcome of a promise for each outcome that can be injected.
OUTCOMES = {"fail": NOT_KEPT, "change": REPAIRED, "ok": KEPT}


def why_not_injectable(timeline: AgentTimeline, node: int) -> str:
    """Return why you cannot inject an outcome of a promise here; empty if you can."""
    name = timeline.graph.names[node]
    promise = timeline.promise(node)
    if promise is None:
        return f"{name} is a bundle: select a promise in it"
    turn = timeline.turn(node)
    if turn is None:
        begun = timeline.begun.get(node)
        if begun:
            return f"the agent began {name} in step {begun[0]}: go back before it"
        return f"the agent does not begin {name}"
    if not is_given(timeline.agent.steps[turn]):
        return f"the policy itself decides the outcome of {name}"
    return ""


def is_given(step: Step) -> bool:
    """Return whether the outcome of a step was given, and does not come from the policy."""
    return step.outcome in (KEPT, REPAIRED, NOT_KEPT, TIMEOUT) and step.type != "reports"


def branch_with_outcome(project: Project, branch: Branch, command: Inject) -> Branch:
    """Return the run in which the promise has another outcome at its next turn, at this position.

    Raises:
        CommandError: the promise cannot have that outcome here.
    """
    from analyzer.session.policies import outcome_row

    timeline = branch.timeline
    assert isinstance(timeline, AgentTimeline)
    try:
        node = timeline.graph.find(command.ref)
    except KeyError as error:
        raise CommandError(error.args[0]) from None
    wrong = why_not_injectable(timeline, node)
    turn = timeline.turn(node)
    event = timeline.agent.steps[turn].event if turn is not None else None
    outcome = OUTCOMES.get(command.outcome.apply)
    if wrong or event is None or outcome is None or project.otherwise is None:
        raise CommandError(wrong or f"{command.ref} cannot have that outcome")
    found = project.otherwise(outcome_row(event, outcome))
    new = prepare(found).branch
    if not isinstance(new.timeline, AgentTimeline) or not is_same_so_far(timeline, new.timeline):
        raise CommandError(
            f"the agent evaluated {command.ref} before: the outcome would change the past"
        )
    new.timeline.do(GoTo(timeline.position))
    new.project, new.since = found, timeline.position
    branch.project = project
    return new


def is_same_so_far(one: AgentTimeline, other: AgentTimeline) -> bool:
    """Return whether two runs are the same up to the position of the first."""
    last = one.position + 1
    pairs = zip(one.agent.steps[:last], other.agent.steps[:last], strict=False)
    return all((a.label, a.outcome) == (b.label, b.outcome) for a, b in pairs if not a.calls)
