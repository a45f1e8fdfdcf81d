"""The automatic relations of Puppet's own types and of the `*_core` modules."""

from __future__ import annotations

from analyzer.graph.automatic.rules import AutoRelation
from analyzer.graph.automatic.selectors import (
    absolute,
    ancestors,
    below,
    commands,
    either,
    link_target,
    names,
    nearest_ancestor,
    param,
    user_groups,
)
from analyzer.graph.labels import AUTOBEFORE, AUTOREQUIRE

ROWS = (
    AutoRelation(
        "File", AUTOREQUIRE, "File", either(nearest_ancestor("path"), link_target), "type/file.rb"
    ),
    AutoRelation("File", AUTOREQUIRE, "User", names("owner"), "type/file.rb"),
    AutoRelation("File", AUTOREQUIRE, "Group", names("group"), "type/file.rb"),
    AutoRelation("Exec", AUTOREQUIRE, "File", commands, "type/exec.rb"),
    AutoRelation("Exec", AUTOREQUIRE, "User", names("user", integers=True), "type/exec.rb"),
    AutoRelation("User", AUTOREQUIRE, "Group", user_groups, "type/user.rb"),
    AutoRelation(
        "Package",
        AUTOREQUIRE,
        "File",
        either(param("responsefile"), param("adminfile"), absolute("source")),
        "type/package.rb",
    ),
    AutoRelation("Cron", AUTOREQUIRE, "User", param("user", default="root"), "type/cron.rb"),
    AutoRelation("Mount", AUTOREQUIRE, "Mount", ancestors("name"), "type/mount.rb"),
    AutoRelation("Mount", AUTOBEFORE, "File", below("name"), "type/mount.rb"),
    AutoRelation(
        "Ssh_authorized_key", AUTOREQUIRE, "User", param("user"), "type/ssh_authorized_key.rb"
    ),
)

# Types without further rules: a catalog with only these types needs no other table.
KNOWN = frozenset(
    {row.type for row in ROWS}
    | {
        "Augeas",
        "Class",
        "Filebucket",
        "Group",
        "Host",
        "Mailalias",
        "Node",
        "Notify",
        "Resources",
        "Schedule",
        "Selboolean",
        "Service",
        "Sshkey",
        "Stage",
        "Tidy",
        "Yumrepo",
        "Zpool",
    }
)
