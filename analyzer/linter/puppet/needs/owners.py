"""Finds files whose owner or group another resource of the catalog creates."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.puppet.needs.packages import INSTALLERS, present_packages, provider_of
from analyzer.linter.puppet.needs.words import words
from analyzer.linter.puppet.related_resources import (
    ALIKE,
    GONE,
    RelatedResources,
    accounts,
    module,
    path_of,
    stem,
)
from analyzer.linter.puppet.shared_targets import Pair, texts
from analyzer.linter.puppet.subjects import Compiled
from analyzer.model.resource import Resource
from analyzer.pattern import pattern

# Accounts that every system has.
BASE_ACCOUNTS = words(
    """
    adm bin daemon disk mail nobody nogroup root staff sudo sys systemd-journal tty users
    wheel www-data
    """
)

# Accounts of packages with other names; the first word is the account.
ACCOUNTS_OF = {
    name: packages
    for name, *packages in map(
        str.split,
        (
            "apache httpd",
            "bind bind9",
            "mysql default-mysql-server mariadb-server mysql-community-server mysql-server",
            "named bind",
            "postgres postgresql postgresql-server",
        ),
    )
}

# Programs whose packages create no account, though people name accounts after them.
NO_ACCOUNT = words("ansible git go java node nodejs perl php puppet python ruby svn vagrant vim")

# Endings of packages that only add to the program of the name before.
ADDITION = pattern(r"-(?:cli|client|clients|dev|devel|doc|docs|lint|tools|utils)\Z")

# A file that declares accounts, the accounts in it, and the commands that create accounts.
DECLARES = pattern(r"/(?:etc|run|usr/lib)/sysusers\.d/[^/]+\.conf\Z")
DECLARED = pattern(r"(?m)^\s*[ug]!?\s+\"?([\w.-]+)")
SYSUSERS = pattern(r"\bsystemd-sysusers\b")
ADDS = pattern(r"\b(?:useradd|adduser|groupadd|addgroup)\b.*")


def maker_and_owned(compiled: Compiled) -> Iterator[Pair]:
    """Yield what creates an account, and a file that belongs to it.

    A package creates accounts with its name or with the beginning of it, whatever module declares
    the two. CG310 checks the files that the package's name relates to it.
    """
    packages = present_packages(compiled)
    declared = declared_accounts(compiled)
    if not packages and not declared:
        return
    known = accounts(compiled)
    added = {
        word for text in commands(compiled) for line in ADDS.findall(text) for word in line.split()
    }
    related = RelatedResources(compiled, packages.values())
    by_word = packages_by_word(packages)
    for file in compiled.by_type.get("File", ()):
        path = path_of(file)
        if file.parameters.get("ensure") in GONE or DECLARES.match(path):
            continue
        for name, kind in owners_of(file):
            makers = declared.get(name) or makers_of(name, packages, by_word)
            if name not in declared and (
                name in known[kind] | BASE_ACCOUNTS | NO_ACCOUNT | added
                or (path.startswith("/etc/") and related.of_config(path, module(compiled, file)))
            ):
                continue
            if makers and not any(compiled.ordered(one, file) for one in makers):
                yield Pair(makers[0], file, f"the {kind.lower()} {name}")
                break


def owners_of(file: Resource) -> Iterator[tuple[str, str]]:
    """Yield the name of the owner and of the group, each with its type."""
    for attribute, kind in (("owner", "User"), ("group", "Group")):
        name = file.parameters.get(attribute)
        # Of a list, the first that exists is the owner.
        if isinstance(name, str) and name and not name.isdecimal():
            yield name, kind


def packages_by_word(packages: dict[str, Resource]) -> dict[str, list[str]]:
    """Return the names of packages by the names of the accounts that they may create.

    These are the stem of a name, and its beginning up to each hyphen.
    """
    found: dict[str, list[str]] = {}
    for name, package in packages.items():
        found.setdefault(stem(name), []).append(name)
        if provider_of(package) in INSTALLERS or ADDITION.search(name):
            continue
        ends = (at for at, letter in enumerate(name) if letter == "-")
        for word in {name[:end] for end in ends} - {stem(name)}:
            found.setdefault(word, []).append(name)
    return found


def makers_of(
    name: str, packages: dict[str, Resource], by_word: dict[str, list[str]]
) -> list[Resource]:
    """Return the packages that may create an account, those with its very name first.

    Of many packages, none is the likely one.
    """
    plain = stem(name)
    others = [one for one in ACCOUNTS_OF.get(name, ()) if one in packages]
    alike = by_word.get(plain, ())
    if len(alike) > ALIKE:
        return []
    exact = [one for one in alike if stem(one) == plain]
    return [packages[one] for one in dict.fromkeys([*exact, *others, *alike])]


def declared_accounts(compiled: Compiled) -> dict[str, list[Resource]]:
    """Return the commands that create the accounts in files of sysusers.d, by account."""
    run = [
        exec
        for exec in compiled.by_type.get("Exec", ())
        if any(map(SYSUSERS.search, texts(exec.parameters.get("command", exec.title))))
    ]
    names = {
        name
        for file in (compiled.by_type.get("File", ()) if run else ())
        if DECLARES.match(path_of(file))
        for text in texts(file.parameters.get("content"))
        for name in DECLARED.findall(text)
    }
    return dict.fromkeys(sorted(names), run)


def commands(compiled: Compiled) -> Iterator[str]:
    """Yield the commands of all execs."""
    for exec in compiled.by_type.get("Exec", ()):
        yield from texts(exec.parameters.get("command", exec.title))
