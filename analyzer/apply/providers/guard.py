"""Turns errors of the system into Puppet's: no provider raises anything else."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

from analyzer.apply.host import Host
from analyzer.apply.provider import (
    Note,
    PlannedChanges,
    PropertyChange,
    Provider,
    ProviderError,
    State,
    UnsuitableError,
)
from analyzer.apply.providers.machine.paths import ruby_error
from analyzer.model.resource import Resource

# What Python says of names and words that the system cannot take.
NULL = "embedded null"
INTERNAL = "internal error of the provider: {}"


class GuardedProvider:
    """A provider whose errors of the system are ProviderErrors."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider
        self.refreshable = provider.refreshable
        self.self_refresh = provider.self_refresh
        self.refused: str = getattr(provider, "refused", "")

    def retrieve(self, resource: Resource, host: Host) -> State:
        """Return the state of the resource."""
        with _told():
            return self._provider.retrieve(resource, host)

    def plan(self, resource: Resource, state: State) -> PlannedChanges:
        """Return the planned changes."""
        with _told():
            return self._provider.plan(resource, state)

    def apply(self, resource: Resource, change: PropertyChange, host: Host) -> Sequence[Note]:
        """Make one change."""
        with _told():
            return self._provider.apply(resource, change, host)

    def refresh(self, resource: Resource, host: Host) -> Sequence[Note]:
        """Answer events."""
        with _told():
            return self._provider.refresh(resource, host)


class GuardedGenerator(GuardedProvider):
    """A provider that brings other resources."""

    def generate(
        self, resource: Resource, host: Host, others: Collection[Resource]
    ) -> Sequence[Resource]:
        """Return the resources that are applied right after it."""
        return self._brought("generate", resource, host, others)

    def announce(
        self, resource: Resource, host: Host, others: Collection[Resource]
    ) -> Sequence[Resource]:
        """Return the resources that are in the catalog because of it from the start."""
        return self._brought("announce", resource, host, others)

    def _brought(
        self, hook: str, resource: Resource, host: Host, others: Collection[Resource]
    ) -> Sequence[Resource]:
        bring = getattr(self._provider, hook, None)
        with _told():
            found: Sequence[Resource] = bring(resource, host, others) if bring else ()
        return found


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ProviderError(ruby_error(error)) from None
    except (ProviderError, UnsuitableError):
        raise
    except ValueError as error:
        if NULL not in str(error):
            raise ProviderError(INTERNAL.format(type(error).__name__)) from error
        raise ProviderError("string contains null byte") from None
    except Exception as error:
        # One resource fails for it and the run goes on. What the error says may be a secret.
        raise ProviderError(INTERNAL.format(type(error).__name__)) from error
