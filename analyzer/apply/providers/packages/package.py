"""The type package: installed packages and their versions (Puppet::Type::Package)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from analyzer.apply.host import Host
from analyzer.apply.provider import (
    ABSENT,
    Note,
    PlannedChanges,
    PropertyChange,
    Provider,
    State,
    UnsuitableError,
)
from analyzer.apply.providers.packages.base import LATEST, PRESENT, PURGED, Manager
from analyzer.apply.providers.packages.dpkg import Apt, Dpkg
from analyzer.apply.providers.packages.pip import Pip, Pip3
from analyzer.apply.providers.packages.rpm import Dnf, Rpm, Yum
from analyzer.apply.providers.parameters import Parameters
from analyzer.apply.providers.properties import WantedValue, changes_of, ensure_change
from analyzer.model.resource import Resource

MANAGERS: dict[str, type[Manager]] = {
    "apt": Apt,
    "dnf": Dnf,
    "dpkg": Dpkg,
    "pip": Pip,
    "pip3": Pip3,
    "rpm": Rpm,
    "yum": Yum,
}
_DEFAULTS = ("apt", "dnf", "yum")
_EVENTS = {PRESENT: "package_installed", ABSENT: "package_removed", PURGED: "package_purged"}
_NOT_THERE = frozenset((ABSENT, PURGED))


class PackageProvider(Provider):
    """Manages packages of apt, dpkg, dnf, yum, rpm and pip."""

    refreshable = True

    def retrieve(self, resource: Resource, host: Host) -> State:
        """Return the version, `absent` or `purged`; and the latest version, if it is wanted."""
        manager = _manager(resource, host)
        state = dict(manager.query())
        should = _ensure(manager.parameters)
        if should == LATEST and state["ensure"] not in _NOT_THERE:
            state["_latest"] = manager.latest()
        elif should not in {PRESENT, LATEST, ABSENT, PURGED}:
            state["_good"] = manager.is_good(str(state["ensure"]), should)
        return state

    def plan(self, resource: Resource, state: State) -> PlannedChanges:
        """Install, change or remove the package; else see to its mark."""
        parameters = Parameters(resource)
        should, current = _ensure(parameters), state["ensure"]
        if not _is_good(should, current, state):
            event = _EVENTS.get(should, "package_changed")
            shown = state.get("_latest") or should
            change = ensure_change(parameters, shown, current, event)
            if should == PURGED:
                change = replace(change, message="purged")
            elif current in _NOT_THERE and should != ABSENT:
                change = replace(change, message="created")
            return PlannedChanges((replace(change, new=should),))
        mark = parameters.choice("mark", {"hold": "hold", "none": "none"}, None)
        if mark is None or current in _NOT_THERE:
            return PlannedChanges()
        return PlannedChanges(tuple(changes_of(parameters, state, [WantedValue("mark", mark)])))

    def apply(self, resource: Resource, change: PropertyChange, host: Host) -> Sequence[Note]:
        """Have the manager make the change."""
        manager = _manager(resource, host)
        if change.property == "mark":
            manager.set_mark(str(change.new))
        elif change.new == ABSENT:
            manager.uninstall()
        elif change.new == PURGED:
            manager.purge()
        elif change.new == PRESENT:
            manager.install()
        else:
            manager.update()
        manager.finish()
        return ()

    def refresh(self, resource: Resource, host: Host) -> Sequence[Note]:
        """None of these managers installs anew."""
        return ()


def _ensure(parameters: Parameters) -> str:
    written = parameters.text("ensure", PRESENT) or PRESENT
    return PRESENT if written == "installed" else written


def _is_good(should: str, current: str, state: State) -> bool:
    if should == PRESENT:
        return current not in _NOT_THERE
    if should == LATEST:
        return current not in _NOT_THERE and current == state.get("_latest")
    if should == ABSENT:
        return current in _NOT_THERE
    return current == should or bool(state.get("_good"))


def _manager(resource: Resource, host: Host) -> Manager:
    parameters = Parameters(resource)
    name = parameters.text("provider")
    if name is None:
        suitable = (one for one in _DEFAULTS if MANAGERS[one].is_suitable(host))
        name = next(suitable, None)
        if name is None:
            raise UnsuitableError("Could not find a suitable provider for package")
    if name not in MANAGERS or not MANAGERS[name].is_suitable(host):
        raise UnsuitableError(f"Provider {name} is not functional on this host")
    return MANAGERS[name](parameters, host)
