"""Types that are known and not applied: they say so instead of doing half of it."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.apply.host import Host
from analyzer.apply.provider import (
    Note,
    PlannedChanges,
    PropertyChange,
    Provider,
    State,
    UnsuitableError,
)
from analyzer.model.resource import Resource


class RefusedProvider(Provider):
    """A type that needs a library which is not used here (augeas)."""

    # Why; a plan asks for it before anything is looked at.
    refused = (
        "Augeas is not applied by catgraph: it needs the Augeas library. "
        "Apply it with Puppet, or use ini_setting, file_line or a template"
    )

    def retrieve(self, resource: Resource, host: Host) -> State:
        """Refuse.

        Raises:
            UnsuitableError: always.
        """
        raise UnsuitableError(self.refused)

    def plan(self, resource: Resource, state: State) -> PlannedChanges:
        """Nothing is planned."""
        return PlannedChanges()

    def apply(self, resource: Resource, change: PropertyChange, host: Host) -> Sequence[Note]:
        """Nothing is done."""
        return ()

    def refresh(self, resource: Resource, host: Host) -> Sequence[Note]:
        """Nothing is done."""
        return ()
