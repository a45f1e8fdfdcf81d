"""A simulated run as a sequence of steps, with the state at each.

    run = simulate(load_policy("promises.cf"))
    for step in run.steps:
        print(step.label, step.outcome, step.set_classes)
    run.state_at(10).classes        # after ten steps, before the eleventh
    why_not(run, promise).obstacles  # its obstacles (why_not.py)

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
from analyzer.frontends.cfengine.agent.events import NOT_KEPT, SKIPPED, TIMEOUT
from analyzer.frontends.cfengine.agent.journal import Change, Journal
from analyzer.frontends.cfengine.agent.outcomes import Outcomes
from analyzer.frontends.cfengine.agent.passes import evaluate
from analyzer.frontends.cfengine.agent.state import Agent
from analyzer.frontends.cfengine.agent.steps import (
    Step,
    bundle_name,
    name_of,
    open_bundles,
    steps_of,
)
from analyzer.frontends.cfengine.policy.blocks import Policy
from analyzer.frontends.cfengine.policy.setters import promises_of
from analyzer.frontends.cfengine.policy.variables import Content
from analyzer.frontends.cfengine.syntax.ast import Bundle, Promise

if TYPE_CHECKING:
    pass


@dataclass(frozen=True, slots=True)
class State:
    """The state at a position: after so many steps.

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
    """A finished run: its `steps`, the agent's `events` and its `warnings`."""

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
        """Update `_now` to the state after so many steps."""
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

    def looks(self, promise: Promise | None) -> list[Step]:
        """Return the steps that evaluated a promise."""
        return [s for s in self.steps if s.event is not None and s.event.promise is promise]

    def promises(self) -> Iterator[tuple[Bundle, str, Promise]]:
        """Yield all promises of the policy with their bundles and types, as they are loaded."""
        return promises_of(self.policy)

    def tally(self) -> dict[str, int]:
        """Count the outcomes of promises, with each iteration by itself, without skips."""
        return dict(Counter(e.outcome for e in self.events if e.outcome != SKIPPED))

    @property
    def failed(self) -> bool:
        """Return whether a promise was not kept."""
        return any(event.outcome in (NOT_KEPT, TIMEOUT) for event in self.events)


def simulate(
    policy: Policy,
    outcomes: Outcomes | None = None,
    order: str = "running",
    program: str = "agent",
) -> Run:
    """Simulate a run of a loaded policy, without changing the machine.

    `program` is agent, server or monitor. Without `outcomes` commands are repaired and all else is
    kept.
    """
    agent = Agent(policy, outcomes or Outcomes(), order=order, program=program, journal=Journal())
    evaluate(agent)
    return Run(agent)
