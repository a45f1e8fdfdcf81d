"""The steps of a run, made of its journal, with labels and the log lines of cf-agent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from analyzer.frontends.cfengine.agent import journal
from analyzer.frontends.cfengine.agent.events import (
    KEPT,
    NOT_KEPT,
    NOT_SET,
    REPAIRED,
    SKIPPED,
    TIMEOUT,
    UNKNOWN,
    Event,
)
from analyzer.frontends.cfengine.agent.journal import Change, Journal, Mark
from analyzer.frontends.cfengine.policy.variables import Content
from analyzer.frontends.cfengine.syntax.ast import Bundle
from analyzer.source import Span

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
    "service_type": "services of this type are for Windows only",
}


@dataclass(frozen=True, slots=True)
class Step:
    """One step: `number` counts from 0; the state before it is `state_at(number)`.

    `kind` is one of journal.py: prepare, enter, pass, look, return, settle, leave, end. `event` is
    that of a look and of a return to the promise that called a bundle, None otherwise; `calls`
    says that a look enters a bundle, so that its outcome is that of the return. `depth` counts the
    bundles that are open. Classes are named as policies do (`ns:x` outside the default namespace).
    """

    number: int
    kind: str
    depth: int
    bundle: Bundle | None
    pass_number: int
    event: Event | None
    calls: bool
    set_classes: tuple[str, ...]
    cancelled: tuple[str, ...]
    variables: tuple[tuple[str, Content], ...]
    handles: tuple[str, ...]

    @property
    def label(self) -> str:
        """Return the label of the step."""
        return label_of(self)

    @property
    def log(self) -> str:
        """Return the line that cf-agent -v logs, empty if there is none."""
        return log_of(self)

    @property
    def type(self) -> str:
        """Return the promise type, empty between promises."""
        return self.event.type if self.event else ""

    @property
    def place(self) -> Span | None:
        """Return the place of the promise, or of the bundle."""
        if self.event:
            return self.event.promise.span
        return self.bundle.span if self.bundle else None

    @property
    def outcome(self) -> str:
        """Return the outcome, empty between promises and during a call of a bundle."""
        return self.event.outcome if self.event and not self.calls else ""

    @property
    def skipped(self) -> bool:
        """Return whether the promise was evaluated but did not run."""
        return self.event is not None and self.event.outcome == SKIPPED


def label_of(step: Step) -> str:
    """Return the label of the step in a list."""
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
        reason = SILENT.get(event.reason, "")
        return f"{reason} ({event.detail})" if reason and event.detail else reason or event.detail
    if event.outcome == UNKNOWN:
        return f"not known: {event.detail}"
    if event.reason == "undefined_type":
        return f"error: Undefined promise type '{event.detail}'"
    if event.type == "reports" and event.outcome == KEPT:
        return f"R: {event.promiser}"
    if event.type == "classes":
        return f"C:     +  class: {', '.join(classes)}" if event.outcome != NOT_SET else ""
    return ENDED.get(event.outcome, "")


def steps_of(kept: Journal, events: Sequence[Event]) -> Iterator[Step]:
    """Yield the steps of a run."""
    marks = kept.marks
    callers = {mark.event for mark in marks if mark.kind == journal.RETURN}
    ends = [*(mark.change for mark in marks[1:]), len(kept.changes)]
    for number, (mark, end) in enumerate(zip(marks, ends, strict=True)):
        changes = kept.changes[mark.change : end]
        yield Step(
            number,
            mark.kind,
            mark.frame.depth if mark.frame else 0,
            mark.frame.bundle if mark.frame else None,
            mark.number,
            events[mark.event] if mark.event is not None else None,
            mark.kind == journal.LOOK and mark.event in callers,
            tuple(names(changes, journal.CLASS, journal.PRIVATE)),
            tuple(cancelled(changes, mark)),
            tuple(values(changes)),
            tuple(names(changes, journal.HANDLE)),
        )


def names(changes: Sequence[Change], *kinds: str) -> Iterator[str]:
    """Yield the labels of the values that the step set."""
    for change in changes:
        if change.kind in kinds and change.after is not None:
            yield name_of(change.kind, change.key)


def cancelled(changes: Sequence[Change], mark: Mark) -> Iterator[str]:
    """Yield the classes that were taken away; those that end with a call of a bundle are not."""
    for change in changes if mark.kind != journal.LEAVE else ():
        if change.kind in (journal.CLASS, journal.PRIVATE) and change.after is None:
            yield name_of(change.kind, change.key)


def values(changes: Sequence[Change]) -> Iterator[tuple[str, Content]]:
    """Yield the variables that have other values at the end of a step, each once."""
    first: dict[str, Content | None] = {}
    last: dict[str, Content | None] = {}
    for change in changes:
        if change.kind == journal.VARIABLE:
            name = name_of(change.kind, change.key)
            first.setdefault(name, change.before)
            last[name] = change.after
    for name, value in last.items():
        if value is not None and value != first[name]:
            yield name, value


def name_of(kind: str, key: tuple[str, ...]) -> str:
    """Return the name by which a policy speaks of a class, variable or handle."""
    if kind in (journal.PRIVATE, journal.HANDLE):
        return key[-1]
    space = "" if key[0] == "default" else f"{key[0]}:"
    return space + ".".join(key[1:])


def bundle_name(bundle: Bundle) -> str:
    """Return a bundle's name with its namespace, if that is not the default one."""
    return bundle.name if bundle.namespace == "default" else f"{bundle.namespace}:{bundle.name}"


def open_bundles(marks: Sequence[Mark]) -> Iterator[tuple[Mark, ...]]:
    """Yield which bundles are open at each position."""
    stack: tuple[Mark, ...] = ()
    yield stack
    for mark in marks:
        if mark.kind == journal.ENTER:
            stack = (*stack, mark)
        elif mark.kind == journal.LEAVE:
            stack = stack[:-1]
        yield stack
