"""The actions that are a command to the run: each row returns the command by an action's id."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from analyzer.apply.engine.commands import (
    Back,
    Command,
    Continue,
    FinishContainer,
    GoTo,
    Pick,
    Restart,
    RunTo,
    SetNoop,
    Step,
    StepBack,
)

if TYPE_CHECKING:
    from tui.run.controller import Controller


def selected(controller: Controller) -> str:
    """Return the selected resource or container."""
    return str(controller.selection)


def container(controller: Controller) -> str:
    """Return the selected container, or the container of the selected resource."""
    node = controller.selected_node
    graph = controller.timeline.graph
    if node is None or graph.resource(node) is None:
        return selected(controller)
    parent = graph.parent(node)
    return selected(controller) if parent is None else graph.names[parent]


def noop_of_selection(controller: Controller) -> SetNoop:
    """Return the command that switches noop of the selection."""
    node, timeline = controller.selected_node, controller.timeline
    switched = timeline.state.noops or {}
    if node is None or node in switched:
        return SetNoop(not switched.get(node), selected(controller))
    own = timeline.graph.own_noop(node)
    now = switched.get(None, timeline.settings.noop) if own is None else own
    return SetNoop(not now, selected(controller))


def noop_of_run(controller: Controller) -> SetNoop:
    """Return the command that switches noop of the run."""
    timeline = controller.timeline
    return SetNoop(not (timeline.state.noops or {}).get(None, timeline.settings.noop))


RUN_COMMANDS: dict[str, Callable[[Controller], Command]] = {
    "step": lambda _: Step(),
    "back": lambda _: StepBack(),
    "over": lambda _: FinishContainer(),
    "over-back": lambda _: Back(FinishContainer()),
    "continue": lambda _: Continue(),
    "continue-back": lambda _: Back(Continue()),
    "run-to": lambda controller: RunTo(selected(controller)),
    "run-back-to": lambda controller: Back(RunTo(selected(controller))),
    "finish": lambda controller: FinishContainer(container(controller)),
    "finish-back": lambda controller: Back(FinishContainer(container(controller))),
    "pick": lambda controller: Pick(selected(controller)),
    "head": lambda controller: GoTo(len(controller.timeline)),
    "restart": lambda _: Restart(),
    "noop": noop_of_selection,
    "noop-all": noop_of_run,
}
