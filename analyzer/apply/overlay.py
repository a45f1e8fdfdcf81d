"""A host whose changes are only recorded: reads return the state after them."""

from __future__ import annotations

import errno
import os
import posixpath
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Unpack

from analyzer.apply.host import Host, Output, RunOptions, Stat

# Links on the way to a path; more are a circle.
MOST_LINKS = 40
NEW_FILE, NEW_LINK, NEW_FOLDER = 0o644, 0o777, 0o777


@dataclass(frozen=True, slots=True)
class OverlayEntry:
    """The entry at a path: `data` of a file, `target` of a link; a `new` folder is empty."""

    stat: Stat
    data: bytes | None = None
    target: str = ""
    new: bool = False


class FileOverlay:
    """Remembers what is done to files; users and groups that are to be made can be told of.

    Commands are run on the host: they have to leave it as it is. It serves one run that goes
    forward, as nothing is forgotten.
    """

    def __init__(self, host: Host) -> None:
        self.host = host
        self.users: dict[str, int] = {}
        self.groups: dict[str, int] = {}
        self._entries: dict[str, OverlayEntry | None] = {}

    def stat(self, path: str) -> Stat | None:
        """Return the entry at a path, None if there is none."""
        try:
            return self._stat(self._place(path))
        except (FileNotFoundError, NotADirectoryError):
            return None

    def read(self, path: str) -> bytes:
        """Return the contents of a file."""
        place = self._place(path)
        entry = self._entries.get(place)
        if entry is None:
            self._needed(place, path)
            return self.host.read(place)
        if entry.data is None:
            raise error(errno.EINVAL, path)
        return entry.data

    def link_target(self, path: str) -> str:
        """Return where a link points."""
        place = self._place(path)
        entry = self._entries.get(place)
        if entry is None:
            self._needed(place, path)
            return self.host.link_target(place)
        if entry.stat.kind != "link":
            raise error(errno.EINVAL, path)
        return entry.target

    def names(self, path: str) -> list[str]:
        """Return the names in a folder, sorted."""
        place = self._place(path)
        found = self._needed(place, path)
        if found.kind != "directory":
            raise error(errno.ENOTDIR, path)
        below = place.rstrip("/") + "/"
        inside = {p[len(below) :]: e for p, e in self._entries.items() if p.startswith(below)}
        own = {name: entry for name, entry in inside.items() if name and "/" not in name}
        kept = [] if self._is_new(place) else self.host.names(place)
        there = {*kept, *own} - {name for name, entry in own.items() if entry is None}
        return sorted(there)

    def write(self, path: str, data: bytes, mode: int | None = None) -> None:
        """Write a file; owner and mode of an old one are kept."""
        place = self._place(path)
        old = self._stat(place)
        if old and old.kind == "directory":
            raise error(errno.EISDIR, path)
        kept = old if old and old.kind == "file" else self._own("file", NEW_FILE)
        stat = replace(kept, size=len(data), mtime=time.time())
        self._entries[place] = OverlayEntry(
            stat if mode is None else replace(stat, mode=mode), data
        )

    def make_folder(self, path: str, mode: int | None = None) -> None:
        """Make a folder."""
        place = self._free(path)
        umask = os.umask(0o022)
        os.umask(umask)
        stat = self._own("directory", NEW_FOLDER & ~umask if mode is None else mode)
        self._entries[place] = OverlayEntry(stat, new=True)

    def make_link(self, path: str, target: str) -> None:
        """Make a symbolic link."""
        place = self._free(path)
        self._entries[place] = OverlayEntry(self._own("link", NEW_LINK), target=target)

    def remove(self, path: str, *, recursive: bool = False) -> None:
        """Remove a file, a link, or a folder with its contents."""
        place = self._place(path)
        found = self._needed(place, path)
        if found.kind == "directory" and not recursive and self.names(path):
            raise error(errno.ENOTEMPTY, path)
        below = place.rstrip("/") + "/"
        for other in [p for p in self._entries if p.startswith(below)]:
            del self._entries[other]
        self._entries[place] = None

    def set_mode(self, path: str, mode: int) -> None:
        """Change the mode; a link has none."""
        place = self._place(path)
        if self._needed(place, path).kind == "link":
            raise error(errno.ELOOP, path)
        self._change(place, lambda stat: replace(stat, mode=mode))

    def set_owner(self, path: str, uid: int, gid: int) -> None:
        """Change owner and group; -1 keeps the current one."""
        place = self._place(path)
        found = self._needed(place, path)
        owner = found.uid if uid == -1 else uid
        group = found.gid if gid == -1 else gid
        self._change(place, lambda stat: replace(stat, uid=owner, gid=group))

    def user_id(self, name: str) -> int | None:
        """Return the number of a user, by name or number."""
        found = self.host.user_id(name)
        return self.users.get(name) if found is None else found

    def group_id(self, name: str) -> int | None:
        """Return the number of a group."""
        found = self.host.group_id(name)
        return self.groups.get(name) if found is None else found

    def which(self, program: str, path: Sequence[str] = ()) -> str | None:
        """Return where a program is."""
        return self.host.which(program, path)

    def run(self, command: Sequence[str] | str, **options: Unpack[RunOptions]) -> Output:
        """Run a command on the host."""
        return self.host.run(command, **options)

    def _place(self, path: str) -> str:
        """Return a path whose folders are no links."""
        parts = [part for part in path.split("/") if part not in ("", ".")][::-1]
        place, links = "", 0
        while parts:
            part = parts.pop()
            if part == "..":
                place = place.rpartition("/")[0]
                continue
            inner = f"{place}/{part}"
            if not parts:
                return inner
            found = self._stat(inner)
            if found is None:
                raise error(errno.ENOENT, path)
            if found.kind == "link":
                links += 1
                if links > MOST_LINKS:
                    raise error(errno.ELOOP, path)
                target = self.link_target(inner)
                place = "" if target.startswith("/") else place
                parts += [p for p in target.split("/") if p not in ("", ".")][::-1]
            elif found.kind == "directory":
                place = inner
            else:
                raise error(errno.ENOTDIR, path)
        return place or "/"

    def _stat(self, place: str) -> Stat | None:
        if place in self._entries:
            entry = self._entries[place]
            return entry.stat if entry else None
        return None if self._is_new(posixpath.dirname(place)) else self.host.stat(place)

    def _is_new(self, place: str) -> bool:
        """Return whether a folder, or one above it, was made or removed here."""
        while True:
            if place in self._entries:
                entry = self._entries[place]
                if entry is None or entry.new or entry.stat.kind != "directory":
                    return True
            if place == "/":
                return False
            place = posixpath.dirname(place)

    def _needed(self, place: str, path: str) -> Stat:
        found = self._stat(place)
        if found is None:
            raise error(errno.ENOENT, path)
        return found

    def _free(self, path: str) -> str:
        place = self._place(path)
        if self._stat(place):
            raise error(errno.EEXIST, path)
        return place

    def _change(self, place: str, change: Callable[[Stat], Stat]) -> None:
        entry = self._entries.get(place)
        if entry is None:
            found = self._needed(place, place)
            data = self.host.read(place) if found.kind == "file" else None
            target = self.host.link_target(place) if found.kind == "link" else ""
            entry = OverlayEntry(found, data, target)
        self._entries[place] = replace(entry, stat=change(entry.stat))

    @staticmethod
    def _own(kind: str, mode: int) -> Stat:
        return Stat(kind, mode, os.geteuid(), os.getegid(), 0, time.time())


def error(number: int, path: str) -> OSError:
    """Return an error of the system."""
    return OSError(number, os.strerror(number), path)
