"""Steps of a run in words: a label for lists, and the line that cf-agent -v has for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analyzer.frontends.cfengine.agent import journal
from analyzer.frontends.cfengine.agent.events import (
    KEPT,
    NOT_KEPT,
    NOT_SET,
    REPAIRED,
    SKIPPED,
    TIMEOUT,
)

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.agent.events import Event
    from analyzer.frontends.cfengine.agent.steps import Step

ENDED = {
    KEPT: "A: Promise was KEPT",
    REPAIRED: "A: Promise REPAIRED",
    NOT_KEPT: "A: Promise NOT KEPT!",
    TIMEOUT: "A: Promise TIMED-OUT",
}
SKIPS = {
    "class_guard": "Skipping {e.type} promise expansion with promiser '{e.promiser}' due to class"
    " guard '{e.detail}::' (pass {e.number})",
    "if": "Skipping promise '{e.promiser}' because constraint 'if => {e.detail}' is not met",
    "unless": "Skipping promise '{e.promiser}' because constraint 'unless => {e.detail}' is not"
    " met",
    "depends_on": "Skipping promise '{e.promiser}', as promise dependency '{e.detail}' has not yet"
    " been kept",
    "class_already_set": "Skipping evaluation of classes promise as class '{e.detail}' is already"
    " set",
}
# What the agent does not log, in words of our own.
SILENT = {
    "already_done": "its lock is taken: it is done already in this run",
    "held_unresolved": "the report waits: it still holds variables",
    "no_iteration": "a list in it is empty",
}


def label_of(step: Step) -> str:
    """Return what a list of steps shows."""
    name = step.bundle.name if step.bundle else ""
    if step.event is not None:
        shown = " ".join(step.event.promiser.split())
        word = "back in " if step.kind == journal.RETURN else ""
        return f"{word}{step.event.type} '{shown}'"
    return {
        journal.PREPARE: "before the first pass",
        journal.ENTER: f"bundle {name}",
        journal.PASS: f"pass {step.pass_number} of {name}",
        journal.SETTLE: f"variables of {name} once more, after its classes",
        journal.LEAVE: f"end of bundle {name}",
        journal.END: "end",
    }[step.kind]


def log_of(step: Step) -> str:
    """Return the line that the agent logs, or why it logs none; empty between promises."""
    if step.event is not None:
        return "" if step.calls else event_log(step.event, step.set_classes)
    name = step.bundle.name if step.bundle else ""
    words = {journal.ENTER: f"B: BEGIN bundle {name}", journal.LEAVE: f"B: END bundle {name}"}
    return words.get(step.kind, "")


def event_log(event: Event, classes: tuple[str, ...]) -> str:
    """Return the line for a promise."""
    if event.outcome == SKIPPED:
        words = SKIPS.get(event.reason)
        if words:
            return words.format(e=event)
        said = SILENT.get(event.reason, "")
        return f"{said} ({event.detail})" if said and event.detail else said or event.detail
    if event.reason == "undefined_type":
        return f"error: Undefined promise type '{event.detail}'"
    if event.type == "reports" and event.outcome == KEPT:
        return f"R: {event.promiser}"
    if event.type == "classes":
        return f"C:     +  class: {', '.join(classes)}" if event.outcome != NOT_SET else ""
    return ENDED.get(event.outcome, "")
