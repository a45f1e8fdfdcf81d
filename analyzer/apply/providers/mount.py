"""The type mount: entries of /etc/fstab, and whether they are mounted (module mount_core)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from analyzer.apply.host import Host
from analyzer.apply.provider import (
    ABSENT,
    Note,
    PlannedChanges,
    PropertyChange,
    ProviderError,
    State,
)
from analyzer.model.resource import Resource
from analyzer.model.values import flat

from .parameters import Parameters
from .properties import WantedValue, change_of, changes_of
from .records import TEXT, Record, RecordProvider

_FILE = "/etc/fstab"
_FIELDS = ("device", "name", "fstype", "options", "dump", "pass")
_PROPERTIES = ("device", "fstype", "options", "pass", "dump")
_ENSURE = {"present": "defined", "defined": "defined", "mounted": "mounted"} | {
    "unmounted": "unmounted",
    ABSENT: ABSENT,
}
_EVENTS = {ABSENT: "mount_deleted", "mounted": "mount_mounted"}
_MOUNTED = re.compile(r" on (.*) type ")
# In the table and mounted, only mounted, only in the table.
_STATES = {(True, True): "mounted", (False, True): "ghost", (True, False): "unmounted"}


class MountProvider(RecordProvider):
    """Manages entries of the table of file systems, and remounts changed ones."""

    refreshable = True
    self_refresh = True

    def parameters(self, resource: Resource) -> Parameters:
        """Return the parameters, checked."""
        parameters = Parameters(resource)
        for name in ("fstype", "options"):
            text = parameters.text(name)
            if text is not None and (not text or re.search(r"\s", text)):
                why = (
                    f"must not contain whitespace: {text}"
                    if text
                    else "must not be an empty string"
                )
                raise ProviderError(f"Parameter {name} failed on {resource}: {name} {why}")
        return parameters

    def ensure(self, parameters: Parameters) -> str | None:
        """Return the wanted `ensure`: defined, mounted, unmounted, absent or None."""
        return parameters.choice("ensure", _ENSURE, None)

    def target(self, parameters: Parameters, host: Host) -> str:
        """Return the file."""
        return parameters.text("target", _FILE) or _FILE

    def retrieve(self, resource: Resource, host: Host) -> State:
        """Return the entry, and whether it is mounted."""
        state = dict(super().retrieve(resource, host))
        there = state["ensure"] != ABSENT
        mounted = _name(self.parameters(resource)) in self._mounted(host)
        state["ensure"] = _STATES.get((there, mounted), ABSENT)
        return state

    def plan(self, resource: Resource, state: State) -> PlannedChanges:
        """Return the changes; those of the entry only if it is there as it should be."""
        parameters = self.parameters(resource)
        should, current = self.ensure(parameters), state["ensure"]
        good = should in {None, current} or (
            should == "defined" and current in {"mounted", "unmounted"}
        )
        if not good:
            wanted = WantedValue("ensure", should, _EVENTS.get(str(should), "mount_changed"))
            return PlannedChanges((change_of(parameters, wanted, current),))
        if current == ABSENT:
            return PlannedChanges()
        return PlannedChanges(tuple(changes_of(parameters, state, state["_wanted"])))

    def wanted(self, parameters: Parameters, target: str | None) -> list[WantedValue]:
        """Return device, fstype, options, pass and dump."""
        values: dict[str, object] = {
            name: flat([parameters[name]])[0] for name in _PROPERTIES if name in parameters
        }
        if self.ensure(parameters) is not None:
            values = {"pass": 0, "dump": 0} | values
        return [_wanted(name, values[name]) for name in _PROPERTIES if name in values]

    def apply(self, resource: Resource, change: PropertyChange, host: Host) -> Sequence[Note]:
        """Change the entry, mount it or unmount it."""
        if change.property != "ensure":
            return super().apply(resource, change, host)
        parameters = self.parameters(resource)
        name = _name(parameters)
        state = self.retrieve(resource, host)
        there, mounted = state["ensure"], name in self._mounted(host)
        if change.new in {ABSENT, "unmounted"} and mounted:
            _command(host, ["umount", name])
        if change.new == ABSENT:
            return super().apply(resource, change, host) if there != "ghost" else ()
        if there in {ABSENT, "ghost"}:
            super().apply(resource, change, host)
        elif change.new == "mounted":
            for other in changes_of(parameters, state, state["_wanted"]):
                super().apply(resource, other, host)
        if change.new == "mounted" and not mounted:
            _command(host, ["mount", name])
        return ()

    def refresh(self, resource: Resource, host: Host) -> Sequence[Note]:
        """Mount it anew if it is mounted."""
        parameters = self.parameters(resource)
        name = _name(parameters)
        if parameters.text("fstype") == "swap" or name not in self._mounted(host):
            return ()
        if parameters.flag("remounts", True):
            _command(host, ["mount", "-o", "remount", name])
        else:
            _command(host, ["umount", name])
            _command(host, ["mount", name])
        return (Note("info", "Remounting"),)

    def new(self, parameters: Parameters) -> Record:
        """Return an entry without its properties."""
        return {"name": _name(parameters)}

    def find(self, parameters: Parameters, records: list[Record]) -> Record | None:
        """Return the entry of a place."""
        return next((one for one in records if one.get("name") == _name(parameters)), None)

    def parse(self, line: str) -> Record:
        """Return the record of a line."""
        parts = line.split()
        if not parts or parts[0].startswith("#") or len(parts) < 2:
            return {TEXT: line}
        parts[5:] = ["\t".join(parts[5:])] if parts[5:] else []
        record = dict.fromkeys(_FIELDS, ABSENT) | dict(zip(_FIELDS, parts, strict=False))
        for name in ("device", "name"):
            record[name] = record[name].replace("\\040", " ")
        record["name"] = record["name"].rstrip("/") or "/"
        return record

    def line(self, record: Record) -> str:
        """Return the line of a record."""
        values = dict(record)
        values["options"] = values.get("options") or "defaults"
        if not values.get("fstype"):
            raise ProviderError(f"Mount[{record['name']}]: Field 'fstype' is required")
        if values.get("device") in {None, ABSENT}:
            raise ProviderError("Field 'device' is required")
        for name in ("device", "name"):
            values[name] = values[name].replace(" ", "\\040")
        shown = (values.get(field) for field in _FIELDS)
        return "\t".join("" if one in {None, ABSENT} else str(one) for one in shown)

    @staticmethod
    def _mounted(host: Host) -> frozenset[str]:
        program = host.which("mount")
        output = host.run([program]).text if program else ""
        return frozenset(_MOUNTED.findall(output))


def _name(parameters: Parameters) -> str:
    return parameters.name.rstrip("/") or "/"


def _wanted(name: str, value: object) -> WantedValue:
    return WantedValue(name, value, matches=lambda current: current in {value, str(value)})


def _command(host: Host, words: list[str]) -> None:
    program = host.which(words[0])
    if not program:
        raise ProviderError(f"Command {words[0]} is missing")
    output = host.run([program, *words[1:]])
    if output.code != 0:
        line = " ".join([program, *words[1:]])
        raise ProviderError(f"Execution of '{line}' returned {output.code}: {output.text.strip()}")
