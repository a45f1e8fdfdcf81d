"""What a run finds and changes: nothing real here, a host behind the same port elsewhere."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from analyzer.apply.provider import Change, Note, Plan, State
from analyzer.apply.usual import nothing_of, plan_of, said_by, settles
from analyzer.model.resource import Resource

# What a simulated resource is like once everything it declares was done: under this key its
# parameters then. It needs no provider to see that the same parameters ask for nothing more.
DECLARED = "(as declared)"


class World(Protocol):
    """What resources are like, and what changes them. All but `after` may raise ProviderError."""

    def check(self, resource: Resource) -> None:
        """Find out whether the resource's provider works here.

        Raises:
            UnsuitableError: it does not, or not yet; the message is the provider's name.
        """

    def retrieve(self, resource: Resource, kept: State | None) -> State:
        """Return what a resource is like; `kept` is what the run knows of it."""

    def plan(self, resource: Resource, state: State) -> Plan:
        """Return what is to be changed."""

    def apply(self, resource: Resource, change: Change) -> Sequence[Note]:
        """Make a change; return what is logged before its message."""

    def refresh(self, resource: Resource) -> Sequence[Note]:
        """Answer events."""

    def after(
        self, resource: Resource, state: State, made: tuple[Change, ...], complete: bool
    ) -> State | None:
        """Return what a resource is like after changes, None where that is looked up anew."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """A world that is only imagined: `described` are states by reference, all else is absent.

    `properties` are those of types that were read from modules.
    """

    described: Mapping[str, State] = field(default_factory=dict)
    properties: Mapping[str, Collection[str]] = field(default_factory=dict)

    def check(self, resource: Resource) -> None:
        """Every provider works."""

    def retrieve(self, resource: Resource, kept: State | None) -> State:
        """Return the state that was described, or that of what is not there."""
        if kept is not None:
            return kept
        found = self.described.get(str(resource))
        return nothing_of(resource) if found is None else found

    def plan(self, resource: Resource, state: State) -> Plan:
        """Return what the type would change."""
        if state.get(DECLARED) == resource.parameters and settles(resource):
            return Plan()
        return plan_of(resource, state, self.properties.get(resource.type))

    def apply(self, resource: Resource, change: Change) -> Sequence[Note]:
        """Change nothing, and say what the type says."""
        return tuple(said_by(resource, change))

    def refresh(self, resource: Resource) -> Sequence[Note]:
        """Every refresh succeeds."""
        return ()

    def after(
        self, resource: Resource, state: State, made: tuple[Change, ...], complete: bool
    ) -> State | None:
        """Return the state with the changes in it."""
        if not made:
            return None
        values: dict[str, Any] = {**state, **{change.property: change.new for change in made}}
        if complete:
            values[DECLARED] = resource.parameters
        return values
