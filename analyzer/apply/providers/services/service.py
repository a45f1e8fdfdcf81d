"""The type service: whether it runs, and whether it starts at boot (Puppet::Type::Service)."""

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
from analyzer.apply.providers.parameters import Parameters
from analyzer.apply.providers.properties import WantedValue, changes_of
from analyzer.apply.providers.services.base import BaseService, Debian, Init
from analyzer.apply.providers.services.systemd import Systemd
from analyzer.model.resource import Resource

_ENSURE = {"running": "running", "true": "running", "stopped": "stopped", "false": "stopped"}
_ENABLE = {"true": "true", "false": "false", "mask": "mask"}
_EVENTS = {"running": "service_started", "stopped": "service_stopped", "true": "service_enabled"}
_KINDS: dict[str, type[BaseService]] = {
    "base": BaseService,
    "debian": Debian,
    "init": Init,
    "systemd": Systemd,
}


class ServiceProvider(Provider):
    """Manages services; the manager is systemd where that runs, else scripts of init."""

    refreshable = True

    def retrieve(self, resource: Resource, host: Host) -> State:
        """Return whether it runs, and whether it is started at boot."""
        service = _service(resource, host)
        state: dict[str, object] = {}
        if "ensure" in service.parameters:
            state["ensure"] = service.status()
        enable = _enable(service.parameters)
        if enable and service.can_enable:
            state["enable"] = service.enabled(enable)
            state["_fixed"] = service.is_fixed(enable)
        return state

    def plan(self, resource: Resource, state: State) -> PlannedChanges:
        """Start or stop it, else see to the boot."""
        parameters = Parameters(resource)
        ensure, enable = parameters.choice("ensure", _ENSURE, None), _enable(parameters)
        if ensure and state["ensure"] != ensure:
            event = _EVENTS[ensure]
            wanted = WantedValue("ensure", ensure, event, drops_refreshes=ensure == "running")
            return PlannedChanges(tuple(changes_of(parameters, state, [wanted])))
        if not enable or "enable" not in state or state["_fixed"]:
            return PlannedChanges()
        wanted = WantedValue("enable", enable, _EVENTS.get(enable, "service_disabled"))
        return PlannedChanges(tuple(changes_of(parameters, state, [wanted])))

    def apply(self, resource: Resource, change: PropertyChange, host: Host) -> Sequence[Note]:
        """Start, stop, enable, disable or mask it."""
        service = _service(resource, host)
        if change.property == "ensure":
            notes = service.start() if change.new == "running" else service.stop()
            self._boot(service)
            return notes
        service.set_enabled(str(change.new))
        return ()

    def refresh(self, resource: Resource, host: Host) -> Sequence[Note]:
        """Restart it if it runs."""
        service = _service(resource, host)
        return service.restart() if service.status() == "running" else ()

    @staticmethod
    def _boot(service: BaseService) -> None:
        enable = _enable(service.parameters)
        if not enable or not service.can_enable or service.is_fixed(enable):
            return
        if service.enabled(enable) != enable:
            service.set_enabled(enable)


def _enable(parameters: Parameters) -> str | None:
    return parameters.choice("enable", _ENABLE, None)


def _service(resource: Resource, host: Host) -> BaseService:
    parameters = Parameters(resource)
    name = parameters.text("provider") or _default(host)
    if name not in _KINDS or not _KINDS[name].is_suitable(host):
        raise UnsuitableError(f"Provider {name} is not functional on this host")
    return _KINDS[name](parameters, host)


def _default(host: Host) -> str:
    for name in ("systemd", "debian", "init"):
        if _KINDS[name].is_suitable(host):
            return name
    raise UnsuitableError("Could not find a suitable provider for service")
