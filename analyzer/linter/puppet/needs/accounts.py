"""Finds commands that need a user or a group, because they name it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.linter.puppet.related_resources import (
    is_present,
    name_of,
)
from analyzer.linter.puppet.shared_targets import (
    Pair,
    texts,
)
from analyzer.linter.puppet.subjects import Compiled

# What a command names as an account: the users, then the groups.
ACCOUNTS = (
    (re.compile(r"(?<![\w-])chown(?:\s+-\S+)*\s+([A-Za-z_][\w.-]*)(?=[:.\s])"), "User"),
    (re.compile(r"(?<![\w-])chown(?:\s+-\S+)*\s+[\w-]*[:.]([A-Za-z_][\w-]*)"), "Group"),
    (re.compile(r"(?<![\w-])chgrp(?:\s+-\S+)*\s+([A-Za-z_][\w-]*)"), "Group"),
    (re.compile(r"\b(?:sudo|runuser)\s+(?:-\S\s+)*?-u\s*([A-Za-z_][\w.-]*)"), "User"),
    (re.compile(r"\bsu\s+(?:-l?\s+)?([A-Za-z_][\w.-]*)\s+-"), "User"),
    (re.compile(r"\busermod\s.*\s([A-Za-z_][\w.-]*)\s*\Z"), "User"),
    (re.compile(r"\busermod\s.*?-a?G\s*([A-Za-z_][\w-]*)"), "Group"),
    (re.compile(r"\bgpasswd\s+-a\s+\S+\s+([A-Za-z_][\w-]*)"), "Group"),
)


def account_and_command(compiled: Compiled) -> Iterator[Pair]:
    """Yield a user or group, and an exec whose command names it."""
    managed = {
        (kind, name_of(one)): one
        for kind in ("User", "Group")
        for one in compiled.by_type.get(kind, ())
        if is_present(one)
    }
    for resource in compiled.by_type.get("Exec", ()) if managed else ():
        for command in texts(resource.parameters.get("command", resource.title)):
            for pattern, kind in ACCOUNTS:
                for name in pattern.findall(command):
                    account = managed.get((kind, name))
                    if account is not None:
                        yield Pair(account, resource, f"the {kind.lower()} {name}")
