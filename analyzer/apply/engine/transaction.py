"""One step of a run: from a state and a command to events (Puppet::Transaction)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from analyzer.apply.engine import events as happened
from analyzer.apply.engine.changes import event_of, old_and_new, withheld
from analyzer.apply.engine.commands import CommandError, Decision, Inject, Pick, SetNoop, Step, Stop
from analyzer.apply.engine.eval_generate import generation
from analyzer.apply.engine.events import FAILURE, NOOP, SUCCESS, Event, Outcome
from analyzer.apply.engine.faults import UNSUITABLE, check_change, check_refresh, steer, steered
from analyzer.apply.engine.fold import take
from analyzer.apply.engine.redacted_events import MESSAGES, without_secrets
from analyzer.apply.engine.refresh import answer_events, queue_events
from analyzer.apply.engine.run_graph import RunGraph
from analyzer.apply.engine.skipping import (
    FAILED,
    NoScheduleError,
    RunSettings,
    failed_dependencies,
    reason_to_skip,
)
from analyzer.apply.engine.state import NO_KIN, Draft, RunState
from analyzer.apply.engine.world import ResourceWorld
from analyzer.apply.provider import Note, PropertyChange, ProviderError, UnsuitableError
from analyzer.apply.redaction import redact, secrets_of
from analyzer.apply.validation.refused_values import refused
from analyzer.model.resource import Resource, with_parameters

NO_ORDER = "One or more resource dependency cycles detected in graph"


# Told of each event as it happens.
Listen = Callable[[Event], None]


def begin(
    state: RunState,
    graph: RunGraph,
    world: ResourceWorld,
    settings: RunSettings,
    listen: Listen | None = None,
) -> list[Event]:
    """Return the events that come before the first resource: none if the run cannot start."""
    run = Run(state, graph, world, settings, listen)
    run.begin()
    return run.events


def decide(
    state: RunState, graph: RunGraph, command: Decision, world: ResourceWorld, settings: RunSettings
) -> list[Event]:
    """Return the events of a command, without changing the state.

    Raises:
        CommandError: the command cannot be carried out in this state.
    """
    return carry_out(state, graph, command, world, settings)[0]


def carry_out(
    state: RunState,
    graph: RunGraph,
    command: Decision,
    world: ResourceWorld,
    settings: RunSettings,
    listen: Listen | None = None,
) -> tuple[list[Event], RunState]:
    """Return the events of `decide`, and the state after them.

    Raises:
        CommandError: the command cannot be carried out in this state.
    """
    run = Run(state, graph, world, settings, listen)
    match command:
        case Step(count):
            for _ in range(count):
                run.step()
        case Pick(ref):
            run.pick(ref)
        case Inject(ref, outcome):
            run.emit(happened.OutcomeSet(run.find(ref), outcome))
        case SetNoop(noop, ref):
            run.emit(happened.NoopSet(run.find(ref) if ref else None, noop))
        case Stop():
            run.stop()
    return run.events, run.draft.frozen()


def next_node(state: RunState | Draft, graph: RunGraph) -> int | None:
    """Return the node that is evaluated next: the ready one with the first priority."""
    ready, sprouts = state.ready, state.sprouts
    node = graph.queue[(ready & -ready).bit_length() - 1] if ready else None
    if sprouts and (node is None or graph.key(sprouts[0]) < graph.key(node)):
        return sprouts[0]
    return node


def is_ready(state: RunState | Draft, graph: RunGraph, node: int) -> bool:
    """Return whether a node waits for nothing."""
    if node >= graph.base:
        return node in state.sprouts
    return bool(state.ready >> graph.place[node] & 1)


def find_resource(graph: RunGraph, ref: str) -> int:
    """Return the resource that a reference names.

    Raises:
        CommandError: there is none, or it is a container, to which nothing happens itself.
    """
    try:
        node = graph.find(ref)
    except KeyError as error:
        raise CommandError(error.args[0]) from None
    if graph.resource(node) is None:
        raise CommandError(f"{ref} only contains resources: name one of them")
    return node


class Run:
    """A draft of a state, and the events that led to it."""

    def __init__(
        self,
        state: RunState,
        graph: RunGraph,
        world: ResourceWorld,
        settings: RunSettings,
        listen: Listen | None = None,
    ) -> None:
        self.draft = Draft(state, graph)
        self.graph = graph
        self.world = world
        self.settings = settings
        self.listen = listen
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        """Emit an event without secrets, and apply it to the state."""
        if type(event) in MESSAGES:
            event = self.redacted(event)
        self.events.append(event)
        take(self.draft, event)
        if self.listen:
            self.listen(event)

    def redacted(self, event: Event) -> Event:
        """Return an event with a message as it may be shown."""
        secrets = secrets_of(self.declared(getattr(event, "node")))  # noqa: B009
        return without_secrets(event, secrets) if secrets else event

    def find(self, ref: str) -> int:
        """Return the resource that a command names."""
        return find_resource(self.graph, ref)

    def refused(self) -> Iterator[str]:
        """Yield which values Puppet's types refuse; a DOT file does not have the values."""
        catalog = self.graph.graph.catalog
        return refused(catalog.resources if catalog.automatic else ())

    def begin(self) -> None:
        """Start, or say why that cannot be."""
        graph = self.graph.graph
        missing = (target.message for target in graph.missing())
        message = next(chain(self.refused(), missing), None)
        if message is not None:
            self.emit(happened.Aborted(message))
            return
        for ref, reason in self.settings.unannounced:
            self.emit(happened.GenerationFailed(self.find(ref), reason, early=True))
        self.emit(happened.Started(graph.catalog.version))
        if graph.has_cycle:
            nodes = [node for found in graph.components() for node in found]
            members = tuple(sorted(n for n in nodes if n < self.graph.nodes))
            self.emit(happened.CycleFound(members, graph.puppet_text()))
            return
        self.pass_ends()

    def step(self) -> None:
        """Evaluate the next resource, and the ends of containers behind it."""
        self.pass_ends()
        node = next_node(self.draft, self.graph)
        if node is not None and self.draft.phase == "running":
            self.visit(node)
            self.pass_ends()

    def pick(self, ref: str) -> None:
        """Evaluate a certain resource that is ready."""
        node = self.find(ref)
        if self.draft.phase != "running" or not is_ready(self.draft, self.graph, node):
            raise CommandError(f"{ref} is not ready: it is done, or a dependency is not")
        self.visit(node)
        self.pass_ends()

    def pass_ends(self) -> None:
        """Go on until a resource is next that can be applied, or to the end."""
        while self.draft.phase == "running":
            node = next_node(self.draft, self.graph)
            if node is None:
                self.nothing_ready()
                continue
            resource = self.graph.resource(node)
            if resource is None:
                self.visit(node)
                continue
            reason = self.unsuitable(node, resource)
            if reason is None:
                return
            self.emit(happened.PutOff(node, reason))

    def nothing_ready(self) -> None:
        """Retry the deferred resources, give them up, or end."""
        draft = self.draft
        if not draft.put_off:
            self.emit(happened.Ended(draft.providerless))
        elif draft.progress:
            self.emit(happened.TakenUp(draft.put_off))
        else:
            for node in draft.put_off:
                self.give_up(node)

    def give_up(self, node: int) -> None:
        """Fail a resource whose provider does not work here; nothing is said if tags pass it by."""
        resource = self.graph.resource(node)
        tags = self.settings.tags
        left_out = bool(tags) and self.graph.tags(node).isdisjoint(tags)
        provider = str(resource.parameters.get("provider", "")) if resource else ""
        self.emit(happened.Unsuitable(node, provider, left_out))
        self.emit(happened.Finished(node))

    def unsuitable(self, node: int, resource: Resource) -> str | None:
        """Return why a resource's provider does not work here now; None if it does."""
        if self.outcome(node, resource).apply == UNSUITABLE:
            return ""
        try:
            self.world.check(resource)
        except UnsuitableError as error:
            return str(error)
        return None

    def visit(self, node: int) -> None:
        """Evaluate one node (Transaction#eval_resource)."""
        self.emit(happened.Evaluating(node))
        self.generate(node)
        failed = failed_dependencies(self.graph, self.draft, node)
        if failed:
            self.emit(happened.DependenciesFailed(node, failed))
        try:
            reason = reason_to_skip(self.graph, self.draft, self.settings, node)
        except NoScheduleError as error:
            self.emit(happened.Aborted(redact(self.declared(node), str(error))))
            return
        if reason:
            self.skip(node, reason)
        else:
            try:
                self.apply(node)
            except UnsuitableError as error:
                self.emit(happened.PutOff(node, str(error)))
                return
        self.emit(happened.Finished(node))

    def generate(self, node: int) -> None:
        """Add the resources that a resource generates; the resource itself may be skipped later."""
        resource = self.declared(node)
        wanted = self.world.generators.get(resource.type) if resource else None
        if resource is None or wanted is None or (wanted and wanted not in resource.parameters):
            return
        if self.draft.kin and self.draft.kin.get(node, NO_KIN).brings:
            return
        others = [*self.graph.resources, *self.graph.born.values()]
        try:
            brought = self.world.generate(resource, others)
        except ProviderError as error:
            self.say(node, error.notes)
            self.emit(happened.GenerationFailed(node, str(error)))
            return
        event = generation(self.graph, self.draft, node, brought)
        if event is not None:
            self.emit(event)

    def stop(self) -> None:
        """Pass over all that is left (Transaction, canceled_resource_handler)."""
        while True:
            node = next_node(self.draft, self.graph)
            if node is None and self.draft.put_off:
                node = self.draft.put_off[0]
            if node is None:
                break
            self.emit(happened.Stopped(node))
        self.emit(happened.Ended(self.draft.providerless, stopped=True))

    def skip(self, node: int, reason: str) -> None:
        """Pass a node over; what waited for it is dropped."""
        if reason == FAILED and self.graph.resource(node) is not None:
            for dependency in self.draft.status(node).failed_dependencies:
                if not self.draft.reported >> dependency & 1:
                    self.emit(happened.FailureTold(node, dependency))
        self.emit(happened.Skipped(node, reason))
        if self.draft.waiting[node] is not None:
            self.emit(happened.EventsDropped(node))

    def apply(self, node: int) -> None:
        """Make the changes, send events to others, and respond to those received."""
        resource = self.resource(node)
        outcome = Outcome()
        if resource is not None:
            outcome = self.outcome(node, resource)
            self.evaluate(node, resource, outcome)
            self.emit(happened.Evaluated(node))
            status = self.draft.status(node)
            if not status.failed:
                queue_events(self.graph, self.draft, node, status.events, self.emit)
        if self.draft.waiting[node] is None:
            return

        def refresh() -> None:
            check_refresh(outcome)
            if resource is not None:
                self.say(node, self.world.refresh(resource))

        answer_events(
            self.graph, self.draft, node, noop=self.noop(node), refresh=refresh, emit=self.emit
        )

    def evaluate(self, node: int, resource: Resource, outcome: Outcome) -> None:
        """Compare a resource with the world and bring it in sync (ResourceHarness#evaluate)."""
        try:
            state = self.world.retrieve(resource, self.draft.values[node])
            plan = steer(self.world.plan(resource, state), resource, outcome)
        except ProviderError as error:
            self.say(node, error.notes)
            self.emit(happened.EvaluationFailed(node, str(error)))
            return
        self.say(node, plan.notes)
        noop = self.noop(node)
        made = []
        for change in plan.changes:
            if noop:
                message = withheld(change, self.settings.puppet_version)
                self.emit(happened.Changed(node, event_of(change, NOOP, message)))
            elif self.make(node, resource, change, outcome):
                made.append(change)
        complete = not noop and len(made) == len(plan.changes)
        values = self.world.after(resource, state, tuple(made), complete)
        if values is not None:
            self.emit(happened.ValuesKept(node, values))

    def make(self, node: int, resource: Resource, change: PropertyChange, outcome: Outcome) -> bool:
        """Make one change; return whether that succeeded."""
        try:
            check_change(outcome)
            notes = self.world.apply(resource, change)
        except ProviderError as error:
            self.say(node, error.notes)
            reason = str(error)
            old, new = old_and_new(change)
            message = f"change from {old} to {new} failed: {reason}"
            self.emit(happened.Changed(node, event_of(change, FAILURE, message), reason))
            return False
        self.say(node, notes)
        self.emit(happened.Changed(node, event_of(change, SUCCESS, change.message)))
        return True

    def say(self, node: int, notes: Iterable[Note]) -> None:
        """Log the messages of a provider."""
        for note in notes:
            self.emit(happened.Said(node, note.level, note.message, note.part))

    def declared(self, node: int) -> Resource | None:
        """Return a resource with the values known so far."""
        return (self.draft.replaced or {}).get(node) or self.graph.resource(node)

    def resource(self, node: int) -> Resource | None:
        """Return a resource as it is applied: in a noop run it says so."""
        resource = self.declared(node)
        if resource is None or not self.noop(node):
            return resource
        if resource.parameters.get("noop") is True:
            return resource
        return with_parameters(resource, {**resource.parameters, "noop": True})

    def outcome(self, node: int, resource: Resource) -> Outcome:
        """Return the user's outcome for a resource."""
        return steered(resource, (self.draft.outcomes or {}).get(node))

    def noop(self, node: int) -> bool:
        """Return whether a node changes nothing: its own word, else the run's."""
        if self.settings.look_only:
            return True
        switched = self.draft.noops or {}
        if node in switched:
            return switched[node]
        own = self.graph.own_noop(node)
        return switched.get(None, self.settings.noop) if own is None else own
