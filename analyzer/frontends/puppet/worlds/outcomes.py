"""The outcome of a run of code in a world, and the inputs that a search may change."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from typing import Protocol

from analyzer.frontends.puppet.worlds.tests import Value
from analyzer.frontends.puppet.worlds.world import World

# A construct that chooses: its file, and its offset there.
Place = tuple[str, int]

# The place of what is asked wherever the code goes: paths of Hiera.
EVERYWHERE: Place = ("", 0)


class Outcome(Protocol):
    """The result of a run of the code in a world."""

    @property
    def taken(self) -> Mapping[Place, frozenset[int]]:
        """The arms that were taken, of each construct that was reached."""
        ...

    @property
    def refused(self) -> bool:
        """Return whether the run ended with an error."""
        ...

    @property
    def fault(self) -> Sequence[Place]:
        """Return the constructs around the error, the innermost first."""
        ...

    @property
    def behaviour(self) -> Hashable:
        """Return the key that tells one outcome from another."""
        ...


class VariedInputs(Protocol):
    """The inputs of a program that may be changed, and to what."""

    def asked_at(self, place: Place) -> Mapping[str, Sequence[Value]]:
        """Return the inputs that a construct depends on, with the values to try."""
        ...

    def names_at(self, place: Place) -> Sequence[tuple[str, Sequence[Value] | None]]:
        """Return the inputs of a computed class name with the values to try, None if unknown."""
        ...

    def is_own(self, place: Place) -> bool:
        """Return whether a construct is part of the code that is explored."""
        ...

    def classes_at(self, place: Place, name: str, value: Value) -> Hashable:
        """Return the results of the construct's own tests of a value."""
        ...

    def value_in(self, world: World, name: str) -> Value:
        """Return the value of an input in a world."""
        ...

    def systems_with(self, name: str, value: Value) -> Iterable[str]:
        """Return the systems on which an input has a value."""
        ...

    def learn(self, world: World, places: Collection[Place]) -> bool:
        """Find out what decides constructs that a world reaches; return whether that is new."""
        ...
