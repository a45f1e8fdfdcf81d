"""Users and groups: of this machine, or of the `etc` of a folder that is taken for one."""

from __future__ import annotations

import grp
import os
import pwd
from dataclasses import dataclass, replace

from analyzer.apply.host import Host
from analyzer.apply.provider import ProviderError


@dataclass(frozen=True, slots=True)
class Identity:
    """Whom a command runs as."""

    name: str
    uid: int
    gid: int
    groups: tuple[int, ...]
    home: str


class Accounts:
    """Finds users and groups by name or number."""

    def __init__(self, host: Host, *, below: bool) -> None:
        self._host = host
        self._below = below

    def user_id(self, name: str) -> int | None:
        """Return the number of a user, None if there is none."""
        if name.isdecimal():
            return int(name)
        if self._below:
            return _number(self._rows("/etc/passwd"), name)
        try:
            return pwd.getpwnam(name).pw_uid
        except KeyError:
            return None

    def group_id(self, name: str) -> int | None:
        """Return the number of a group, None if there is none."""
        if name.isdecimal():
            return int(name)
        if self._below:
            return _number(self._rows("/etc/group"), name)
        try:
            return grp.getgrnam(name).gr_gid
        except KeyError:
            return None

    def identity(self, user: str) -> Identity:
        """Return the ids of `user`, of `user:group` with another group, or of `:group`.

        Raises:
            ProviderError: there is no such user, or no such group.
        """
        name, _, group = user.partition(":")
        found = self._user(name) if name else Identity("", os.geteuid(), os.getegid(), (), "")
        if not found:
            raise ProviderError(f"Could not find user {name}")
        if not group:
            return found
        gid = self.group_id(group)
        if gid is None:
            raise ProviderError(f"Could not find group {group}")
        return replace(found, gid=gid, groups=(gid, *found.groups[1:]))

    def _user(self, user: str) -> Identity | None:
        if not self._below:
            return _own_identity(user)
        for row in self._rows("/etc/passwd"):
            if len(row) > 5 and user in {row[0], row[2]}:
                gid = int(row[3])
                groups = tuple(
                    int(group[2])
                    for group in self._rows("/etc/group")
                    if len(group) > 3 and row[0] in group[3].split(",")
                )
                return Identity(row[0], int(row[2]), gid, (gid, *groups), row[5])
        return None

    def _rows(self, path: str) -> list[list[str]]:
        try:
            text = self._host.read(path).decode("utf-8", "surrogateescape")
        except OSError:
            return []
        return [line.split(":") for line in text.splitlines() if line]


def _number(rows: list[list[str]], name: str) -> int | None:
    found = next((row[2] for row in rows if len(row) > 2 and row[0] == name), "")
    return int(found) if found.isdecimal() else None


def _own_identity(user: str) -> Identity | None:
    try:
        found = pwd.getpwuid(int(user)) if user.isdecimal() else pwd.getpwnam(user)
    except KeyError:
        return None
    groups = tuple(os.getgrouplist(found.pw_name, found.pw_gid))
    return Identity(found.pw_name, found.pw_uid, found.pw_gid, groups, found.pw_dir)
