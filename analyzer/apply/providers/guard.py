"""What the system refuses is told as Puppet tells it: no provider raises anything else."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

from analyzer.apply.host import Host
from analyzer.apply.provider import Change, Generator, Note, Plan, Provider, ProviderError, State
from analyzer.model.resource import Resource

from .paths import ruby_error


class Guarded:
    """A provider whose errors of the system are ProviderErrors."""

    def __init__(self, provider: Provider) -> None:
        self._provider = provider
        self.refreshable = provider.refreshable
        self.self_refresh = provider.self_refresh

    def retrieve(self, resource: Resource, host: Host) -> State:
        """Return what the resource is like now."""
        with _told():
            return self._provider.retrieve(resource, host)

    def plan(self, resource: Resource, state: State) -> Plan:
        """Return what is to be changed."""
        return self._provider.plan(resource, state)

    def apply(self, resource: Resource, change: Change, host: Host) -> Sequence[Note]:
        """Make one change."""
        with _told():
            return self._provider.apply(resource, change, host)

    def refresh(self, resource: Resource, host: Host) -> Sequence[Note]:
        """Answer events."""
        with _told():
            return self._provider.refresh(resource, host)


class GuardedGenerator(Guarded):
    """A provider that brings other resources."""

    def __init__(self, provider: Generator) -> None:
        super().__init__(provider)
        self._generator = provider

    def generate(
        self, resource: Resource, host: Host, others: Collection[Resource]
    ) -> Sequence[Resource]:
        """Return the resources that are applied right after it."""
        with _told():
            return self._generator.generate(resource, host, others)

    def announce(
        self, resource: Resource, host: Host, others: Collection[Resource]
    ) -> Sequence[Resource]:
        """Return the resources that are in the catalog because of it from the start."""
        announce = getattr(self._generator, "announce", None)
        with _told():
            return announce(resource, host, others) if announce else ()


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ProviderError(ruby_error(error)) from None
