"""Breakpoints: where an automatic run stops."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from analyzer.apply.engine.commands import CommandError
from analyzer.apply.engine.events import (
    FAILURE,
    NOOP,
    SUCCESS,
    Changed,
    Evaluating,
    EvaluationFailed,
    Event,
    Finished,
    Refreshed,
    RefreshFailed,
    Skipped,
    Unsuitable,
)
from analyzer.apply.engine.run_graph import RunGraph
from analyzer.apply.engine.state import RunState
from analyzer.model.names import capitalize_type, split_ref


@dataclass(frozen=True, slots=True)
class StepMoment:
    """A place between two steps: the state, the node that is next, the events of the step before.

    `position` is how many steps are behind.
    """

    graph: RunGraph
    state: RunState
    next: int | None
    step: Sequence[Event]
    position: int


@dataclass(frozen=True, slots=True)
class CountCondition:
    """`failed > 2`: one of MEASURES, one of OPERATORS, and a number."""

    measure: str
    operator: str
    number: int

    def holds(self, moment: StepMoment) -> bool:
        """Return whether it is so."""
        return OPERATORS[self.operator](MEASURES[self.measure](moment), self.number)


@dataclass(frozen=True, slots=True)
class Breakpoint:
    """One place to stop, as a person wrote it.

    `kind` is `before` (one of the nodes is next), `entering` (one is, and none was before it) or
    one of HAPPENINGS.
    """

    text: str
    kind: str
    nodes: frozenset[int] = frozenset()
    condition: CountCondition | None = None
    enabled: bool = True

    def stops(self, moment: StepMoment) -> bool:
        """Return whether to stop here."""
        if not self.enabled or not self.matches(moment):
            return False
        return self.condition is None or self.condition.holds(moment)

    def matches(self, moment: StepMoment) -> bool:
        """Return whether the place matches, without regard to the condition."""
        if self.kind in HAPPENINGS:
            return HAPPENINGS[self.kind](moment)
        if moment.next not in self.nodes:
            return False
        return self.kind == "before" or last_resource(moment) not in self.nodes


@dataclass(frozen=True, slots=True)
class Breakpoints:
    """Stop before resources, before all of some types, after a failure, after a refresh.

    `nodes` are ids, `types` names with a capital; `rows` are those that a person wrote. All are
    looked at between two steps.
    """

    nodes: frozenset[int] = field(default_factory=frozenset)
    types: frozenset[str] = field(default_factory=frozenset)
    failure: bool = False
    refresh: bool = False
    rows: tuple[Breakpoint, ...] = ()

    def stops(self, moment: StepMoment) -> bool:
        """Return whether to stop at a place."""
        if moment.next is not None and self.stops_before(moment.graph, moment.next):
            return True
        return self.stops_after(moment.step) or self.hit(moment) is not None

    def hit(self, moment: StepMoment) -> Breakpoint | None:
        """Return the first of the rows that stops at a place."""
        return next((row for row in self.rows if row.stops(moment)), None)

    def stops_before(self, graph: RunGraph, node: int) -> bool:
        """Return whether to stop as a node is next."""
        if node in self.nodes:
            return True
        resource = graph.resource(node)
        return resource is not None and resource.type in self.types

    def stops_after(self, step: Sequence[Event]) -> bool:
        """Return whether to stop because of the events of a step."""
        if not self.failure and not self.refresh:
            return False
        return any(
            (self.failure and is_failure(event)) or (self.refresh and isinstance(event, Refreshed))
            for event in step
        )


# ---------------------------------------------------------------------- what happened


def is_failure(event: Event) -> bool:
    """Return whether an event is a failure."""
    if isinstance(event, Changed):
        return event.event.status == FAILURE
    return isinstance(event, EvaluationFailed | RefreshFailed | Unsuitable)


def finishes(step: Sequence[Event], node: int) -> bool:
    """Return whether a step finished a node."""
    return any(isinstance(event, Finished) and event.node == node for event in step)


def begins(step: Sequence[Event], node: int) -> bool:
    """Return whether a step came to a node."""
    return any(isinstance(event, Evaluating) and event.node == node for event in step)


def last_resource(moment: StepMoment) -> int | None:
    """Return the resource that the step before evaluated."""
    found = (e.node for e in reversed(moment.step) if isinstance(e, Evaluating))
    return next((node for node in found if moment.graph.resource(node) is not None), None)


def changed(status: str) -> Callable[[StepMoment], bool]:
    """Return a predicate for steps that changed a status."""
    return lambda moment: any(
        isinstance(event, Changed) and event.event.status == status for event in moment.step
    )


def has_first_failure(moment: StepMoment) -> bool:
    """Return whether a step failed, and none before it."""
    failing = Changed | EvaluationFailed | RefreshFailed | Unsuitable
    failed = {e.node for e in moment.step if isinstance(e, failing) and is_failure(e)}
    if not failed:
        return False
    others = enumerate(moment.state.statuses)
    return not any(s and (s.failed or s.failed_to_restart) and n not in failed for n, s in others)


def has_refresh(moment: StepMoment) -> bool:
    """Return whether a resource was refreshed; ends of containers only pass events on."""
    return any(
        isinstance(event, Refreshed) and moment.graph.resource(event.node) is not None
        for event in moment.step
    )


def has_skip(moment: StepMoment) -> bool:
    """Return whether a resource was skipped."""
    return any(
        isinstance(event, Skipped) and moment.graph.resource(event.node) is not None
        for event in moment.step
    )


HAPPENINGS: dict[str, Callable[[StepMoment], bool]] = {
    "failure": lambda moment: any(map(is_failure, moment.step)),
    "first failure": has_first_failure,
    "refresh": has_refresh,
    "change": changed(SUCCESS),
    "noop": changed(NOOP),
    "skip": has_skip,
}


# ---------------------------------------------------------------------- conditions


def counting(word: str) -> Callable[[StepMoment], int]:
    """Return a function that counts the resources with a status property."""

    def count(moment: StepMoment) -> int:
        statuses, graph = moment.state.statuses, moment.graph
        held = (n for n, s in enumerate(statuses) if s is not None and getattr(s, word))
        return sum(graph.resource(node) is not None for node in held)

    return count


def events_waiting(moment: StepMoment) -> int:
    """Return how many events wait for the resource that is next."""
    waiting = moment.state.waiting[moment.next] if moment.next is not None else None
    return waiting.count if waiting else 0


MEASURES: dict[str, Callable[[StepMoment], int]] = {
    "changed": counting("changed"),
    "events": events_waiting,
    "failed": counting("failed"),
    "ready": lambda moment: moment.state.ready.bit_count(),
    "restarted": counting("restarted"),
    "skipped": counting("skipped"),
    "step": lambda moment: moment.position,
}
OPERATORS: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    ">=": operator.ge,
}
CONDITION = re.compile(r"(\w+)\s*(<=|>=|!=|==?|<|>)\s*(\d+)")


# ---------------------------------------------------------------------- as people write them


def parse(text: str, graph: RunGraph) -> Breakpoint:
    """Read a breakpoint: where to stop, and `if MEASURE OPERATOR NUMBER` behind it.

    `File[/etc/motd]`, `Class[ntp]` (as the run comes into it), `type Service`, `tag web`,
    `site.pp:12`, `failure`, `first failure`, `refresh`, `change`, `noop`, `skip`.

    Raises:
        CommandError: it is none of these, or nothing in the catalog is meant by it.
    """
    where, mark, rest = text.rpartition(" if ")
    where = (where if mark else text).strip()
    condition = condition_of(rest) if mark else None
    if where in HAPPENINGS:
        return Breakpoint(text.strip(), where, condition=condition)
    kind, nodes = nodes_of(where, graph)
    return Breakpoint(text.strip(), kind, frozenset(nodes), condition)


def known(rows: Iterable[Breakpoint], graph: RunGraph) -> tuple[Breakpoint, ...]:
    """Return the breakpoints that are valid in another graph, in its terms."""
    found = []
    for row in rows:
        try:
            found.append(parse(row.text, graph))
        except CommandError:
            continue
    return tuple(found)


def condition_of(text: str) -> CountCondition:
    """Read a condition."""
    found = CONDITION.fullmatch(text.strip())
    if found is None or found[1] not in MEASURES:
        known = ", ".join(MEASURES)
        raise CommandError(f"a condition is like 'failed > 2', with one of {known}: not '{text}'")
    return CountCondition(found[1], found[2], int(found[3]))


def nodes_of(where: str, graph: RunGraph) -> tuple[str, Iterable[int]]:
    """Return the kind of a place, and the resources that are meant."""
    word, _, name = where.partition(" ")
    own = [n for n in range(graph.vertices) if graph.resource(n) is not None]
    if split_ref(where) is not None:
        return of_reference(where, graph)
    if word == "type" and name:
        wanted = capitalize_type(name.strip())
        found = [n for n in own if graph.resources[n].type == wanted]
    elif word == "tag" and name:
        found = [n for n in own if name.strip() in graph.tags(n)]
    elif ":" in where and where.rpartition(":")[2].isdigit():
        file, _, line = where.rpartition(":")
        found = [n for n in own if is_at(graph, n, file, int(line))]
    else:
        ways = "Type[title], type NAME, tag NAME, FILE:LINE"
        raise CommandError(f"a breakpoint is {ways}, or {', '.join(HAPPENINGS)}: not '{where}'")
    if not found:
        raise CommandError(f"no resource of the catalog has {where}")
    return "before", found


def of_reference(ref: str, graph: RunGraph) -> tuple[str, Iterable[int]]:
    """Return the resources of a reference: one, or all in a container."""
    try:
        node = graph.find(ref)
    except KeyError as error:
        raise CommandError(error.args[0]) from None
    if graph.resource(node) is not None:
        return "before", (node,)
    return "entering", graph.inside(node)


def is_at(graph: RunGraph, node: int, file: str, line: int) -> bool:
    """Return whether a resource is declared at a line of a file, whose path may be short."""
    resource = graph.resources[node]
    path = resource.file or ""
    return resource.line == line and (path == file or path.endswith("/" + file))
