"""The type file: files, folders, links and their absence (Puppet::Type::File)."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from typing import Any

from analyzer.apply.host import Host, Stat
from analyzer.apply.provider import (
    ABSENT,
    Note,
    PlannedChanges,
    PropertyChange,
    Provider,
    ProviderError,
    State,
)
from analyzer.apply.providers.files import file_writer as writer
from analyzer.apply.providers.files.checksums import TIMES, checksum
from analyzer.apply.providers.files.file_diff import diff_of
from analyzer.apply.providers.files.file_recursion import children
from analyzer.apply.providers.files.file_wanted import FileWanted, wanted
from analyzer.apply.providers.files.modes import is_octal, octal, result, with_search
from analyzer.apply.providers.files.sources import FileSources
from analyzer.apply.providers.machine.account_files import rows
from analyzer.apply.providers.machine.paths import followed, stat_followed
from analyzer.apply.providers.parameters import display
from analyzer.apply.providers.properties import WantedValue, change_of, ensure_change, redacted
from analyzer.model.resource import Resource

_EVENTS = {
    "file": "file_created",
    "present": "file_created",
    "directory": "directory_created",
    "link": "link_created",
    ABSENT: "file_removed",
}
_NOT_SYNCED = "Ensure set to :present but file type is {} so no content will be synced"


class FileProvider(Provider):
    """Manages files. `sources` finds what `source` names."""

    def __init__(self, sources: FileSources | None = None) -> None:
        self.sources = sources or FileSources()

    def generate(
        self, resource: Resource, host: Host, others: Collection[Resource]
    ) -> Sequence[Resource]:
        """Return the files of a folder that is managed with its contents."""
        desired = FileWanted(resource)
        return children(desired, host, self.sources, others) if desired.recurse != "false" else ()

    def retrieve(self, resource: Resource, host: Host) -> State:
        """Return the state of the file, with those wanted values that only the host knows."""
        desired = wanted(resource, host, self.sources)
        found = _stat(desired, host)
        state: dict[str, object] = {"ensure": found.kind if found else ABSENT, "_asked": desired}
        state["_stat"] = found
        state["_root"] = os.geteuid() == 0
        state["_leads"] = stat_followed(host, desired.path) is not None
        if not found:
            return state
        state["mode"], state["owner"], state["group"] = octal(found.mode), found.uid, found.gid
        state["target"] = host.link_target(desired.path) if found.kind == "link" else "notlink"
        state["_accounts"] = {
            "owner": _Accounts(
                host, "/etc/passwd", host.user_id, desired.owners("owner"), found.uid
            ),
            "group": _Accounts(
                host, "/etc/group", host.group_id, desired.owners("group"), found.gid
            ),
        }
        if found.kind == "file" and (desired.content is not None or desired.found):
            try:
                state["_data"] = data = host.read(_place(desired, host))
            except OSError as error:
                raise ProviderError(
                    f"Could not read file {desired.path}: {error.strerror}"
                ) from None
            state["content"] = checksum(desired.checksum, data, found.mtime)
        return state

    def plan(self, resource: Resource, state: State) -> PlannedChanges:
        """Return the planned changes: `ensure`, or else content, target, owner, group, mode."""
        desired: FileWanted = state["_asked"]
        ensure = self._ensure(desired, state)
        if ensure:
            return PlannedChanges((ensure,))
        if state["ensure"] == ABSENT:
            return PlannedChanges()
        notes: list[Note] = []
        changes = [self._content(desired, state, notes), *self._others(desired, state)]
        return PlannedChanges(tuple(filter(None, changes)), tuple(notes))

    def apply(self, resource: Resource, change: PropertyChange, host: Host) -> Sequence[Note]:
        """Make one change."""
        desired = wanted(resource, host, self.sources)
        return writer.make(desired, change.property, host)

    def refresh(self, resource: Resource, host: Host) -> Sequence[Note]:
        """A file does not answer events."""
        return ()

    @staticmethod
    def _ensure(desired: FileWanted, state: State) -> PropertyChange | None:
        current, should = state["ensure"], desired.ensure
        if should is None or (current != ABSENT and not desired.replace):
            return None
        if current == should or (should == "present" and current != ABSENT):
            return None
        change = ensure_change(desired.parameters, should, current, _EVENTS.get(should))
        if should in {"file", "present"} and desired.content is not None and not change.sensitive:
            return PropertyChange(
                "ensure",
                change.event,
                f"defined content as '{desired.content_sum}'",
                current,
                should,
            )
        return change

    @staticmethod
    def _content(desired: FileWanted, state: State, notes: list[Note]) -> PropertyChange | None:
        found: Stat | None = state["_stat"]
        if desired.content is None or not found:
            return None
        if not desired.should_be_file(found):
            if desired.ensure == "present" and desired.parameters["content"] is not None:
                notes.append(Note("warning", _NOT_SYNCED.format(found.kind)))
            return None
        current, should = state.get("content"), desired.content_sum
        late = desired.checksum in TIMES and current is not None and current >= should
        if not desired.replace or current == should or late:
            return None
        diff = diff_of(desired, state.get("_data", b""))
        if "content" in desired.parameters.secret:
            return redacted("content", "content_changed", diff)
        message = f"content changed '{current}' to '{should}'"
        return PropertyChange("content", "content_changed", message, current, should, diff=diff)

    def _others(self, desired: FileWanted, state: State) -> list[PropertyChange | None]:
        return [
            self._target(desired, state),
            self._owner(desired, state, "owner"),
            self._owner(desired, state, "group"),
            self._mode(desired, state),
        ]

    @staticmethod
    def _target(desired: FileWanted, state: State) -> PropertyChange | None:
        should = desired.target
        if should in {None, "notlink"} or desired.recurse != "false" or state["target"] == should:
            return None
        if not desired.replace and state["_leads"]:
            return None
        return change_of(desired.parameters, WantedValue("target", should), state["target"])

    @staticmethod
    def _owner(desired: FileWanted, state: State, name: str) -> PropertyChange | None:
        accounts: _Accounts = state["_accounts"][name]
        written, numbers, current = desired.owners(name), accounts.numbers, state[name]
        if not written or current in numbers or (name == "owner" and not state["_root"]):
            return None
        first = written[0] if numbers[0] is None else numbers[0]
        return change_of(desired.parameters, WantedValue(name, first, show=accounts.show), current)

    @staticmethod
    def _mode(desired: FileWanted, state: State) -> PropertyChange | None:
        found: Stat = state["_stat"]
        written = desired.mode
        if written is None or (found.kind == "link" and desired.links != "follow"):
            return None
        folder = found.kind == "directory"
        mode = with_search(written) if folder else written
        bits = result(mode, found.mode, folder)
        if bits == found.mode:
            return None
        current = octal(found.mode)
        shown = (display(current), f"'{mode.rjust(4, '0')}'")
        message = f"mode changed '{current}' to '{octal(bits)}'"
        if not is_octal(mode):
            message += f" ({mode})"
        should = mode.rjust(4, "0") if is_octal(mode) else mode
        return PropertyChange("mode", "mode_changed", message, current, should, shown=shown)


class _Accounts:
    """The numbers of the users (or groups) that a file may belong to, and names for messages."""

    def __init__(
        self,
        host: Host,
        file: str,
        find: Callable[[str], int | None],
        written: Sequence[str],
        current: int,
    ) -> None:
        self.numbers = [find(name) for name in written]
        known = {row[2]: row[0] for row in rows(host, file) if len(row) > 2}
        numbers = (current, *self.numbers)
        self._names = {one: known[str(one)] for one in numbers if str(one) in known}

    def show(self, value: Any) -> str:
        """Return a user's name, else the number."""
        return display(self._names.get(value, value))


def _place(desired: FileWanted, host: Host) -> str:
    return followed(host, desired.path) if desired.links == "follow" else desired.path


def _stat(desired: FileWanted, host: Host) -> Stat | None:
    if desired.links != "follow":
        return host.stat(desired.path)
    try:
        return host.stat(followed(host, desired.path))
    except (FileNotFoundError, NotADirectoryError):
        return None
