"""The contributors of values of Hiera: keys, levels and files, from the steps of a lookup."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from analyzer.frontends.puppet.hiera.errors import HieraError
from analyzer.frontends.puppet.hiera.explain import Outcome, Step
from analyzer.frontends.puppet.hiera.hidden import every_step
from analyzer.frontends.puppet.origins.contributors import Contributor, Trail, entries


@dataclass(frozen=True, slots=True)
class DataPlace:
    """The place of a value of Hiera: a key, a level of a layer, and a file if there is one.

    `merge` is how it was merged with others, `hides` are lower places with the key. `path` leads to
    an element of the value; `is_shape`: it is an array or hash without its elements.
    """

    key: str
    level: str
    layer: str
    file: str | None
    known: bool = True
    merge: str = ""
    hides: tuple[DataPlace, ...] = ()
    path: tuple[Any, ...] = ()
    is_shape: bool = False

    @property
    def name(self) -> str:
        """Return the key with what leads to the element, as `lookup` takes it."""
        return ".".join((self.key, *map(str, self.path)))


# The elements of a value that have places of their own; those of a larger one share its place.
MOST_ELEMENTS = 5_000
# The answers of places that have a key, or may have it.
HAD = (Outcome.FOUND, Outcome.UNKNOWN)


def data_contributors(
    steps: Sequence[Step],
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


def data_trail(shape: tuple[Contributor, ...], steps: Sequence[Step], value: object) -> Trail:
    """Return the trail of a looked up value; elements of one that is not merged have their own."""
    had = [step for step in steps if step.outcome in HAD]
    own = [number for number, step in enumerate(had) if step.depth == 0]
    if len(own) != 1 or len(shape) != len(had) or not isinstance(value, (list, dict)):
        return Trail(shape)
    found = had[own[0]].value
    # A merge makes another array of one, in which equal elements are one.
    is_same = found is value or (isinstance(value, dict) and found == value)
    if not is_same or not value or size(value) > MOST_ELEMENTS:
        return Trail(shape)
    whole = shape[own[0]]
    rest = (*shape[: own[0]], *shape[own[0] + 1 :])
    return Trail((part(whole, (), is_shape=True), *rest), elements_of(whole, value, ()))


def size(value: object) -> int:
    """Return the number of elements of a value, at any depth; it ends soon beyond the most."""
    pending, count = [value], 0
    while pending and count <= MOST_ELEMENTS:
        one = pending.pop()
        if isinstance(one, (list, dict)):
            count += len(one)
            pending += one.values() if isinstance(one, dict) else one
    return count


def elements_of(
    whole: Contributor, value: list[Any] | dict[Any, Any], path: tuple[Any, ...]
) -> dict[Any, Trail]:
    """Return the trails of the elements of a value of data."""
    found = {}
    for key, one in entries(value):
        inner = (*path, key)
        if isinstance(one, (list, dict)) and one:
            trail = part(whole, inner, is_shape=True)
            found[key] = Trail((trail,), elements_of(whole, one, inner))
        else:
            found[key] = Trail((part(whole, inner, is_shape=False),))
    return found


def part(whole: Contributor, path: tuple[Any, ...], *, is_shape: bool) -> Contributor:
    """Return the contributor of an element of a value of data."""
    place = whole.value
    if isinstance(place, DataPlace):
        # Only the value as a whole hides others.
        hides = place.hides if not path else ()
        place = replace(place, path=path, is_shape=is_shape, hides=hides)
    return Contributor(whole.kind, whole.name, whole.inner, whole.around, value=place)


def place_of(step: Step) -> tuple[str, str, str | None]:
    """Return the place of a step."""
    return step.layer, step.entry, step.location


def data_place(step: Step, merge: str = "", hides: tuple[DataPlace, ...] = ()) -> DataPlace:
    """Return the place of data of a step."""
    known = step.outcome is Outcome.FOUND
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
