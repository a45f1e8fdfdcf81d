"""Explains why a promise runs in no earlier pass: what came only then, and what that came from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from analyzer.frontends.cfengine.agent.events import Event
from analyzer.frontends.cfengine.policy.variables import unresolved
from analyzer.source import Span

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.agent.run import Run
    from analyzer.frontends.cfengine.agent.steps import Step

MOST_CAUSES = 20
Line = tuple[int, str, Span | None]


def chain(run: Run, look: Step, missed: Step) -> Iterator[Line]:
    """Yield what a promise needed that was set after an earlier look at it: depth, text, place.

    Below each stands what made that possible in turn.
    """
    event = look.event
    if event is None:
        return
    after = index_of(run, missed)
    shown: set[tuple[str, str]] = set()
    yield from causes(run, event, after, 0, shown)


def causes(
    run: Run, event: Event, after: int, depth: int, shown: set[tuple[str, str]]
) -> Iterator[Line]:
    """Yield the causes of an event that are not older than another event."""
    for cause in event.causes:
        setter = run.events[cause.event]
        key = (cause.kind, cause.name)
        if key in shown or len(shown) > MOST_CAUSES or (depth == 0 and cause.event < after):
            continue
        shown.add(key)
        name = f"$({cause.name})" if cause.kind == "variable" else f"{cause.kind} {cause.name}"
        verb = "keeps" if cause.kind == "handle" else "sets"
        promise = f"{setter.type} '{' '.join(setter.promiser.split())}'"
        text = f"{name}: {promise} {verb} it in pass {setter.number}"
        yield depth, text, setter.promise.span
        yield from causes(run, setter, after, depth + 1, shown)


def index_of(run: Run, step: Step) -> int:
    """Return the number of a step's event."""
    return next((n for n, event in enumerate(run.events) if event is step.event), 0)


def missed_look(run: Run, look: Step) -> Step | None:
    """Return the last look at the same promise before one, which had no effect; None if none."""
    event = look.event
    earlier = [
        step
        for step in run.looks(event.promise if event else None)
        if step.number < look.number
        and step.event
        and step.event.within == (event and event.within)
    ]
    return next((step for step in reversed(earlier) if is_idle(step)), None)


def is_idle(step: Step) -> bool:
    """Return whether a look at a promise had no effect."""
    event = step.event
    if event is None:
        return False
    waits = event.type == "reports" and unresolved(event.promiser)
    return step.skipped or event.outcome == "not_set" or waits
