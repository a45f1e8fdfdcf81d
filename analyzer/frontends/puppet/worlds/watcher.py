"""Listens to the choices that code makes while it is compiled."""

from __future__ import annotations

from collections.abc import Callable

from analyzer.frontends.puppet.evaluate.errors import Unit
from analyzer.frontends.puppet.evaluate.listening import Trace
from analyzer.frontends.puppet.worlds.outcomes import Place

# Where the code that a compile begins with is.
TOP: Place = ("", 0)


class Watcher:
    """Hears which arms of which constructs are taken; `arms` are how many each has.

    `texts` are those of the files that constructs are in, `inside` the constructs of each
    definition, and `entered` the definitions that were evaluated.
    """

    is_lasting = False

    def __init__(self, trace: Trace | None = None) -> None:
        self.trace = trace
        self.arms: dict[Place, int] = {}
        self.inside: dict[Place, dict[Place, int]] = {TOP: {}}
        self.entered: set[Place] = set()
        self.definition = TOP
        self.taken: dict[Place, set[int]] = {}
        self.texts: dict[str, str] = {}
        # Returns the arm to take where a test is unknown, None for none of them.
        self.choose: Callable[[Place], int | None] | None = None

    def enters(self, unit: Unit, offset: int) -> None:
        """Record that a definition is evaluated; its constructs are told the first time."""
        self.definition = unit.file, offset
        self.entered.add(self.definition)
        self.inside.setdefault(self.definition, {})

    def has(self, unit: Unit, offset: int, arms: int) -> None:
        """Record that a construct is part of what may be evaluated."""
        self.arms[unit.file, offset] = arms
        self.inside[self.definition][unit.file, offset] = arms
        self.texts[unit.file] = unit.text

    def takes(self, unit: Unit, offset: int, arm: int) -> None:
        """Record that an arm is taken."""
        self.taken.setdefault((unit.file, offset), set()).add(arm)

    def chosen(self, unit: Unit, offset: int) -> int | None:
        """Return the arm to take of a construct whose test is unknown, None for none of them."""
        return None if self.choose is None else self.choose((unit.file, offset))

    def met(self) -> dict[Place, int]:
        """Return how many arms the constructs have that may have been evaluated."""
        found = dict(self.inside[TOP])
        for definition in self.entered:
            found |= self.inside[definition]
        return found

    def read(self) -> dict[Place, frozenset[int]]:
        """Return the arms taken since the last call."""
        taken, self.taken, self.definition = self.taken, {}, TOP
        return {place: frozenset(arms) for place, arms in taken.items()}


class TraceWatcher:
    """Listens for traces only, of the compiles of many inputs."""

    is_lasting = True

    def __init__(self, trace: Trace) -> None:
        self.trace: Trace | None = trace

    def enters(self, unit: Unit, offset: int) -> None:
        """Ignore that a definition is evaluated."""

    def has(self, unit: Unit, offset: int, arms: int) -> None:
        """Ignore a construct."""

    def takes(self, unit: Unit, offset: int, arm: int) -> None:
        """Ignore that an arm is taken."""

    def chosen(self, unit: Unit, offset: int) -> int | None:
        """Return None: where a test is unknown, no arm is taken."""
        return None
