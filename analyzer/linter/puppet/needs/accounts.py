"""Finds commands that name a user, a group or a database, and so need it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from analyzer.linter.puppet.related_resources import (
    is_present,
    name_of,
)
from analyzer.linter.puppet.shared_targets import (
    Pair,
    texts,
)
from analyzer.linter.puppet.subjects import Compiled
from analyzer.pattern import pattern

# The accounts that a command names, as users or groups.
ACCOUNTS = (
    (pattern(r"(?<![\w-])chown(?:\s+-\S+)*\s+([A-Za-z_][\w.-]*)(?=[:.\s])"), "User"),
    (pattern(r"(?<![\w-])chown(?:\s+-\S+)*\s+[\w-]*[:.]([A-Za-z_][\w-]*)"), "Group"),
    (pattern(r"(?<![\w-])chgrp(?:\s+-\S+)*\s+([A-Za-z_][\w-]*)"), "Group"),
    (pattern(r"\b(?:sudo|runuser)\s+(?:-\S\s+)*?-u\s*([A-Za-z_][\w.-]*)"), "User"),
    (pattern(r"\bsu\s+(?:-l?\s+)?([A-Za-z_][\w.-]*)\s+-"), "User"),
    (pattern(r"\busermod\s.*\s([A-Za-z_][\w.-]*)\s*\Z"), "User"),
    (pattern(r"\busermod\s.*?-a?G\s*([A-Za-z_][\w-]*)"), "Group"),
    (pattern(r"\bgpasswd\s+-a\s+\S+\s+([A-Za-z_][\w-]*)"), "Group"),
)

# Types whose resources are databases with the names of the resources.
DATABASES = (
    "Mysql_database",
    "Mysql::Db",
    "Postgresql::Server::Database",
    "Postgresql::Server::Db",
)

# The arguments of a database client, up to a redirection.
CLIENT = pattern(r"(?:\A|[\s/|;&])(?:mysql|mysqlimport|psql|pg_restore)\s([^<|;&]*)")
STATEMENT = pattern(r"(?:-e|-c|--execute|--command)[\s=]*(['\"]).*?\1")
ARGUMENT = pattern(r"[^\s'\"=]+")
OF_USER = frozenset({"-u", "-U", "-h", "-p", "-P", "--user", "--username", "--host", "--password"})


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
            for words, kind in ACCOUNTS:
                for name in words.findall(command):
                    account = managed.get((kind, name))
                    if account is not None:
                        yield Pair(account, resource, f"the {kind.lower()} {name}")


def database_and_command(compiled: Compiled) -> Iterator[Pair]:
    """Yield a database, and an exec outside of its define whose command uses it."""
    managed = {
        name_of(one): one
        for kind in DATABASES
        for one in compiled.by_type.get(kind, ())
        if is_present(one)
    }
    for resource in compiled.by_type.get("Exec", ()) if managed else ():
        for command in texts(resource.parameters.get("command", resource.title)):
            for name in databases(command):
                database = managed.get(name)
                if database and resource not in compiled.resources_in(database):
                    yield Pair(database, resource, f"the database {name}")


def databases(command: str) -> Iterator[str]:
    """Yield the arguments of a database client that may be the name of a database."""
    for given in CLIENT.findall(command):
        arguments = ARGUMENT.findall(STATEMENT.sub(" ", given))
        for before, argument in pairwise(["", *arguments]):
            if before not in OF_USER and not argument.startswith("-"):
                yield argument
