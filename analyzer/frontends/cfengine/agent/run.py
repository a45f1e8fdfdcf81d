"""A simulated run as a line of steps that can be gone through forwards and backwards.

    run = simulate(load_policy("promises.cf"))
    for step in run.steps:
        print(step.label, step.outcome, step.set_classes)
    run.state_at(10).classes        # after ten steps, before the eleventh
    run.why_not(promise).obstacles  # what stood in its way

A step is one look at a promise (or at one iteration of its lists), or what lies between: a bundle
is entered or left, a pass begins, variables are settled once more. Nothing is ever undone to step
back: every change is kept with what was there before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analyzer.frontends.cfengine.agent import journal
from analyzer.frontends.cfengine.agent.events import NOT_KEPT, SKIPPED, TIMEOUT, Event
from analyzer.frontends.cfengine.agent.journal import Change, Journal, Mark
from analyzer.frontends.cfengine.agent.outcomes import Outcomes
from analyzer.frontends.cfengine.agent.state import Agent
from analyzer.frontends.cfengine.agent.step_words import label_of, log_of
from analyzer.frontends.cfengine.policy.blocks import Policy
from analyzer.frontends.cfengine.policy.setters import promises_of
from analyzer.frontends.cfengine.policy.variables import Content
from analyzer.frontends.cfengine.syntax.ast import Bundle, Promise
from analyzer.source import Span

if TYPE_CHECKING:
    from analyzer.frontends.cfengine.agent.why_not import WhyNot


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
        """What a list of steps shows."""
        return label_of(self)

    @property
    def log(self) -> str:
        """What cf-agent -v logs of it, empty if nothing."""
        return log_of(self)

    @property
    def type(self) -> str:
        """The promise type; empty between promises."""
        return self.event.type if self.event else ""

    @property
    def place(self) -> Span | None:
        """Where the promise stands, or the bundle."""
        if self.event:
            return self.event.promise.span
        return self.bundle.span if self.bundle else None

    @property
    def outcome(self) -> str:
        """The outcome; empty between promises, and while a called bundle is not yet done."""
        return self.event.outcome if self.event and not self.calls else ""

    @property
    def skipped(self) -> bool:
        """Whether it is a look at a promise that was not begun."""
        return self.event is not None and self.event.outcome == SKIPPED


@dataclass(frozen=True, slots=True)
class State:
    """What is known at a position: after so many steps.

    `classes` are those of namespaces without hard ones, `private` those of the bundle at hand,
    `variables` are by `bundle.name`; `bundles` are open, the outermost first.
    """

    position: int
    classes: frozenset[str]
    private: frozenset[str]
    variables: Mapping[str, Content]
    handles: frozenset[str]
    bundles: tuple[str, ...]
    pass_number: int


class Run:
    """A run that is over: its `steps`, the agent's `events` and its `warnings`."""

    def __init__(self, agent: Agent) -> None:
        assert agent.journal is not None
        self.policy = agent.policy
        self.program = agent.program
        self.events = agent.events
        self.warnings = agent.policy.warnings + agent.warnings
        self.hard = frozenset(agent.classes.hard)
        self._journal = agent.journal
        self.steps: Sequence[Step] = list(steps_of(agent.journal, agent.events))
        self._open = list(open_bundles(agent.journal.marks))
        # What holds at `_position`, by kind and key.
        self._position = 0
        self._now: dict[tuple[str, tuple[str, ...]], Content] = {}

    def state_at(self, position: int) -> State:
        """Return the state after so many steps; 0 is the beginning, `len(steps)` the end.

        Raises:
            IndexError: there is no such position.
        """
        if not 0 <= position <= len(self.steps):
            raise IndexError(position)
        self._move(position)
        stack = self._open[position]
        owner = str(stack[-1].frame.owners[0]) if stack and stack[-1].frame else ""
        found: dict[str, dict[str, Content]] = {kind: {} for kind in journal.KINDS}
        for (kind, key), value in self._now.items():
            if kind != journal.PRIVATE or key[0] == owner:
                found[kind][name_of(kind, key)] = value
        return State(
            position,
            frozenset(found[journal.CLASS]),
            frozenset(found[journal.PRIVATE]),
            found[journal.VARIABLE],
            frozenset(found[journal.HANDLE]),
            tuple(bundle_name(mark.frame.bundle) for mark in stack if mark.frame),
            self.steps[position - 1].pass_number if position else 0,
        )

    def _move(self, position: int) -> None:
        """Let `_now` be what holds after so many steps."""
        changes = self._journal.changes
        here, there = self._change(self._position), self._change(position)
        for change in changes[here:there]:
            self._put(change, change.after)
        for change in reversed(changes[there:here]):
            self._put(change, change.before)
        self._position = position

    def _put(self, change: Change, value: Content | None) -> None:
        key = (change.kind, change.key)
        if value is None:
            self._now.pop(key, None)
        else:
            self._now[key] = value

    def _change(self, position: int) -> int:
        """Return how many changes were made in the first steps."""
        marks = self._journal.marks
        return marks[position].change if position < len(marks) else len(self._journal.changes)

    def looks(self, promise: Promise) -> list[Step]:
        """Return the steps in which a promise was looked at."""
        return [s for s in self.steps if s.event is not None and s.event.promise is promise]

    def promises(self) -> Iterator[tuple[Bundle, str, Promise]]:
        """Yield all promises of the policy with their bundles and types, as they are loaded."""
        return promises_of(self.policy)

    def why_not(self, promise: Promise, position: int | None = None) -> WhyNot:
        """Say why a promise is not kept up to a position, by default the end."""
        from analyzer.frontends.cfengine.agent.why_not import why_not

        return why_not(self, promise, len(self.steps) if position is None else position)

    def tally(self) -> dict[str, int]:
        """Return how many promises had each outcome, each iteration by itself, without skips."""
        return dict(Counter(e.outcome for e in self.events if e.outcome != SKIPPED))

    @property
    def failed(self) -> bool:
        """Whether a promise was not kept."""
        return any(event.outcome in (NOT_KEPT, TIMEOUT) for event in self.events)


def simulate(
    policy: Policy,
    outcomes: Outcomes | None = None,
    order: str = "running",
    program: str = "agent",
) -> Run:
    """Simulate a run of a loaded policy; nothing that it promises is done.

    `program` is agent, server or monitor. Without `outcomes` commands are repaired and all else is
    kept.
    """
    agent = Agent(policy, outcomes or Outcomes(), order=order, program=program, journal=Journal())
    agent.run()
    return Run(agent)


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
    """Yield what was set."""
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
