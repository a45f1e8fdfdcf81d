"""The outcomes of commands, files and the like, which the user sets for a simulation."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from analyzer.diagnostics import InputError
from analyzer.frontends.cfengine.agent.events import (
    KEPT,
    NOT_KEPT,
    NOT_SET,
    REPAIRED,
    SET,
    SKIPPED,
    TIMEOUT,
)
from analyzer.source import Span

GIVEN = (KEPT, REPAIRED, NOT_KEPT, TIMEOUT)
# A command that exits with 0 counts as repaired; of all else nothing is assumed to change.
DEFAULT = {"commands": REPAIRED}
# Outcome: the classes that a body sets, and those that it cancels.
SETS = {
    KEPT: ("promise_kept",),
    REPAIRED: ("promise_repaired",),
    NOT_KEPT: ("repair_failed",),
    TIMEOUT: ("repair_timeout",),
}
CANCELS = {KEPT: "cancel_kept", REPAIRED: "cancel_repaired"}

Place = tuple[str, str, int, int]


class Outcomes:
    """Outcomes by place (bundle, type, line, iteration), in order."""

    def __init__(self, rows: Iterable[Mapping[str, object]] = ()) -> None:
        self.by_place: dict[Place, deque[str]] = {}
        # Whether a class is set whose expression is not known, also by pass.
        self.truths: dict[tuple[object, ...], bool] = {}
        rows = list(rows)
        for place, outcome in read(rows):
            self.by_place.setdefault(place, deque()).append(outcome)
        for row in rows:
            self.add_truth(row)

    def add_truth(self, row: Mapping[str, Any]) -> None:
        """Record whether a classes promise sets its class."""
        if row.get("type") == "classes" and row.get("outcome") in (SET, NOT_SET):
            place = (row["bundle"], row["line"], row.get("iteration") or 1)
            self.truths[*place, row.get("pass")] = row["outcome"] == SET
            self.truths.setdefault(place, row["outcome"] == SET)

    def truth(self, bundle: str, line: int, iteration: int, number: int) -> bool | None:
        """Return whether a classes promise sets its class, None if nobody says so."""
        place = (bundle, line, iteration)
        return self.truths.get((*place, number), self.truths.get(place))

    def add_first(self, rows: Iterable[Mapping[str, object]]) -> None:
        """Insert outcomes before the present ones."""
        for place, outcome in read(rows):
            self.by_place.setdefault(place, deque()).appendleft(outcome)

    def copy(self) -> Outcomes:
        """Return a copy for another run."""
        found = Outcomes()
        found.by_place = {place: deque(rows) for place, rows in self.by_place.items()}
        found.truths = self.truths
        return found

    def take(self, place: Place) -> str | None:
        """Return the next outcome of a place, None if there is none."""
        rows = self.by_place.get(place)
        return rows.popleft() if rows else None


def read(rows: Iterable[Mapping[str, Any]]) -> Iterator[tuple[Place, str]]:
    """Yield the outcomes among events, with their places."""
    for row in rows:
        if row.get("outcome") in GIVEN and row.get("phase", "eval") == "eval":
            place = (row["bundle"], row["type"], row["line"], row.get("iteration") or 1)
            yield place, row["outcome"]


def read_outcomes(text: str, path: str) -> Outcomes:
    """Read a list of events, or a document with `events`, as `order --format json` prints them.

    Raises:
        InputError: it is neither.
    """
    import json

    try:
        document = json.loads(text)
        rows = document["events"] if isinstance(document, dict) else document
        return Outcomes(rows)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        message = f"not valid outcomes: {error}"
        raise InputError(message, Span(path), "bad-outcomes") from None


__all__ = ["DEFAULT", "SKIPPED", "Outcomes", "read_outcomes"]
