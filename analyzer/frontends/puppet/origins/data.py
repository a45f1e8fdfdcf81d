"""The contributors of values of Hiera: keys, levels and files, from the steps of a lookup."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from analyzer.frontends.puppet.hiera.errors import HieraError
from analyzer.frontends.puppet.hiera.explain import LookupOutcome, LookupStep
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


def data_trail(shape: tuple[Contributor, ...], steps: Sequence[LookupStep], value: object) -> Trail:
    """Return the trail of a looked up value; elements have the places that they are from."""
    had = [step for step in steps if step.outcome in HAD]
    # What is not known may decide about the whole.
    known = [step.depth == 0 and step.outcome is LookupOutcome.FOUND for step in had]
    own = [number for number, is_known in enumerate(known) if is_known]
    if not own or len(shape) != len(had) or not isinstance(value, (list, dict)) or not value:
        return Trail(shape)
    sources = [Source(shape[number], had[number].value, ()) for number in own]
    if size([value, *(one.value for one in sources)]) > MOST_ELEMENTS:
        return Trail(shape)
    found = elements_of(value, sources)
    if found is None:
        return Trail(shape)
    rest = (one for number, one in enumerate(shape) if number not in own)
    return Trail((*(one.part(is_shape=True) for one in sources), *rest), found)


@dataclass(frozen=True, slots=True)
class Source:
    """A value of one place, or an element of it, with the contributor of the whole."""

    whole: Contributor
    value: Any
    path: tuple[Any, ...]

    def inside(self, key: Any) -> Source:
        """Return an element."""
        return Source(self.whole, self.value[key], (*self.path, key))

    def part(self, *, is_shape: bool) -> Contributor:
        """Return the contributor that it is."""
        whole, place = self.whole, self.whole.value
        if isinstance(place, DataPlace):
            # Only the value as a whole hides others.
            hides = place.hides if not self.path else ()
            place = replace(place, path=self.path, is_shape=is_shape, hides=hides)
        return Contributor(whole.kind, whole.name, whole.inner, whole.around, value=place)


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
    value: list[Any] | dict[Any, Any], sources: list[Source]
) -> dict[Any, Trail] | None:
    """Return the trails of the elements of a value that was merged of some, None if not known."""
    found = {}
    for key, one in entries(value):
        holders = list(holders_of(key, one, sources))
        same = next((holder for holder in holders if same_data(holder.value, one)), None)
        holders = [same] if same is not None else holders
        inner: dict[Any, Trail] | None = None
        if isinstance(one, (list, dict)) and one:
            inner = elements_of(one, holders)
        if not holders or (same is None and inner is None):
            return None
        is_shape = inner is not None
        found[key] = Trail(tuple(holder.part(is_shape=is_shape) for holder in holders), inner)
    return found


def holders_of(key: Any, element: Any, sources: list[Source]) -> Iterator[Source]:
    """Yield where an element may be from: a key has its place, an element of an array any."""
    for source in sources:
        if isinstance(source.value, dict):
            if key in source.value:
                yield source.inside(key)
        elif isinstance(source.value, list):
            for number, one in enumerate(source.value):
                if same_data(one, element):
                    yield source.inside(number)
                    break
        elif same_data(source.value, element):
            # A merge takes one value as an array of it.
            yield source


def same_data(first: Any, second: Any) -> bool:
    """Return whether two values are equal; 1 is not true."""
    return type(first) is type(second) and bool(first == second)


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
