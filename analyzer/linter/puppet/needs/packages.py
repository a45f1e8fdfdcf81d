"""Finds resources that need a program, a folder or an account which a package provides."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from analyzer.linter.puppet.needs.paths import outputs
from analyzer.linter.puppet.needs.words import words
from analyzer.linter.puppet.related_resources import (
    GONE,
    module,
    name_of,
    path_of,
    stem,
    to_install,
)
from analyzer.linter.puppet.shared_targets import (
    CLIENTS,
    Pair,
    folders_above,
    made_by,
    paths,
    services_of,
    texts,
)
from analyzer.linter.puppet.subjects import Compiled
from analyzer.model.resource import Resource

# Programs that every system has before Puppet runs.
BASE_PROGRAMS = words(
    """
    apt apt-get aptitude awk bash cat chmod chown cp cut debconf dnf dpkg echo env find grep
    gzip head hostname install ln ls mkdir mount mv passwd perl puppet rm rpm sed sh sleep
    su systemctl systemd tail tar tee test touch true yum zypper
    """
)

# Packages with the programs of a database.
MARIADB = (
    "mariadb-server",
    "mariadb-client",
    "mariadb",
    "default-mysql-server",
    "default-mysql-client",
    "mysql-server",
    "mysql-client",
    "mysql-community-server",
    "mysql",
)
POSTGRESQL = ("postgresql", "postgresql-server", "postgresql-client", "postgresql-client-common")

# Programs whose package has another name, with the packages that provide them.
BROUGHT_BY: dict[str, tuple[str, ...]] = {
    "a2dismod": ("apache2",),
    "a2dissite": ("apache2",),
    "a2enconf": ("apache2",),
    "a2enmod": ("apache2",),
    "a2ensite": ("apache2",),
    "apache2ctl": ("apache2",),
    "createdb": POSTGRESQL,
    "createuser": POSTGRESQL,
    "firewall-cmd": ("firewalld",),
    "firewall-offline-cmd": ("firewalld",),
    "mariadb": MARIADB,
    "mariadb-admin": MARIADB,
    "mysql": MARIADB,
    "mysqladmin": MARIADB,
    "newaliases": ("postfix", "exim4", "sendmail"),
    "pip": ("python-pip", "python3-pip"),
    "pip3": ("python3-pip",),
    "postalias": ("postfix",),
    "postmap": ("postfix",),
    "psql": POSTGRESQL,
    "rabbitmqctl": ("rabbitmq-server",),
    "semanage": ("policycoreutils-python", "policycoreutils-python-utils"),
    "update-ca-certificates": ("ca-certificates",),
    "virtualenv": ("python-virtualenv", "python3-virtualenv"),
}

PROGRAM_FOLDERS = ("", "/bin", "/sbin", "/usr/bin", "/usr/sbin")

# Package providers, with the packages that provide their program.
INSTALLERS: dict[str, re.Pattern[str]] = {
    "gem": re.compile(r"ruby(?:\d[.\d]*)?|rubygems[\d.]*"),
    "pip": re.compile(r"python[\d.]*-pip"),
    "pip2": re.compile(r"python2?-pip"),
    "pip3": re.compile(r"python3[\d.]*-pip"),
}

# Folders in which packages create folders of their own names.
BROUGHT = re.compile(
    r"/(?:var/(?:lib|log|cache|spool)|usr/(?:share|lib|lib64|libexec)|opt)/([^/]+)/"
)

# Endings of packages that own the folder of the program before them.
PART = re.compile(r"-(?:base|bin|common|core|data|database)\Z")

# An address that pip or npm fetches with a version control system, and the packages of each.
FETCHED = re.compile(r"\b(git|hg|svn)\+[a-z]+:")
FETCHED_BY = {"git": ("git", "git-core"), "hg": ("mercurial",), "svn": ("subversion",)}


def package_and_program(compiled: Compiled) -> Iterator[Pair]:
    """Yield a package and an exec that runs one of its programs."""
    packages = present_packages(compiled)
    managed = paths(compiled)
    services = {name for one in compiled.by_type.get("Service", ()) for name in services_of(one)}
    for resource in compiled.by_type.get("Exec", ()) if packages else ():
        for folder, program in programs(resource):
            names = BROUGHT_BY.get(program, FETCHED_BY.get(program, (program,)))
            found = [packages[name] for name in names if name in packages]
            is_managed = folder and f"{folder}/{program}" in managed
            if not found or folder not in PROGRAM_FOLDERS or is_managed:
                continue
            # The command needs the service, which needs the package.
            if any(one in services for one in CLIENTS.get(program, ())):
                continue
            if not any(compiled.is_before(one, resource) for one in found) and not asks_for(
                resource, program
            ):
                yield Pair(found[0], resource, f"the command {program}")


def programs(resource: Resource) -> Iterator[tuple[str, str]]:
    """Yield the folder and the name of the program of a command."""
    command = resource.parameters.get("command", resource.title)
    for text in [*texts(command)][:1]:
        words = text.split() if isinstance(command, str) else [text]
        folder, _, program = words[0].rpartition("/") if words else ("", "", "")
        if program and program not in BASE_PROGRAMS:
            yield folder, program
        for program in FETCHED.findall(text):
            yield "", program


def asks_for(resource: Resource, program: str) -> bool:
    """Return whether a command runs only if its program exists."""
    asked = re.compile(rf"(?:\bwhich|\bcommand -v|\btest -\w|\[ -\w)\s+\S*\b{re.escape(program)}\b")
    return any(asked.search(one) for one in texts(resource.parameters.get("onlyif")))


def present_packages(compiled: Compiled) -> dict[str, Resource]:
    """Return the packages that are installed, by name; Gentoo's have a category before it."""
    return {name_of(one).rpartition("/")[2]: one for one in to_install(compiled)}


def package_and_place(compiled: Compiled) -> Iterator[Pair]:
    """Yield a package and a file in its folder, or an exec that writes into it.

    CG310 checks files in /etc.
    """
    packages = present_packages(compiled)
    by_stem: dict[str, list[Resource]] = defaultdict(list)
    for name, package in packages.items():
        by_stem[stem(PART.sub("", name))].append(package)
    for resource, folder in placed(compiled) if packages else ():
        inside = BROUGHT.match(f"{folder}/")
        name, home = stem(inside[1]) if inside else "", module(compiled, resource)
        found = [p for p in by_stem.get(name, ()) if module(compiled, p) == home]
        alike = [p for other, p in packages.items() if other.startswith(f"{name}-")]
        if found and not any(compiled.ordered(one, resource) for one in (*found, *alike)):
            yield Pair(found[0], resource, f"the folder {folder}")


def placed(compiled: Compiled) -> Iterator[tuple[Resource, str]]:
    """Yield each file, and each exec that writes one, with the folder that it needs."""
    managed = {path_of(one) for one in compiled.by_type.get("File", ())}
    makers = compiled.by_type.get("Exec", ())
    made = {
        one for exec in makers for path in made_by(exec) for one in (path, *folders_above(path))
    }
    for file in compiled.by_type.get("File", ()):
        folder = path_of(file).rpartition("/")[0]
        there = (folder, *folders_above(folder))
        if file.parameters.get("ensure") not in GONE and (managed | made).isdisjoint(there):
            yield file, folder
    for exec in makers:
        if any("mkdir" in one for one in texts(exec.parameters.get("command", exec.title))):
            continue
        own = made_by(exec)
        for path in sorted(outputs(exec)):
            folder = path.rpartition("/")[0]
            there = (folder, *folders_above(folder))
            if (managed | own).isdisjoint(there):
                yield exec, folder


def installer_and_package(compiled: Compiled) -> Iterator[Pair]:
    """Yield the package of a package provider's program, and a package that it installs."""
    packages = present_packages(compiled)
    installed = [one for one in packages.values() if provider_of(one) in INSTALLERS]
    by_provider = {
        provider: [
            one
            for name, one in packages.items()
            if wanted.fullmatch(name) and provider_of(one) not in INSTALLERS
        ]
        for provider, wanted in (INSTALLERS.items() if installed else ())
    }
    for package in installed:
        found = by_provider[provider_of(package)]
        own = package.parameters.get("command")
        if found and not own and not any(compiled.is_before(one, package) for one in found):
            yield Pair(found[0], package, f"the command {provider_of(package)}")
        for program in FETCHED.findall(f"{name_of(package)} {package.parameters.get('source')}"):
            found = [packages[name] for name in FETCHED_BY[program] if name in packages]
            if found and not any(compiled.is_before(one, package) for one in found):
                yield Pair(found[0], package, f"the command {program}")


def provider_of(package: Resource) -> str:
    """Return the provider of a package, or an empty string for the system's default."""
    return str(package.parameters.get("provider") or "")
