"""The type group: groups, with groupadd and its like (provider groupadd)."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.apply.host import Host
from analyzer.apply.provider import ABSENT, Note, PlannedChanges, PropertyChange, Provider, State
from analyzer.apply.providers.machine.account_files import group
from analyzer.apply.providers.machine.programs import needed, run_or_fail
from analyzer.apply.providers.parameters import Parameters
from analyzer.apply.providers.properties import WantedValue, plan_properties
from analyzer.model.resource import Resource

_PROGRAMS = ("groupadd", "groupdel", "groupmod")


class GroupProvider(Provider):
    """Manages groups by name and number."""

    def retrieve(self, resource: Resource, host: Host) -> State:
        """Return the group's number."""
        parameters = Parameters(resource)
        needed(host, "groupadd", _PROGRAMS)
        found = group(host, parameters.name)
        return {"ensure": "present", "gid": int(found[2])} if found else {"ensure": ABSENT}

    def plan(self, resource: Resource, state: State) -> PlannedChanges:
        """Return the plan to create, remove or renumber the group."""
        parameters = Parameters(resource)
        gid = _gid(parameters)
        wanted = [] if gid is None else [WantedValue("gid", gid)]
        return plan_properties(parameters, state, wanted, _ensure(parameters))

    def apply(self, resource: Resource, change: PropertyChange, host: Host) -> Sequence[Note]:
        """Call the program that makes the change."""
        parameters = Parameters(resource)
        name, gid = parameters.name, _gid(parameters)
        dup = ["-o"] if parameters.flag("allowdupe") else []
        number = [] if gid is None else ["-g", str(gid)]
        if change.property == "gid":
            words = ["groupmod", *number, *dup, name]
            run_or_fail(host, words, f"Could not set gid on group[{name}]")
        elif change.new == ABSENT:
            run_or_fail(host, ["groupdel", name], f"Could not delete group {name}")
        else:
            system = ["-r"] if parameters.flag("system") else []
            words = ["groupadd", *number, *dup, *system, name]
            run_or_fail(host, words, f"Could not create group {name}")
        return ()


def _ensure(parameters: Parameters) -> str:
    choices = {"present": "present", ABSENT: ABSENT}
    return parameters.choice("ensure", choices, "present") or "present"


def _gid(parameters: Parameters) -> int | None:
    text = parameters.text("gid")
    if text is None:
        return None
    if not text.lstrip("-").isdecimal():
        raise parameters.invalid("gid", "Valid values are numbers.")
    return int(text)
