"""Properties and the messages of their changes (Puppet::Property, Puppet::Property::Ensure)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from analyzer.apply.provider import ABSENT, PlannedChanges, PropertyChange, State

from .parameters import REDACTED, Parameters, display


@dataclass(frozen=True, slots=True)
class WantedValue:
    """The wanted value of a property.

    `matches` decides whether a current value is in sync; without it, it must equal `value`.
    `shown` are the texts for the messages where values are not shown as they are.
    """

    name: str
    value: Any
    event: str | None = None
    matches: Callable[[Any], bool] | None = None
    show: Callable[[object], str] = display
    drops_refreshes: bool = False

    def good(self, current: object) -> bool:
        """Return whether nothing is to be done."""
        return self.matches(current) if self.matches else bool(current == self.value)


def change_of(parameters: Parameters, wanted: WantedValue, current: object) -> PropertyChange:
    """Return the change of a property, worded as Puppet::Property#change_to_s does."""
    if wanted.name in parameters.secret:
        return redacted(wanted.name, wanted.event or f"{wanted.name}_changed")
    old, new = wanted.show(current), wanted.show(wanted.value)
    if current == ABSENT:
        message = f"defined '{wanted.name}' as {new}"
    elif wanted.value == ABSENT:
        message = f"undefined '{wanted.name}' from {old}"
    else:
        message = f"{wanted.name} changed {old} to {new}"
    return PropertyChange(
        wanted.name,
        wanted.event or f"{wanted.name}_changed",
        message,
        current,
        wanted.value,
        shown=(old, new),
        drops_refreshes=wanted.drops_refreshes,
    )


def ensure_change(
    parameters: Parameters, wanted: str, current: str | None, event: str | None = None
) -> PropertyChange:
    """Return the change of `ensure`, worded as Puppet::Property::Ensure does."""
    kind = parameters.resource.type.lower().replace("::", "__")
    if event is None:
        event = {"present": f"{kind}_created", ABSENT: f"{kind}_removed"}.get(
            wanted, f"{kind}_changed"
        )
    if "ensure" in parameters.secret:
        return redacted("ensure", event)
    if current in {ABSENT, None}:
        message = "created"
    elif wanted == ABSENT:
        message = "removed"
    else:
        message = f"ensure changed {display(current)} to {display(wanted)}"
    return PropertyChange("ensure", event, message, current, wanted)


def redacted(property: str, event: str, diff: tuple[str, ...] = ()) -> PropertyChange:
    """Return the change of a property whose values may not be shown."""
    return PropertyChange(
        property, event, f"changed {REDACTED} to {REDACTED}", REDACTED, REDACTED, True, diff
    )


def plan_properties(
    parameters: Parameters,
    state: State,
    wanted: Iterable[WantedValue],
    ensure: str | None = None,
) -> PlannedChanges:
    """Plan as Puppet does: `ensure` first, and the other properties only if it is as it should be.

    A resource that is absent and need not be there has nothing to be changed.
    """
    current = state.get("ensure", ABSENT)
    if ensure is not None and ensure != current:
        return PlannedChanges((ensure_change(parameters, ensure, current),))
    if current == ABSENT:
        return PlannedChanges()
    return PlannedChanges(tuple(changes_of(parameters, state, wanted)))


def changes_of(
    parameters: Parameters, state: State, wanted: Iterable[WantedValue]
) -> Iterable[PropertyChange]:
    """Return the changes of the properties that are not as they should be."""
    for one in wanted:
        current = state.get(one.name, ABSENT)
        if not one.good(current):
            yield change_of(parameters, one, current)


def values(wanted: Iterable[WantedValue]) -> Mapping[str, object]:
    """Return the wanted values by property."""
    return {one.name: one.value for one in wanted}
