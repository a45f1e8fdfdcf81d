"""Conditions of actions: each returns the reason why an action is not possible, or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tui.run.controller import Controller


def always(_: Controller) -> str:
    """Allow the action always."""
    return ""


def is_open(controller: Controller) -> str:
    """Require a project."""
    if controller.project:
        return ""
    if controller.exploring is not None:
        return "no world is open: press enter on one in the table of nodes"
    return "no project is open: press ^f to open one"


def has_nodes(controller: Controller) -> str:
    """Require a table of nodes."""
    if controller.exploring is not None:
        return ""
    return "there is no table of nodes: open a control repo or a module with several"


def is_exploring(controller: Controller) -> str:
    """Require a running exploration."""
    found = controller.exploring
    return "" if found is not None and found.current else "nothing is being explored"


def has_other(controller: Controller) -> str:
    """Require another catalog to compare with."""
    reason = is_open(controller)
    if reason or (controller.project and controller.project.other):
        return reason
    return "nothing to compare with: use 'catgraph tui INPUT --against REV'"


def has_lines(controller: Controller) -> str:
    """Require a project or a table of nodes."""
    return is_open(controller) if controller.exploring is None else ""


def has_selection(controller: Controller) -> str:
    """Require a selection."""
    return is_open(controller) or ("" if controller.selection else "no resource is selected")


def can_go_on(controller: Controller) -> str:
    """Require a next step."""
    if controller.project is None:
        return is_open(controller)
    timeline = controller.timeline
    if timeline.position < len(timeline) or timeline.state.phase == "running":
        return ""
    return "the run cannot start" if timeline.error else "the run has ended: press 'S' to step back"


def can_go_back(controller: Controller) -> str:
    """Require a previous step."""
    reason = is_open(controller)
    return reason or ("" if controller.timeline.position else "this is the beginning of the run")


def can_run_to(controller: Controller) -> str:
    """Require a selection and a next step."""
    return has_selection(controller) or can_go_on(controller)


def can_steer(controller: Controller) -> str:
    """Require a selected resource in a run that can be steered."""
    reason = has_selection(controller) or can_steer_run(controller)
    if reason:
        return reason
    node = controller.selected_node
    if node is None or controller.timeline.graph.resource(node) is None:
        return f"{controller.selection} is a container: select a resource in it"
    return ""


def can_inject(controller: Controller) -> str:
    """Require a resource or promise whose outcome can be injected."""
    from tui.run.agent_outcomes import why_not_injectable
    from tui.run.agent_timeline import AgentTimeline

    reason = has_selection(controller)
    if reason or not isinstance(controller.timeline, AgentTimeline):
        return reason or can_steer(controller)
    node = controller.selected_node
    return "" if node is None else why_not_injectable(controller.timeline, node)


def can_steer_run(controller: Controller) -> str:
    """Require a run that can be steered."""
    reason = is_open(controller)
    if reason:
        return reason
    if controller.kind.fixed:
        return controller.kind.fixed
    return "the run cannot start" if controller.timeline.error else ""


def can_pick(controller: Controller) -> str:
    """Require a resource that is ready."""
    reason = can_steer(controller)
    if reason:
        return reason
    from analyzer.apply.engine.transaction import is_ready

    timeline = controller.timeline
    node = controller.selected_node
    if node is not None and timeline.state.phase == "running":
        if is_ready(timeline.state, timeline.graph, node):
            return ""
        if timeline.state.statuses[node] is None:
            return f"{controller.selection} is not ready: press 'w' to see what it waits for"
    return f"{controller.selection} was applied already"


def is_behind(controller: Controller) -> str:
    """Require steps after this one."""
    reason = is_open(controller)
    timeline = None if reason else controller.timeline
    if timeline is None:
        return reason
    return "" if timeline.position < len(timeline) else "this is the latest step"


def is_busy(controller: Controller) -> str:
    """Require a running command."""
    return "" if controller.busy else "no run is in progress"


def has_branches(controller: Controller) -> str:
    """Require more than one branch."""
    if len(controller.branches) > 1:
        return ""
    return "there is only one branch: to start another one, step back, then inject or pick"


def has_past(controller: Controller) -> str:
    """Require an earlier selection."""
    return "" if controller.history.past else "there is no earlier selection"


def has_future(controller: Controller) -> str:
    """Require a later selection."""
    return "" if controller.history.future else "there is no later selection"


def has_cycle(controller: Controller) -> str:
    """Require a cycle: the run reports it before its first step.

    The agent goes on with a cycle: it skips promises that wait for each other.
    """
    from analyzer.apply.engine.events import CycleFound
    from tui.run.agent_timeline import AgentTimeline

    reason = is_open(controller)
    if reason:
        return reason
    timeline = controller.timeline
    found = any(isinstance(event, CycleFound) for event in timeline.events[:4])
    if isinstance(timeline, AgentTimeline):
        found = bool(controller.cycles())
    return "" if found else "there is no dependency cycle"
