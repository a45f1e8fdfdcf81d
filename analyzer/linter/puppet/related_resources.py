"""Finds related resources: a package, its configuration files and its service.

Resources are related by name: part of the path of a file below /etc is the name of the package or
service, and classes of the same module declare them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from posixpath import splitext

from analyzer.linter.puppet.software import (
    BY_PATH,
    Software,
    software_of_path,
    software_of_service,
)
from analyzer.linter.puppet.subjects import Compiled
from analyzer.model.resource import Resource

# Configuration of package managers, systemd and so on, which should precede the package.
ELSEWHERE = re.compile(
    r"/etc/(?:apt|yum|yum\.repos\.d|zypp|dnf|pki|default|sysconfig|facter|systemd|init\.d)(?:/|\Z)"
)

# Folders that belong to other programs: a file in them does not configure a service of its name.
OF_OTHERS = re.compile(
    r"/etc/(?:bash_completion\.d|binfmt\.d|cron\.[a-z]+|logrotate\.d|modprobe\.d|modules-load\.d"
    r"|pam\.d|profile\.d|security|sudoers\.d|sysctl\.d|sysusers\.d|tmpfiles\.d|udev)/"
)

# Scripts and passwords that a service reads each time it needs them, and what other programs read
# (a server needs its private keys).
READ_EACH_TIME = re.compile(
    r"/(?:dispatcher\.d|hooks?(?:\.d)?|\w+-hooks(?:\.d)?)/|/\.?htpasswd\b"
    r"|\.(?:aug|bash|php|pl|pub|py|rb|sh)\Z"
    # What clients of SSH and the web pages of Nagios read; cron looks for changes.
    r"|/ssh/ssh_(?:config|known_hosts)\b|/cgi\.cfg\Z|/etc/(?:crontab\Z|cron\.d/)"
)

# The most names that may differ only in a version; larger groups (`node1` to `node99`) are series.
ALIKE = 8

# Names of module types whose resources create a user.
MAKES_USERS = re.compile(r"(?:user|account)s?\Z", re.IGNORECASE)

GONE = ("absent", "purged", "latest_absent")

# Packages that are installed when Puppet runs, so that nothing needs to wait for them.
RUNNING = frozenset({"facter", "openvox-agent", "puppet", "puppet-agent", "puppet-common"})


def config_files(compiled: Compiled) -> Iterator[tuple[Resource, str]]:
    """Yield the managed files below /etc with their paths, without folders and removed files."""
    for resource in compiled.by_type.get("File", ()):
        path = path_of(resource)
        ensure = resource.parameters.get("ensure")
        if (
            path.startswith("/etc/")
            and not ELSEWHERE.match(path)
            and ensure not in (*GONE, "directory")
        ):
            yield resource, path


def path_of(resource: Resource) -> str:
    """Return the path that a file manages."""
    path = resource.parameters.get("path") or resource.title
    return path.rstrip("/") if isinstance(path, str) else ""


def name_of(resource: Resource) -> str:
    """Return the name of a package or service."""
    name = resource.parameters.get("name") or resource.title
    return name if isinstance(name, str) else resource.title


def names_of(resource: Resource) -> set[str]:
    """Return the names of a package or service."""
    return {name_of(resource), resource.title}


def stem(name: str) -> str:
    """Return a name without suffix and version: `ntp` for `ntp.conf`, `php` for `php8.2`."""
    plain = re.sub(r"[-_.]?\d[\d.]*\Z", "", splitext(name)[0].lower())
    return plain.removesuffix("-server").removesuffix(".service")


class RelatedResources:
    """Packages or services by their possible names and their modules."""

    def __init__(self, compiled: Compiled, resources: Iterable[Resource]) -> None:
        self._by_stem: dict[tuple[str, str], set[int]] = {}
        self._by_name: dict[str, set[int]] = {}
        self.resources = list(resources)
        for number, resource in enumerate(self.resources):
            home = module(compiled, resource)
            for name in names_of(resource):
                for known in {stem(name), splitext(name)[0].lower()} - {""}:
                    self._by_stem.setdefault((home, known), set()).add(number)
            self._by_name.setdefault(name_of(resource), set()).add(number)

    def of_path(self, path: str, home: str) -> list[Resource]:
        """Return the resources that a path below /etc configures, of a module or well known."""
        if OF_OTHERS.match(path):
            return []
        return self._at(self._near(path, home) | self._of(software_of_path(path)))

    def of_service(self, service: Resource, home: str) -> list[Resource]:
        """Return the packages of a service, of a module or well known."""
        near = {n for name in names_of(service) for n in self._alike(name, home)}
        return self._at(near | self._of(software_of_service(name_of(service))))

    def _of(self, software: Software | None) -> set[int]:
        """Return the resources that have a name of some software."""
        if software is None:
            return set()
        names = software.packages | software.services
        return {n for name in names for n in self._by_name.get(name, ())}

    def of_config(self, path: str, home: str) -> list[Resource]:
        """Return the resources that a path configures, of any module if named like its folder.

        Those with a name of the path precede others.
        """
        if path in BY_PATH:
            return self._at(self._of(BY_PATH[path]))
        parts = path.split("/")
        near = self._near(path, home) | self._of(software_of_path(path))
        found = self._at(near | self._by_name.get(parts[2], set()) if len(parts) > 3 else near)
        exact = {splitext(part)[0] for part in parts[2:]}
        return sorted(found, key=lambda one: exact.isdisjoint(names_of(one)))

    def _near(self, path: str, home: str) -> set[int]:
        """Return the resources of a module that a path is named after.

        A file in the folder of another program, such as /etc/logrotate.d/ntp, belongs to that
        program. So a name below the first folder must resemble that folder, as auditd and audit do.
        """
        parts = path.split("/")
        first = stem(parts[2])
        near = {*self._alike(parts[2], home)}
        for part in parts[3:]:
            alike = self._alike(part, home)
            near |= {n for n in alike if first == "opt" or self._is_like(n, first)}
        return near

    def _is_like(self, number: int, word: str) -> bool:
        """Return whether a name of a resource begins with a word, or the word with the name."""
        names = map(stem, names_of(self.resources[number]))
        return any(name and (name.startswith(word) or word.startswith(name)) for name in names)

    def _alike(self, name: str, home: str) -> set[int]:
        """Return the resources whose names differ in suffix and version, or in suffix if many
        do."""
        known = self._by_stem.get((home, stem(name)), set())
        if len(known) <= ALIKE:
            return known
        return self._by_stem.get((home, splitext(name)[0].lower()), set()) & known

    def _at(self, numbers: Iterable[int]) -> list[Resource]:
        return [self.resources[n] for n in sorted(set(numbers))]


def to_install(compiled: Compiled) -> list[Resource]:
    """Return the packages that a first run must install before the resources that need them."""
    packages = compiled.by_type.get("Package", ())
    return [one for one in packages if is_present(one) and name_of(one) not in RUNNING]


def accounts(compiled: Compiled) -> dict[str, set[str]]:
    """Return the names of the users and the groups in the catalog, by type.

    A user creates a group of its name, unless it has another one. So does a resource of a module
    type whose name ends in user or account.
    """
    kinds = [kind for kind in compiled.by_type if MAKES_USERS.search(kind)]
    users = {name_of(one) for kind in kinds for one in compiled.by_type[kind]}
    return {"User": users, "Group": users | {name_of(g) for g in compiled.by_type.get("Group", ())}}


def is_present(resource: Resource) -> bool:
    """Return whether a package or file should exist."""
    return resource.parameters.get("ensure") not in GONE


def has_content(file: Resource) -> bool:
    """Return whether a file gets its content from Puppet, and not only its owner and mode."""
    given = file.parameters
    linked = given.get("ensure") == "link" or str(given.get("ensure")).startswith("/")
    return linked or any(given.get(name) is not None for name in ("content", "source", "target"))


def module(compiled: Compiled, resource: Resource) -> str:
    """Return the module whose class or define declares a resource."""
    return module_of(compiled.class_around(resource))


def module_of(container: str) -> str:
    """Return the module of a class or define, or an empty string for the site's own code."""
    kind, _, title = container.partition("[")
    name = title.rstrip("]") if kind == "Class" else kind
    module = name.partition("::")[0].lower()
    return "" if module in ("main", "node", "stage") else module
