"""The type notify: a message in the log, at every run (Puppet::Type::Notify)."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.apply.host import Host
from analyzer.apply.provider import ABSENT, Note, PlannedChanges, PropertyChange, Provider, State
from analyzer.model.resource import Resource

from .parameters import Parameters, shown
from .properties import WantedValue, change_of


class NotifyProvider(Provider):
    """Logs a message."""

    def retrieve(self, resource: Resource, host: Host) -> State:
        """Nothing has been said yet."""
        Parameters(resource)
        return {"message": ABSENT}

    def plan(self, resource: Resource, state: State) -> PlannedChanges:
        """Return the plan to print the message, in every run."""
        parameters = Parameters(resource)
        return PlannedChanges(
            (change_of(parameters, WantedValue("message", _message(parameters)), ABSENT),)
        )

    def apply(self, resource: Resource, change: PropertyChange, host: Host) -> Sequence[Note]:
        """Log the message."""
        parameters = Parameters(resource)
        text = "Sensitive [value redacted]" if change.sensitive else shown(_message(parameters))
        part = "message" if parameters.flag("withpath") else None
        return (Note(parameters.loglevel, text, part),)


def _message(parameters: Parameters) -> object:
    value = parameters["message"]
    if isinstance(value, list):
        value = value[0] if value else None
    return parameters.name if value is None else value
