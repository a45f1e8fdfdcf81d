"""The places one has been at, to go back and forth between, as browsers do."""

from __future__ import annotations

from typing import Generic, TypeVar

Place = TypeVar("Place")

# Places that are remembered.
MOST = 200


class Trail(Generic[Place]):
    """A list of places and where one stands in it."""

    def __init__(self) -> None:
        self.places: list[Place] = []
        self.at = -1

    @property
    def here(self) -> Place | None:
        """Where one stands, None before the first place."""
        return self.places[self.at] if self.places else None

    def go(self, place: Place) -> None:
        """Go to a place; what lay ahead is forgotten, unless one stands there already."""
        if self.here == place and self.places:
            return
        del self.places[self.at + 1 :]
        self.places.append(place)
        del self.places[: -MOST or None]
        self.at = len(self.places) - 1

    def move(self, step: int) -> Place | None:
        """Go back or forth; None where there is nothing."""
        if not 0 <= self.at + step < len(self.places):
            return None
        self.at += step
        return self.here

    def before(self, count: int) -> list[Place]:
        """Return the last places before this one, the oldest first."""
        return self.places[max(0, self.at - count) : max(0, self.at)]
