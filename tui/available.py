"""When an action can be carried out: each function returns why it cannot, empty if it can."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tui.controller import Controller


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


def has_cycle(controller: Controller) -> str:
    """When the graph has a cycle: the run says so before its first step."""
    from analyzer.apply.events import CycleFound

    reason = is_open(controller)
    if reason:
        return reason
    begin = controller.timeline.events[:4]
    return "" if any(isinstance(e, CycleFound) for e in begin) else "there is no dependency cycle"
