"""A run as a line of steps: all events, a state every now and then, and a cursor."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING

from analyzer.apply.breakpoints import Breakpoints, StepMoment, begins, finishes
from analyzer.apply.engine.commands import (
    Back,
    Command,
    CommandError,
    Continue,
    Decision,
    FinishContainer,
    GoTo,
    Inject,
    Pick,
    Restart,
    RunTo,
    SetNoop,
    Step,
    StepBack,
    Stop,
    Walk,
)
from analyzer.apply.engine.events import Aborted, CycleFound, Evaluating, Event, Outcome
from analyzer.apply.engine.fold import fold
from analyzer.apply.engine.log import Line, Log
from analyzer.apply.engine.run_graph import RunGraph
from analyzer.apply.engine.skipping import RunSettings
from analyzer.apply.engine.state import ResourceStatus, RunState
from analyzer.apply.engine.transaction import (
    NO_ORDER,
    Listen,
    begin,
    carry_out,
    find_resource,
    next_node,
)
from analyzer.apply.engine.world import ResourceWorld, Simulation
from analyzer.apply.provider import State

if TYPE_CHECKING:
    from analyzer.graph.relationship_graph import RelationshipGraph
    from analyzer.model.refs import ResourceRef

# A state is kept after so many steps; those between are folded anew when they are looked at.
CHECKPOINT = 64


class Timeline:
    """A run that can be gone through in both directions.

    A step is what one resource does, with the ends of containers behind it, or one word of a
    person (a failure injected, noop switched). `position` counts the steps behind the cursor;
    `state` is where the run stands there. What lies ahead of the cursor is kept until something
    else happens instead. `outcomes` steer resources from the start. `listen` receives each event
    as it happens. `recorded` are the steps of a run that was, the first before any resource: such
    a time line is `closed`, it can be gone through and nothing else can happen in it.

    Raises:
        CommandError: one of `outcomes` names what is not in the catalog.
    """

    def __init__(
        self,
        graph: RunGraph,
        world: ResourceWorld | None = None,
        settings: RunSettings | None = None,
        outcomes: Mapping[str, Outcome] | None = None,
        listen: Listen | None = None,
        recorded: Sequence[Sequence[Event]] | None = None,
    ) -> None:
        self.graph = graph
        self.world: ResourceWorld = world or Simulation()
        self.settings = settings or RunSettings()
        self.breakpoints = Breakpoints()
        self.log_of = Log(graph, self.settings)
        chosen = {find_resource(graph, ref): outcome for ref, outcome in (outcomes or {}).items()}
        self.start = start = RunState.start(graph, chosen)
        self.listen = listen
        self.closed = recorded is not None
        if recorded is None:
            recorded = [begin(start, graph, self.world, self.settings, listen)]
        self.events: list[Event] = []
        self._ends: list[int] = []
        self._checkpoints: list[RunState] = []
        self._know(start, recorded or [[]])
        self._block: tuple[int, list[RunState]] = (0, [self._checkpoints[0]])
        self.position = 0

    def _know(self, state: RunState, steps: Sequence[Sequence[Event]]) -> None:
        """Append the recorded steps, from the first."""
        for number, step in enumerate(steps):
            state = fold(state, step, self.graph)
            self.events += step
            self._ends.append(len(self.events))
            if number % CHECKPOINT == 0:
                self._checkpoints.append(state)

    # ------------------------------------------------------------------ going through

    def do(self, command: Command) -> list[Event]:
        """Carry out a command; return the events between the old place and the new one.

        Raises:
            CommandError: it cannot be carried out here.
        """
        before = self.position
        match command:
            case StepBack(count):
                self.position = max(0, self.position - count)
            case Restart():
                self.position = 0
            case Step(count):
                for _ in range(count):
                    self.advance(Step())
            case GoTo(position):
                self.position = max(0, min(position, len(self)))
            case Pick() | Inject() | SetNoop() | Stop():
                self.advance(command)
            case _:
                for _ in self.walk(command):
                    pass
        first, last = sorted((before, self.position))
        return self.events[self._ends[first] : self._ends[last]]

    def advance(self, command: Decision) -> bool:
        """Do one step; return whether there was one."""
        if isinstance(command, Step) and self.position < len(self._ends) - 1:
            self.position += 1
            return True
        state = self.state
        if isinstance(command, Step | Stop) and state.phase != "running":
            return False
        if self.closed:
            if isinstance(command, Step):
                return False
            raise CommandError("this run is a recording and cannot be changed")
        found, after = carry_out(state, self.graph, command, self.world, self.settings, self.listen)
        self._cut()
        self._append(found, after)
        return True

    def _append(self, found: list[Event], after: RunState) -> None:
        """Append a step."""
        self.events += found
        self._ends.append(len(self.events))
        self.position += 1
        self._remember(after)

    def run(self) -> Timeline:
        """Go to the end, past all breakpoints."""
        while self.advance(Step()):
            pass
        return self

    def walk(self, command: Walk) -> Iterator[int]:
        """Go on as a command says, a step at a time; yield the position after each.

        Raises:
            CommandError: it cannot be carried out here.
        """
        back = isinstance(command, Back)
        stop = self._stop(command.command if isinstance(command, Back) else command, back)
        while self._retreat() if back else self.advance(Step()):
            yield self.position
            if stop():
                return

    def _retreat(self) -> bool:
        """Go back one step; return whether there was one."""
        self.position = max(0, self.position - 1)
        return self.position > 0

    def _stop(self, command: Command, back: bool) -> Callable[[], bool]:
        """Return the condition that ends a command of several steps."""
        match command:
            case Continue():
                return self._at_breakpoint
            case RunTo(ref):
                wanted = self._first_resources(ref)
                return lambda: self.next in wanted
            case FinishContainer(ref):
                start, end = self._container(ref)
                if back:
                    return lambda: begins(self.last_step(), start)
                return lambda: finishes(self.last_step(), end)
        raise CommandError(f"{type(command).__name__} is not known")

    def _at_breakpoint(self) -> bool:
        return self.breakpoints.stops(self.moment)

    @property
    def moment(self) -> StepMoment:
        """Return the place of the cursor, as breakpoints look at it."""
        return StepMoment(self.graph, self.state, self.next, self.last_step(), self.position)

    def _first_resources(self, ref: str) -> set[int]:
        node = self._find(ref)
        if self.graph.resource(node) is not None:
            return {node}
        return self.graph.inside(node)

    def _container(self, ref: str) -> tuple[int, int]:
        """Return both ends of a container, or of a resource that brought others."""
        if ref:
            node = self._find(ref)
            kin = (self.state.kin or {}).get(node)
            if kin is not None and kin.brings:
                return node, kin.after[-1]
            if self.graph.resource(node) is not None:
                raise CommandError(f"{ref} contains nothing")
            return node, self.graph.completed[node]
        node_or_none = self.next
        parent = None if node_or_none is None else self.graph.parent(node_or_none)
        if parent is None:
            raise CommandError("nothing contains the next resource")
        return parent, self.graph.completed[parent]

    def _find(self, ref: str) -> int:
        try:
            return self.graph.find(ref)
        except KeyError as error:
            raise CommandError(error.args[0]) from None

    # ------------------------------------------------------------------ states

    @property
    def state(self) -> RunState:
        """Return the state at the cursor."""
        return self._state_at(self.position)

    @property
    def head(self) -> RunState:
        """Return the state after the last step that is known, wherever the cursor is."""
        return self._state_at(len(self))

    def _state_at(self, position: int) -> RunState:
        number, within = divmod(position, CHECKPOINT)
        if self._block[0] != number:
            self._block = (number, [self._checkpoints[number]])
        states = self._block[1]
        while len(states) <= within:
            place = number * CHECKPOINT + len(states)
            step = self.events[self._ends[place - 1] : self._ends[place]]
            states.append(fold(states[-1], step, self.graph))
        return states[within]

    def fork(self) -> Timeline:
        """Return the same run on its own: what happens in one of the two does not in the other."""
        other = copy(self)
        other.events = self.events.copy()
        other._ends = self._ends.copy()
        other._checkpoints = self._checkpoints.copy()
        other._block = (self._block[0], self._block[1].copy())
        return other

    def _cut(self) -> None:
        """Forget what lies ahead of the cursor."""
        if self.position == len(self._ends) - 1:
            return
        del self.events[self._ends[self.position] :]
        del self._ends[self.position + 1 :]
        del self._checkpoints[self.position // CHECKPOINT + 1 :]
        number, states = self._block
        del states[max(1, self.position + 1 - number * CHECKPOINT) :]

    def _remember(self, state: RunState) -> None:
        number, within = divmod(self.position, CHECKPOINT)
        if within == 0:
            self._checkpoints.append(state)
            self._block = (number, [state])
        elif self._block[0] == number and len(self._block[1]) == within:
            self._block[1].append(state)

    def __len__(self) -> int:
        """Return the number of known steps."""
        return len(self._ends) - 1

    @property
    def next(self) -> int | None:
        """Return the node of the resource that a step would evaluate."""
        state = self.state
        return next_node(state, self.graph) if state.phase == "running" else None

    def ready(self) -> list[ResourceRef]:
        """Return the resources that wait for nothing, the next one first."""
        state, graph = self.state, self.graph
        bits, nodes = state.ready, list(state.sprouts)
        while bits:
            nodes.append(graph.queue[(bits & -bits).bit_length() - 1])
            bits &= bits - 1
        nodes.sort(key=graph.key)
        return [graph.refs[node] for node in nodes if graph.resource(node) is not None]

    # ------------------------------------------------------------------ what happened

    def past(self) -> list[Event]:
        """Return the events behind the cursor."""
        return self.events[: self._ends[self.position]]

    def step_at(self, number: int) -> list[Event]:
        """Return the events of a known step, counted from 1; those of the beginning for 0."""
        first = self._ends[number - 1] if number else 0
        return self.events[first : self._ends[number]]

    def last_step(self) -> list[Event]:
        """Return the events of the step before the cursor."""
        return self.step_at(self.position)

    def log(self, *, debug: bool = False) -> list[Line]:
        """Return Puppet's log lines so far."""
        return list(self.log_of.lines(self.past(), debug=debug))

    @property
    def order(self) -> list[ResourceRef]:
        """Return the resources in the order in which they were evaluated, skipped ones too."""
        refs, graph = self.graph.refs, self.graph
        nodes = dict.fromkeys(e.node for e in self.past() if isinstance(e, Evaluating))
        return [refs[node] for node in nodes if graph.resource(node) is not None]

    def resources(self) -> Iterator[tuple[ResourceRef, ResourceStatus]]:
        """Yield every resource that has a status, in catalog order."""
        statuses, refs = self.state.statuses, self.graph.refs
        for node in self.nodes():
            status = statuses[node]
            if status is not None and self.graph.resource(node) is not None:
                yield refs[node], status

    def nodes(self) -> Iterator[int]:
        """Yield the nodes of the catalog's resources; behind each those that it brought."""
        kin = self.state.kin or {}
        for node in range(self.graph.vertices):
            yield node
            if node in kin and kin[node].brings:
                end = kin[kin[node].after[-1]]
                yield from (child for child in end.before if child >= self.graph.base)

    def status_of(self, ref: str) -> ResourceStatus | None:
        """Return the status of a resource, None until it is reached.

        Raises:
            KeyError: it is not in the catalog.
        """
        return self.state.statuses[self.graph.find(ref)]

    @property
    def status(self) -> str:
        """Return the status of Puppet's report: failed, changed or unchanged."""
        if self.error or self.state.generation_failed:
            return "failed"
        found = [status for _, status in self.resources()]
        if any(status.failed or status.failed_to_restart for status in found):
            return "failed"
        return "changed" if any(status.changed for status in found) else "unchanged"

    @property
    def error(self) -> str:
        """Return why the run could not be finished; empty if it was, or still can be."""
        if self.state.phase != "aborted":
            return ""
        for event in self.past():
            if isinstance(event, Aborted):
                return event.message
            if isinstance(event, CycleFound):
                return NO_ORDER
        return ""

    def values(self) -> dict[str, State]:
        """Return the states of resources after the run, as the start of the next one."""
        known = self.state.values
        return {
            str(self.graph.refs[node]): values
            for node in self.nodes()
            if (values := known[node]) is not None
        }


def timeline_of(
    graph: RelationshipGraph,
    world: ResourceWorld | None = None,
    settings: RunSettings | None = None,
) -> Timeline:
    """Return the time line of a graph, before its first step."""
    return Timeline(RunGraph(graph), world, settings)
