"""The contract between the engine and what knows a type of resources (Puppet::Provider)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from analyzer.apply.host import Host
from analyzer.model.resource import Resource

# What a resource is like on a host: values by property; what is absent is `absent`.
State = Mapping[str, Any]

ABSENT = "absent"


class ProviderError(Exception):
    """A change, a check or a refresh that failed; the message is what Puppet would log."""


class UnsuitableError(Exception):
    """A provider cannot work on this host (now); Puppet puts such resources off to the end."""


@dataclass(frozen=True, slots=True)
class Change:
    """One property that is not as it should be (Puppet::Transaction::ResourceHarness).

    `event` is the name of the event (`file_created`, `mode_changed`, ...), `message` what Puppet
    logs of the change once it is made. `old` and `new` are data values, `sensitive` says that
    neither may be shown. `diff` are the lines of a unified diff of content, if there is one.
    """

    property: str
    event: str
    message: str
    old: Any = None
    new: Any = None
    sensitive: bool = False
    diff: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """What would be changed, in Puppet's order; no changes: the resource is as it should be."""

    changes: tuple[Change, ...] = ()
    notes: tuple[str, ...] = field(default=())


class Provider(Protocol):
    """Knows one type of resources.

    `retrieve` looks at the host, `plan` is pure, `apply` makes one change of a plan, `refresh`
    answers events. All may raise ProviderError; `retrieve` may raise UnsuitableError.
    """

    refreshable: bool
    # It is refreshed after its own changes too (mount).
    self_refresh: bool

    def retrieve(self, resource: Resource, host: Host) -> State:
        """Return what the resource is like now."""

    def plan(self, resource: Resource, state: State) -> Plan:
        """Return what is to be changed."""

    def apply(self, resource: Resource, change: Change, host: Host) -> None:
        """Make one change."""

    def refresh(self, resource: Resource, host: Host) -> None:
        """Answer events: restart the service, run the command."""
