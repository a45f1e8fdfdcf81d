"""Explains why a promise runs in no earlier pass: what came only then, and what that came from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from analyzer.frontends.cfengine.agent.events import Cause, Event
from analyzer.frontends.cfengine.policy.evaluator import scalars
from analyzer.frontends.cfengine.policy.variables import unresolved
from analyzer.frontends.cfengine.syntax.class_expressions import names, parsed
from analyzer.source import Span

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.agent.run import Run
    from analyzer.frontends.cfengine.agent.steps import Step

MOST_CAUSES = 20
EXPRESSIONS = ("expression", "and", "or", "xor")
Line = tuple[int, str, Span | None]


def chain(run: Run, look: Step, missed: Step) -> Iterator[Line]:
    """Yield what a promise needed that was set after an earlier look at it: depth, text, place.

    Below each stands what made that possible in turn.
    """
    event = look.event
    if event is None:
        return
    after = index_of(run, missed.event)
    shown: set[tuple[str, str]] = set()
    yield from causes(run, event, after, 0, shown)


def causes(
    run: Run, event: Event, after: int, depth: int, shown: set[tuple[str, str]]
) -> Iterator[Line]:
    """Yield the causes of an event that are not older than another event."""
    number = index_of(run, event)
    for cause in (*event.causes, *classes_of(run, event)):
        setter = run.events[cause.event]
        key = (cause.kind, cause.name)
        old = cause.event < after if depth == 0 else cause.event >= number
        if key in shown or len(shown) > MOST_CAUSES or old:
            continue
        shown.add(key)
        name = f"$({cause.name})" if cause.kind == "variable" else f"{cause.kind} {cause.name}"
        verb = "keeps" if cause.kind == "handle" else "sets"
        promise = f"{setter.type} '{' '.join(setter.promiser.split())}'"
        text = f"{name}: {promise} {verb} it in pass {setter.number}"
        yield depth, text, setter.promise.span
        yield from causes(run, setter, after, depth + 1, shown)


def classes_of(run: Run, event: Event) -> Iterator[Cause]:
    """Yield the classes in the expression of a classes promise, with the events that set them."""
    at = next((s.number for s in run.steps if s.event is event), 0)
    for attribute in EXPRESSIONS if event.type == "classes" else ():
        value = event.promise.get(attribute)
        for text in scalars(value) if value is not None else ():
            expression = parsed(text) if "$" not in text and "@" not in text else None
            for name, wanted in names(expression) if expression is not None else ():
                step = setting_step(run, name, at) if wanted else None
                setter = run.steps[step].event if step is not None else None
                if setter is not None:
                    yield Cause("class", name, index_of(run, setter))


def setting_step(run: Run, name: str, before: int) -> int | None:
    """Return the last step before a position in which a class was set."""
    for step in reversed(run.steps[:before]):
        if name in step.set_classes:
            return step.number
    return None


def index_of(run: Run, event: Event | None) -> int:
    """Return the number of an event."""
    return next((number for number, one in enumerate(run.events) if one is event), 0)


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
