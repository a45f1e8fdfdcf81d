"""The files of a host that name its users and groups: passwd, group, shadow."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.apply.host import Host

_PASSWD = ("name", "password", "uid", "gid", "comment", "home", "shell")
_SHADOW = ("name", "password", "changed", "min", "max", "warn", "inactive", "expiry", "")
Row = dict[str, str]


def rows(host: Host, path: str) -> Iterator[list[str]]:
    """Yield the lines of a file of accounts, in fields."""
    try:
        text = host.read(path).decode("utf-8", "surrogateescape")
    except OSError:
        return
    yield from (line.split(":") for line in text.splitlines() if line)


def account(host: Host, user: str) -> Row | None:
    """Return a user by name: name, uid, gid, comment, home, shell.

    A user that the files do not have is asked of the name service, where there is `getent`.
    """
    return _user(host, "name", user)


def account_of(host: Host, uid: int) -> Row | None:
    """Return a user by number, as `account` does."""
    return _user(host, "uid", str(uid))


def _user(host: Host, field: str, value: str) -> Row | None:
    users = (row for row in rows(host, "/etc/passwd") if len(row) >= len(_PASSWD))
    found = (dict(zip(_PASSWD, row, strict=False)) for row in users)
    user = next((row for row in found if row[field] == value), None)
    fields = [] if user else _asked(host, "passwd", value)
    return dict(zip(_PASSWD, fields, strict=False)) if len(fields) >= len(_PASSWD) else user


def group(host: Host, name: str) -> list[str] | None:
    """Return a group by name: name, password, number, members."""
    for row in rows(host, "/etc/group"):
        if row[0] == name and len(row) > 2:
            return row
    return _asked(host, "group", name) or None


def groups_of(host: Host, user: str) -> list[str]:
    """Return the names of the groups that a user is a member of, without the primary one."""
    return [
        row[0] for row in rows(host, "/etc/group") if len(row) > 3 and user in row[3].split(",")
    ]


def shadow(host: Host, user: str) -> Row:
    """Return what `shadow` says of a user; empty if it says nothing."""
    for row in rows(host, "/etc/shadow"):
        if row[0] == user:
            return dict(zip(_SHADOW, row, strict=False))
    return {}


def home_of(host: Host, user: str) -> str | None:
    """Return a user's home."""
    found = account(host, user)
    return found["home"] if found else None


def _asked(host: Host, database: str, name: str) -> list[str]:
    program = host.which("getent")
    if not program or not name:
        return []
    output = host.run([program, database, name])
    return output.text.splitlines()[0].split(":") if output.code == 0 and output.text else []
