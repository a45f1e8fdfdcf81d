"""The names of Puppet's own resource types and those of the modules it ships with."""

from __future__ import annotations

from analyzer.model.types import COMPOSITE, NAMEVARS

NATIVE_TYPES = frozenset(
    {
        "anchor",
        "augeas",
        "computer",
        "cron",
        "exec",
        "file",
        "file_line",
        "filebucket",
        "group",
        "host",
        "k5login",
        "mailalias",
        "maillist",
        "mount",
        "notify",
        "package",
        "resources",
        "schedule",
        "scheduled_task",
        "selboolean",
        "selmodule",
        "service",
        "ssh_authorized_key",
        "sshkey",
        "stage",
        "tidy",
        "user",
        "yumrepo",
        "zfs",
        "zone",
        "zpool",
    }
)


def namevar(kind: str) -> str:
    """Return the parameter that a title stands for, `name` where a type has several keys."""
    if kind == "Exec":
        return "command"
    return "name" if kind in COMPOSITE else NAMEVARS.get(kind, "name")
