"""Explains why a promise is not kept: a class, condition or lock, or it runs later."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analyzer.frontends.cfengine.agent.events import NOT_SET, Event
from analyzer.frontends.cfengine.agent.steps import SILENT
from analyzer.frontends.cfengine.agent.why_late import Line, chain, missed_look, setting_step
from analyzer.frontends.cfengine.policy.evaluator import words
from analyzer.frontends.cfengine.policy.setters import callers_of, setters_of
from analyzer.frontends.cfengine.policy.variables import references
from analyzer.frontends.cfengine.syntax.ast import Bundle, Promise, Scalar
from analyzer.frontends.cfengine.syntax.class_expressions import names, parsed
from analyzer.source import Span

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.agent.run import Run
    from analyzer.frontends.cfengine.agent.steps import Step


@dataclass(frozen=True, slots=True)
class Obstacle:
    """An obstacle: `kind` is class, if, unless, depends_on, lock, report, list, variable, type,
    turn or bundle; `step` and `place` are those of its subject, if it has any."""

    kind: str
    text: str
    step: int | None = None
    place: Span | None = None


@dataclass(frozen=True, slots=True)
class WhyNot:
    """The answer: the step in which the promise ran, or None and the obstacles.

    If it ran late, `missed` is the pass before, with the obstacles of that pass, and `chain` has
    what came since then.
    """

    promise: Promise
    step: int | None
    obstacles: tuple[Obstacle, ...]
    missed: int | None = None
    chain: tuple[Line, ...] = ()


def why_not(run: Run, promise: Promise, position: int | None = None) -> WhyNot:
    """Return the obstacles of a promise in the first `position` steps, by default in all."""
    position = len(run.steps) if position is None else position
    looks = run.looks(promise)
    before = [step for step in looks if step.number < position]
    for step in before:
        if step.event and step.event.begun and step.event.outcome != NOT_SET:
            return late(run, promise, step)
    if before:
        found = list(obstacles(run, before[-1]))
    elif looks:
        found = [turn(looks[0])]
    else:
        found = list(never_met(run, promise))
    later = next((s for s in looks if s.number >= position and not s.skipped), None)
    if before and later:
        found.append(turn(later))
    return WhyNot(promise, None, tuple(found))


def late(run: Run, promise: Promise, look: Step) -> WhyNot:
    """Return the answer for a promise that ran, with the reason if it did so in a later pass."""
    missed = missed_look(run, look) if look.pass_number > 1 else None
    if missed is None:
        return WhyNot(promise, look.number, ())
    found = tuple(obstacles(run, missed))
    lines = tuple(chain(run, look, missed))
    return WhyNot(promise, look.number, found, missed.pass_number, lines)


def turn(step: Step) -> Obstacle:
    """Return when a promise is evaluated."""
    word = "it is looked at" if step.skipped else "it is kept, or tried,"
    return Obstacle("turn", f"{word} in pass {step.pass_number}, step {step.number}", step.number)


def obstacles(run: Run, look: Step) -> Iterator[Obstacle]:
    """Yield the obstacles at the last evaluation."""
    event = look.event
    assert event is not None
    match event.reason:
        case "class_guard":
            yield from classes(run, event.detail, look)
        case "if" | "unless" as kind:
            state = "does not hold" if kind == "if" else "holds"
            yield Obstacle(kind, f"{kind} => {event.detail} {state}", look.number)
            yield from classes(run, event.detail, look, wanted=kind == "if")
        case "depends_on":
            yield handle(run, event.detail, look)
        case "already_done":
            yield lock(run, event, look)
        case "class_already_set":
            text = f"class {event.detail} is set already"
            yield Obstacle("class", text, setting_step(run, event.detail, look.number))
        case "held_unresolved":
            waits = ", ".join(f"$({name})" for name in references(event.promiser))
            yield Obstacle("report", f"{SILENT[event.reason]}: {waits}", look.number)
        case "no_iteration":
            yield Obstacle("list", SILENT[event.reason], look.number)
        case "service_type":
            yield Obstacle("type", SILENT[event.reason], look.number)
        case _ if event.outcome == NOT_SET:
            yield from expression(run, event, look)
        case _:
            yield Obstacle("type", event.detail or event.reason, look.number)


def expression(run: Run, event: Event, look: Step) -> Iterator[Obstacle]:
    """Yield the parts of a class's expression that do not hold."""
    found = False
    for name in ("expression", "and", "or", "not", "xor"):
        value = event.promise.get(name)
        if value is None:
            continue
        yield Obstacle("class", f"{name} => {words(value)} does not hold", look.number)
        found = True
        if isinstance(value, Scalar):
            yield from classes(run, value.text, look, wanted=name != "not")
    if not found:
        yield Obstacle("class", "its expression does not hold", look.number)


def classes(run: Run, text: str, look: Step, *, wanted: bool = True) -> Iterator[Obstacle]:
    """Yield the classes of an expression that are not as it wants them."""
    expression = parsed(text)
    if expression is None:
        return
    state = run.state_at(look.number)
    space = look.bundle.namespace if look.bundle else "default"
    for name, positive in dict(names(expression)).items():
        full = name if ":" in name or space == "default" else f"{space}:{name}"
        known = full in state.classes or name in state.private or name in run.hard
        if known and positive is not wanted:
            setter = setting_step(run, full, look.number)
            yield Obstacle("class", f"class {name} is set", setter, place_of(run, setter))
        elif not known and positive is wanted:
            yield missing_class(run, name, full, look)


def missing_class(run: Run, name: str, full: str, look: Step) -> Obstacle:
    """Explain that a class is not set, and which promise sets it later, or could set it."""
    later = setting_step(run, full, len(run.steps))
    if later is not None and later > look.number:
        label = run.steps[later].label
        again = look.event and any(s.number > later for s in run.looks(look.event.promise))
        text = f"class {name} is not set yet; {label} sets it in step {later}"
        if not again:
            text = f"class {name} is set too late: {label} sets it in step {later}"
        return Obstacle("class", text, later, place_of(run, later))
    for promise, kind, when in setters_of(run.policy, name):
        text = f"class {name} is not set; {kind} '{promise.promiser}' would set it{when}"
        return Obstacle("class", text, None, promise.span)
    return Obstacle("class", f"class {name} is not set, and no promise of the policy sets it")


def place_of(run: Run, step: int | None) -> Span | None:
    """Return the place of a step's promise."""
    return run.steps[step].place if step is not None else None


def handle(run: Run, name: str, look: Step) -> Obstacle:
    """Explain why a handle is not done."""
    later = next((s for s in run.steps[look.number :] if name in s.handles), None)
    if later is not None:
        text = f"handle {name} is done later: {later.label}, step {later.number}"
        return Obstacle("depends_on", text, later.number, later.place)
    for _, kind, promise in run.promises():
        if getattr(promise.get("handle"), "text", None) == name:
            text = f"{kind} '{promise.promiser}' with handle {name} is not kept"
            return Obstacle("depends_on", text, None, promise.span)
    return Obstacle("depends_on", f"no promise has the handle {name}")


def lock(run: Run, event: Event, look: Step) -> Obstacle:
    """Name the promise that has the lock."""
    for step in run.steps[: look.number]:
        other = step.event
        if other and other.begun and (other.type, other.promiser) == (event.type, event.promiser):
            text = f"{SILENT['already_done']}: {step.label}, step {step.number}"
            return Obstacle("lock", text, step.number, step.place)
    return Obstacle("lock", SILENT["already_done"])


def never_met(run: Run, promise: Promise) -> Iterator[Obstacle]:
    """Yield the reasons why a promise is never evaluated."""
    bundle, kind = next((b, t) for b, t, p in run.promises() if p is promise)
    if any(step.bundle is bundle for step in run.steps):
        yield Obstacle("type", f"{kind} promises are not evaluated in {bundle.type} bundles")
        return
    yield Obstacle("bundle", f"bundle {bundle.name} is not evaluated", None, bundle.span)
    yield from calls(run, bundle)


def calls(run: Run, bundle: Bundle) -> Iterator[Obstacle]:
    """Yield which promises would call a bundle."""
    if bundle.type in ("server", "monitor") and bundle.type != run.program:
        yield Obstacle("bundle", f"{bundle.type} bundles are not for this program")
        return
    found = list(callers_of(run.policy, bundle))
    for promise, kind in found:
        text = f"{kind} '{promise.promiser}' would call it"
        yield Obstacle("bundle", text, None, promise.span)
    if not found:
        yield Obstacle("bundle", "it is not in the bundlesequence, and no promise calls it")
