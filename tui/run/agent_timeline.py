"""The timeline of CFEngine's agent: a simulated run whose steps evaluate promises."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING

from analyzer.apply.engine.commands import Command, Decision, StepBack
from analyzer.apply.engine.commands import Step as StepOn
from analyzer.apply.engine.events import (
    FAILURE,
    SUCCESS,
    Changed,
    Ended,
    Evaluating,
    Event,
    Finished,
    PutOff,
    ResourceEvent,
    Skipped,
    Started,
)
from analyzer.apply.timeline import Timeline
from analyzer.frontends.cfengine.agent import journal
from analyzer.frontends.cfengine.agent.events import NOT_KEPT as BROKEN
from analyzer.frontends.cfengine.agent.events import NOT_SET, REPAIRED, SKIPPED, TIMEOUT, UNFINISHED

if TYPE_CHECKING:
    from analyzer.apply.engine.run_graph import RunGraph
    from analyzer.frontends.cfengine.agent.agenda import Agenda
    from analyzer.frontends.cfengine.agent.events import Event as Look
    from analyzer.frontends.cfengine.agent.run import Run, State
    from analyzer.frontends.cfengine.agent.steps import Step
    from analyzer.frontends.cfengine.syntax.ast import Promise

NOT_KEPT = (BROKEN, TIMEOUT, UNFINISHED)
NOT_DONE = (SKIPPED, NOT_SET)
# The states of promises in CFEngine's words, by severity.
WORDS = {"failed": "not kept", "changed": "repaired", "unchanged": "kept"}


class AgentTimeline(Timeline):
    """A run of the agent that you can step through in both directions.

    Position n is after the run's step n, 0 before the first pass. A command that goes forward stops
    where a promise begins, or where the agent enters or leaves a bundle. The steps in between,
    skipped promises and new passes, are in the log, and `GoTo` reaches them. `rests` are the
    positions of stops, `looks` the steps that evaluated a node, `begun` those that began it,
    `about` the nodes of each step.
    """

    def __init__(self, graph: RunGraph, run: Run, agenda: Agenda) -> None:
        self.agent = run
        self.about = [tuple(graph.find(ref) for ref in refs) for refs in agenda.about]
        self.looks: dict[int, list[int]] = {}
        self.begun: dict[int, list[int]] = {}
        for step in run.steps:
            for node in self.about[step.number] if step.event is not None else ():
                self.looks.setdefault(node, []).append(step.number)
                if is_begun(step):
                    self.begun.setdefault(node, []).append(step.number)
        last = len(run.steps) - 1
        self.rests = [0, *(n for n in range(1, last) if rests_at(run, n)), last]
        super().__init__(graph, recorded=list(recorded(graph, run, self.about)))

    def do(self, command: Command) -> list[Event]:
        """Carry out a command; a step back goes to the previous stop.

        Raises:
            CommandError: it cannot be carried out here.
        """
        if isinstance(command, StepBack):
            for _ in range(command.count):
                self._retreat()
            return []
        return super().do(command)

    def advance(self, command: Decision) -> bool:
        """Go on to the next stop; return whether there is one."""
        if not isinstance(command, StepOn):
            return super().advance(command)
        ahead = bisect_right(self.rests, self.position)
        if ahead == len(self.rests):
            return False
        self.position = self.rests[ahead]
        return True

    def _retreat(self) -> bool:
        self.position = self.rest_before
        return self.position > 0

    def _container(self, ref: str) -> tuple[int, int]:
        """Return both ends of a bundle, by default of the bundle that was just entered."""
        following = self.next
        if not ref and following is not None and self.graph.resource(following) is None:
            ref = self.graph.names[following]
        return super()._container(ref)

    @property
    def rest_before(self) -> int:
        """Return the previous stop."""
        return self.rests[max(0, bisect_left(self.rests, self.position) - 1)]

    @property
    def next(self) -> int | None:
        """Return the promise or bundle of the next stop."""
        for position in self.rests[bisect_right(self.rests, self.position) :]:
            if self.about[position]:
                return self.about[position][0]
        return None

    def last_step(self) -> list[Event]:
        """Return the events since the previous stop."""
        first = self.rest_before + 1
        return [e for n in range(first, self.position + 1) for e in self.step_at(n)]

    @property
    def step(self) -> Step:
        """Return the last step before the current position."""
        return self.agent.steps[self.position]

    @property
    def known(self) -> State:
        """Return the classes, variables and handles at the current position."""
        return self.agent.state_at(self.position + 1)

    def look_at(self, node: int) -> Step | None:
        """Return the last step that began a promise, or else the last that evaluated it."""
        for numbers in (self.begun.get(node, []), self.looks.get(node, [])):
            behind = bisect_right(numbers, self.position)
            if behind:
                return self.agent.steps[numbers[behind - 1]]
        return None

    def turn(self, node: int) -> int | None:
        """Return the next step that begins a promise."""
        numbers = self.begun.get(node, [])
        ahead = bisect_right(numbers, self.position)
        return numbers[ahead] if ahead < len(numbers) else None

    def promise(self, node: int) -> Promise | None:
        """Return the promise of a node, None for a bundle."""
        event = self.event(node)
        return event.promise if event else None

    def event(self, node: int) -> Look | None:
        """Return the first evaluation of a promise, None for a bundle."""
        numbers = self.looks.get(node)
        return self.agent.steps[numbers[0]].event if numbers else None

    def waiting(self) -> Iterator[int]:
        """Yield the promises that have not begun, in the order of their first evaluation."""
        for node, numbers in self.looks.items():
            begun = self.begun.get(node)
            if numbers and (not begun or begun[0] > self.position):
                yield node

    @property
    def status(self) -> str:
        """Return the most severe outcome so far: not kept, repaired or kept."""
        found = [status for _, status in self.resources()]
        if any(status.failed for status in found):
            return WORDS["failed"]
        return WORDS["changed" if any(status.changed for status in found) else "unchanged"]


def is_begun(step: Step) -> bool:
    """Return whether a step began a promise."""
    return step.event is not None and not step.calls and step.outcome not in NOT_DONE


def rests_at(run: Run, number: int) -> bool:
    """Return whether a command that goes forward stops at a step."""
    step, following = run.steps[number], run.steps[number + 1]
    if step.kind in (journal.ENTER, journal.LEAVE):
        return following.kind != journal.END
    if step.set_classes or step.cancelled:
        return True
    again = step.outcome == "evaluated" and step.pass_number > 1
    return is_begun(step) and (not again or bool(step.variables))


def recorded(graph: RunGraph, run: Run, nodes: list[tuple[int, ...]]) -> Iterator[list[Event]]:
    """Yield the events of each step, which the timeline folds to states."""
    done: set[int] = set()
    for step, about in zip(run.steps, nodes, strict=True):
        found: list[Event] = [] if step.number else [Started(None)]
        if step.calls:
            found += [PutOff(node) for node in about]
        elif step.event is not None:
            wanted = [node for node in about if is_begun(step) or node not in done]
            done.update(wanted)
            found += [event for node in wanted for event in events_of(step, node)]
        elif step.kind == journal.ENTER:
            found += [Evaluating(node) for node in about]
        elif step.kind == journal.LEAVE:
            found += [Finished(graph.completed[node]) for node in about]
        elif step.kind == journal.END:
            found.append(Ended())
        yield found


def events_of(step: Step, node: int) -> Iterator[Event]:
    """Yield the events of one evaluation of a promise."""
    yield Evaluating(node)
    if step.outcome in NOT_DONE:
        yield Skipped(node, step.event.reason if step.event else "")
    elif step.outcome in (REPAIRED, *NOT_KEPT):
        status = SUCCESS if step.outcome == REPAIRED else FAILURE
        yield Changed(node, ResourceEvent(step.outcome, status, step.log))
