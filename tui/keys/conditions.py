"""When an action can be carried out: each function returns why it cannot, empty if it can."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tui.run.controller import Controller


def always(_: Controller) -> str:
    """Whenever."""
    return ""


def is_open(controller: Controller) -> str:
    """When something is open."""
    return "" if controller.project else "nothing is open"


def has_selection(controller: Controller) -> str:
    """When a resource is selected."""
    return is_open(controller) or ("" if controller.selection else "no resource is selected")


def can_go_on(controller: Controller) -> str:
    """When there is a next step."""
    if controller.project is None:
        return "nothing is open"
    timeline = controller.timeline
    if timeline.position < len(timeline) or timeline.state.phase == "running":
        return ""
    return "the run cannot begin" if timeline.error else "the run is at its end"


def can_go_back(controller: Controller) -> str:
    """When there is a step to go back."""
    reason = is_open(controller)
    return reason or ("" if controller.timeline.position else "this is the beginning")


def can_run_to(controller: Controller) -> str:
    """When the selection's turn is still to come."""
    return has_selection(controller) or can_go_on(controller)


def can_steer(controller: Controller) -> str:
    """When something can be told about the selection: it is a resource, and the run is open."""
    reason = has_selection(controller) or can_steer_run(controller)
    if reason:
        return reason
    node = controller.selected_node
    if node is None or controller.timeline.graph.resource(node) is None:
        return f"{controller.selection} only contains resources: select one of them"
    return ""


def can_inject(controller: Controller) -> str:
    """When something else can become of the selection than would."""
    from tui.run.agent_outcomes import why_not_told
    from tui.run.agent_timeline import AgentTimeline

    reason = has_selection(controller)
    if reason or not isinstance(controller.timeline, AgentTimeline):
        return reason or can_steer(controller)
    node = controller.selected_node
    return "" if node is None else why_not_told(controller.timeline, node)


def can_steer_run(controller: Controller) -> str:
    """When a run can go another way than it did."""
    reason = is_open(controller)
    if reason:
        return reason
    if controller.kind.fixed:
        return controller.kind.fixed
    return "the run cannot begin" if controller.timeline.error else ""


def can_pick(controller: Controller) -> str:
    """When the selection is ready."""
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
            return f"{controller.selection} is not ready: 'w' says what it waits for"
    return f"{controller.selection} is done"


def is_behind(controller: Controller) -> str:
    """When the run is known further than the cursor."""
    reason = is_open(controller)
    timeline = None if reason else controller.timeline
    if timeline is None:
        return reason
    return "" if timeline.position < len(timeline) else "this is the last step that is known"


def is_busy(controller: Controller) -> str:
    """When the run goes on by itself."""
    return "" if controller.busy else "nothing is going on"


def has_branches(controller: Controller) -> str:
    """When the run went several ways."""
    if len(controller.branches) > 1:
        return ""
    return "there is one branch: go back, then inject or pick, and another begins"


def has_past(controller: Controller) -> str:
    """When something else was selected before."""
    return "" if controller.past else "nothing was selected before"


def has_future(controller: Controller) -> str:
    """When one has gone back to an earlier selection."""
    return "" if controller.future else "nothing was selected after"


def has_cycle(controller: Controller) -> str:
    """When the graph has a cycle: the run says so before its first step.

    That of a policy goes on: promises that wait for each other are skipped.
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
