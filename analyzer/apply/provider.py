"""The contract between the engine and what knows a type of resources (Puppet::Provider)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from analyzer.apply.host import Host
from analyzer.model.resource import Resource

# What a resource is like on a host: values by property; what is absent is `absent`. Keys that begin
# with `_` are the provider's own. It may hold secrets: what may be shown is in the Change.
State = Mapping[str, Any]

ABSENT = "absent"

# Levels of the log in Puppet's order: the first is the least.
LEVELS = ("debug", "info", "notice", "warning", "err", "alert", "emerg", "crit")


def level_named(value: object) -> str:
    """Return the level that the metaparameter loglevel sets; none that Puppet lacks."""
    level = "info" if value == "verbose" else str(value)
    return level if level in LEVELS else "notice"


@dataclass(frozen=True, slots=True)
class Note:
    """A line that is logged by the way (the output of a command, a warning).

    `part` says what speaks: a parameter's name, "" for the resource itself, None for none
    (logged without a path, as Puppet does with the text of a notify).
    """

    level: str
    message: str
    part: str | None = ""


class ProviderError(Exception):
    """A change, a check or a refresh that failed; the message is what Puppet would log.

    `notes` are logged before it.
    """

    def __init__(self, message: str, notes: Sequence[Note] = ()) -> None:
        super().__init__(message)
        self.notes = tuple(notes)


class UnsuitableError(Exception):
    """A provider cannot work on this host (now); Puppet puts such resources off to the end."""


@dataclass(frozen=True, slots=True)
class PropertyChange:
    """One property that is not as it should be (Puppet::Transaction::ResourceHarness).

    `event` is the name of the event (`file_created`, `mode_changed`, ...), `message` what Puppet
    logs of the change once it is made. `old` and `new` are data values, `shown` how messages show
    the two where that is not how data values are shown (an owner is a number and shown by name).
    `sensitive` says that neither may be shown. `diff` are the lines of a unified diff of content,
    if there is one. `drops_refreshes`: refreshes waiting for the resource are dropped once it is
    made (a service that is started need not be restarted).
    """

    property: str
    event: str
    message: str
    old: object = None
    new: object = None
    sensitive: bool = False
    diff: tuple[str, ...] = ()
    shown: tuple[str, str] | None = None
    drops_refreshes: bool = False


@dataclass(frozen=True, slots=True)
class PlannedChanges:
    """The planned changes, in Puppet's order; without changes the resource is in sync."""

    changes: tuple[PropertyChange, ...] = ()
    notes: tuple[Note, ...] = ()


class Provider(Protocol):
    """Manages one type of resources.

    `retrieve` looks at the host, `plan` is pure, `apply` makes one change of a plan, `refresh`
    answers events. All may raise ProviderError; `retrieve` may raise UnsuitableError. In a noop run
    the resource's parameter `noop` is true.
    """

    refreshable: bool = False
    # It is refreshed after its own changes too (mount).
    self_refresh: bool = False

    def retrieve(self, resource: Resource, host: Host) -> State:
        """Return the state of the resource."""

    def plan(self, resource: Resource, state: State) -> PlannedChanges:
        """Return the planned changes."""

    def apply(self, resource: Resource, change: PropertyChange, host: Host) -> Sequence[Note]:
        """Make one change; return the lines that are logged before its message."""

    def refresh(self, resource: Resource, host: Host) -> Sequence[Note]:
        """Answer events: restart the service, run the command; most types do nothing."""
        return ()


class GeneratingProvider(Provider, Protocol):
    """A provider whose resources generate others (eval_generate), such as a folder its files."""

    def generate(
        self, resource: Resource, host: Host, others: Collection[Resource]
    ) -> Sequence[Resource]:
        """Return the resources that are applied right after it, given all of the catalog.

        Asked when the resource's turn comes, before it is applied itself.
        """
