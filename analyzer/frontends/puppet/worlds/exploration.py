"""The results of a search of worlds: those that were tried, and the arms that they took."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from analyzer.frontends.puppet.worlds.outcomes import Outcome, Place
from analyzer.frontends.puppet.worlds.world import World

# Why no world took an arm.
NO_VALUE, STOPPED = "no value that was tried leads there", "the search stopped first"


@dataclass(frozen=True, slots=True)
class NeverTaken:
    """An arm that no world took, and why: `NO_VALUE` or `STOPPED`."""

    place: Place
    arm: int
    reason: str


@dataclass(slots=True)
class Exploration:
    """The worlds that were tried with their outcomes, and the arms that were taken.

    `runs` counts all that were tried; `worlds` are those that behave unlike the ones before.
    `sound` are arms that a world took which was not refused, `failing` constructs around errors.
    """

    worlds: list[tuple[World, Outcome]] = field(default_factory=list)
    taken: dict[Place, set[int]] = field(default_factory=dict)
    sound: dict[Place, set[int]] = field(default_factory=dict)
    failing: set[Place] = field(default_factory=set)
    runs: int = 0
    exhausted: bool = True

    def never(self, arms: Mapping[Place, int]) -> list[NeverTaken]:
        """Return the arms that were not taken, of constructs that can be reached."""
        reason = NO_VALUE if self.exhausted else STOPPED
        return [
            NeverTaken(place, arm, reason)
            for place, count in sorted(arms.items())
            for arm in range(count)
            if arm not in self.taken.get(place, ())
        ]
