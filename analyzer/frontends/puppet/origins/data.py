"""The contributors of values of Hiera: keys, levels and files, from the steps of a lookup."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from analyzer.frontends.puppet.hiera.errors import HieraError
from analyzer.frontends.puppet.hiera.explain import LookupOutcome, LookupStep
from analyzer.frontends.puppet.hiera.hidden import every_step
from analyzer.frontends.puppet.origins.contributors import Contributor


@dataclass(frozen=True, slots=True)
class DataPlace:
    """The place of a value of Hiera: a key, a level of a layer, and a file if there is one.

    `merge` is how it was merged with others, `hides` are lower places with the key.
    """

    key: str
    level: str
    layer: str
    file: str | None
    known: bool = True
    merge: str = ""
    hides: tuple[DataPlace, ...] = ()


# The answers of places that have a key, or may have it.
HAD = (LookupOutcome.FOUND, LookupOutcome.UNKNOWN)


def data_contributors(
    steps: Sequence[LookupStep],
    read: tuple[Contributor, ...],
    around: Contributor | None,
    key: str = "",
    lookup: Any = None,
) -> tuple[Contributor, ...]:
    """Return the contributors of a lookup; `read` are those of the variables that it read.

    With a `lookup` they tell how they were merged, and what the last of the `key` hides.
    """
    had = [step for step in steps if step.outcome in HAD]
    own = [step for step in had if step.depth == 0]
    merge, hidden = "", tuple[DataPlace, ...]()
    if lookup is not None and own:
        merge = merge_of(lookup, key) if len(own) > 1 else ""
        places = {(one.layer, one.entry, one.location) for one in own}
        others = (one for one in every_step(lookup, key) if place_of(one) not in places)
        hidden = tuple(data_place(one) for one in others)
    return tuple(
        Contributor(
            "data",
            step.key,
            read,
            around,
            value=data_place(
                step, merge if step.depth == 0 else "", hidden if own and step is own[-1] else ()
            ),
        )
        for step in had
    )


def place_of(step: LookupStep) -> tuple[str, str, str | None]:
    """Return the place of a step."""
    return step.layer, step.entry, step.location


def data_place(step: LookupStep, merge: str = "", hides: tuple[DataPlace, ...] = ()) -> DataPlace:
    """Return the place of data of a step."""
    known = step.outcome is LookupOutcome.FOUND
    return DataPlace(step.key, step.entry, step.layer, step.location, known, merge, hides)


def merge_of(lookup: Any, key: str) -> str:
    """Return how the values of a key were merged, in words."""
    try:
        merge = lookup.merge_of(key)
    except HieraError:
        merge = None
    if merge is None:
        return "merged"
    name = merge.get("strategy") if isinstance(merge, dict) else merge
    return f"merge {name} of lookup_options"
