"""Finds what fails on a new machine if another resource comes later: by name, no relationship.

Each finder yields a resource, another one that fails without it or works on something else, and
the thing that the first one brings.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from posixpath import basename

from analyzer.linter.puppet.related_resources import (
    GONE,
    accounts,
    has_content,
    is_present,
    module,
    name_of,
    path_of,
    stem,
    to_install,
)
from analyzer.linter.puppet.shared_targets import (
    PRODUCED,
    TEST,
    TEST_NOT,
    Pair,
    arguments,
    folders_above,
    is_folder,
    made_by,
    paths,
    texts,
)
from analyzer.linter.puppet.subjects import Compiled
from analyzer.model.resource import Resource


def words(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


# Programs that every system has before Puppet runs.
BASE_PROGRAMS = words(
    """
    apt apt-get aptitude awk bash cat chmod chown cp cut debconf dnf dpkg echo env find grep
    gzip head hostname install ln ls mkdir mount mv passwd perl puppet rm rpm sed sh sleep
    su systemctl systemd tail tar tee test touch true yum zypper
    """
)

# Programs by the packages that bring them, where it is not the one of their name.
BROUGHT_BY: dict[str, tuple[str, ...]] = {
    "a2dismod": ("apache2",),
    "a2dissite": ("apache2",),
    "a2enconf": ("apache2",),
    "a2enmod": ("apache2",),
    "a2ensite": ("apache2",),
    "apache2ctl": ("apache2",),
    "firewall-cmd": ("firewalld",),
    "firewall-offline-cmd": ("firewalld",),
    "newaliases": ("postfix", "exim4", "sendmail"),
    "pip": ("python-pip", "python3-pip"),
    "pip3": ("python3-pip",),
    "postalias": ("postfix",),
    "postmap": ("postfix",),
    "rabbitmqctl": ("rabbitmq-server",),
    "semanage": ("policycoreutils-python", "policycoreutils-python-utils"),
    "update-ca-certificates": ("ca-certificates",),
    "virtualenv": ("python-virtualenv", "python3-virtualenv"),
}

# Folders that every system, or each with that package manager, has before Puppet runs.
BASE_FOLDERS = words(
    """
    / /bin /boot /dev /etc /etc/apt /etc/apt/apt.conf.d /etc/apt/keyrings
    /etc/apt/preferences.d /etc/apt/sources.list.d /etc/apt/trusted.gpg.d /etc/cron.d
    /etc/cron.daily /etc/cron.hourly /etc/cron.monthly /etc/cron.weekly /etc/default
    /etc/init.d /etc/pki/rpm-gpg /etc/profile.d /etc/rc.d /etc/ssl /etc/ssl/certs
    /etc/ssl/private /etc/sysconfig /etc/systemd/system /etc/yum.repos.d /home /lib /media /mnt
    /opt /root /run /sbin /srv /sys /tmp /usr /usr/bin /usr/lib /usr/local /usr/local/bin
    /usr/local/etc /usr/local/lib /usr/local/sbin /usr/local/share /usr/sbin /usr/share
    /usr/share/keyrings /var /var/cache /var/lib /var/lock /var/log /var/run /var/spool /var/tmp
    """
)

PROGRAM_FOLDERS = ("", "/bin", "/sbin", "/usr/bin", "/usr/sbin")

# Package providers by the packages that bring their program.
INSTALLERS: dict[str, re.Pattern[str]] = {
    "gem": re.compile(r"ruby(?:\d[.\d]*)?|rubygems"),
    "pip": re.compile(r"python[\d.]*-pip"),
    "pip2": re.compile(r"python2?-pip"),
    "pip3": re.compile(r"python3[\d.]*-pip"),
}

# Folders that packages bring, below which a part of a path is the name of a package.
BROUGHT = re.compile(
    r"/(?:var/(?:lib|log|cache|spool)|usr/(?:share|lib|lib64|libexec)|opt)/([^/]+)/"
)

# Accounts that every system has.
BASE_ACCOUNTS = words(
    """
    adm bin daemon disk mail nobody nogroup root staff sudo sys systemd-journal tty users
    wheel www-data
    """
)

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

# Types whose resources lie at a path that Puppet does not relate to a mount.
PLACED = (("Vcsrepo", "path"), ("Archive", "path"), ("Archive", "extract_path"), ("Exec", "cwd"))

# What makes repositories of packages known, and its parts that say nothing of whose they are.
REPOSITORIES = ("Yumrepo", "Zypprepo", "Apt::Source", "Apt::Ppa")
COMMON_WORDS = words(
    """
    apt deb debian main release repo repository stable the ubuntu yum
    """
)

# A class of repositories that a package requires.
REQUIRED = re.compile(r"Class\[\W*[\w:]*::repos?(?:itory)?\b", re.IGNORECASE)

INDEX = re.compile(r"\b(?:apt-get|apt|aptitude)(?:\s+-\S+)*\s+update\b")


def package_and_program(compiled: Compiled) -> Iterator[Pair]:
    """Yield a package and an exec that runs a program of it."""
    packages = present_packages(compiled)
    managed = paths(compiled)
    for resource in compiled.by_type.get("Exec", ()) if packages else ():
        for folder, program in programs(resource):
            names = BROUGHT_BY.get(program, (program,))
            found = [packages[name] for name in names if name in packages]
            is_managed = folder and f"{folder}/{program}" in managed
            if not found or folder not in PROGRAM_FOLDERS or is_managed:
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


def asks_for(resource: Resource, program: str) -> bool:
    """Return whether a command runs only where its program is."""
    asked = re.compile(rf"(?:\bwhich|\bcommand -v|\btest -\w|\[ -\w)\s+\S*\b{re.escape(program)}\b")
    return any(asked.search(one) for one in texts(resource.parameters.get("onlyif")))


def present_packages(compiled: Compiled) -> dict[str, Resource]:
    """Return the packages that are installed, by name."""
    return {name_of(one): one for one in to_install(compiled)}


def package_and_place(compiled: Compiled) -> Iterator[Pair]:
    """Yield a package and a file whose folder or owner it brings; files in /etc are CG310's."""
    packages = present_packages(compiled)
    by_stem: dict[str, list[Resource]] = defaultdict(list)
    for name, package in packages.items():
        by_stem[stem(name)].append(package)
    managed = {path_of(one) for one in compiled.by_type.get("File", ())}
    makers = compiled.by_type.get("Exec", ())
    made = {
        one for exec in makers for path in made_by(exec) for one in (path, *folders_above(path))
    }
    known = accounts(compiled)
    for file in compiled.by_type.get("File", ()) if packages else ():
        path = path_of(file)
        if file.parameters.get("ensure") in GONE or path.startswith("/etc/"):
            continue
        for name, thing in places_of(file, path, managed | made, known):
            home = module(compiled, file)
            found = [p for p in by_stem.get(stem(name), ()) if module(compiled, p) == home]
            if found and not any(compiled.ordered(one, file) for one in found):
                yield Pair(found[0], file, thing)
                break


def places_of(
    file: Resource, path: str, there: set[str], known: dict[str, set[str]]
) -> Iterator[tuple[str, str]]:
    """Yield the names that a file's folder and owners have, unless something else brings them."""
    folder = path.rpartition("/")[0]
    inside = BROUGHT.match(path)
    if inside and there.isdisjoint((folder, *folders_above(folder))):
        yield inside[1], f"the folder {folder}"
    for attribute, kind in (("owner", "User"), ("group", "Group")):
        name = file.parameters.get(attribute)
        is_there = name in known[kind] or name in BASE_ACCOUNTS
        if isinstance(name, str) and not is_there and not name.isdecimal():
            yield name, f"the {kind.lower()} {name}"


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
            yield Pair(found[0], package, f"the provider {provider_of(package)}")


def provider_of(package: Resource) -> str:
    """Return the provider of a package, empty if it is the system's."""
    return str(package.parameters.get("provider") or "")


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


def mount_and_user(compiled: Compiled) -> Iterator[Pair]:
    """Yield the folder of a mount and the mount, and the mount and what uses a path below it."""
    mounts = {
        path_of(one) or name_of(one): one
        for one in compiled.by_type.get("Mount", ())
        if one.parameters.get("ensure") == "mounted"
    }
    mounts = {name_of(one).rstrip("/"): one for one in mounts.values()}
    if not mounts:
        return
    files = paths(compiled)
    for path, mount in mounts.items():
        if path in files and is_folder(files[path]):
            yield Pair(files[path], mount, f"the mount point {path}")
    for kind, attribute in PLACED:
        for resource in compiled.by_type.get(kind, ()):
            given = resource.parameters.get(attribute)
            own = path_of(resource) if attribute == "path" else given
            yield from mounts_of(mounts, resource, own)
    for resource in compiled.by_type.get("Exec", ()):
        for path in sorted({*arguments(resource.parameters.get("command", resource.title))}):
            yield from mounts_of(mounts, resource, path)


def mounts_of(mounts: dict[str, Resource], resource: Resource, path: object) -> Iterator[Pair]:
    """Yield the mount that a path of a resource is in."""
    if isinstance(path, str) and path.startswith("/"):
        for folder in (path.rstrip("/"), *folders_above(path)):
            if folder in mounts:
                yield Pair(mounts[folder], resource, f"the mount {folder}")
                return


def folder_and_output(compiled: Compiled) -> Iterator[Pair]:
    """Yield a managed folder and an exec whose command writes a file into it."""
    files = paths(compiled)
    for resource in compiled.by_type.get("Exec", ()) if files else ():
        made = made_by(resource)
        for path in sorted(outputs(resource)):
            folder = path.rpartition("/")[0]
            file = files.get(folder)
            if folder in BASE_FOLDERS or made.intersection((folder, *folders_above(folder))):
                continue
            if file and is_folder(file):
                yield Pair(file, resource, f"the folder {folder}")


def outputs(resource: Resource) -> set[str]:
    """Return the paths that a command certainly writes: it names them, and `creates` says so."""
    found: set[str] = set()
    given = resource.parameters
    for command in texts(given.get("command", resource.title)):
        found.update(PRODUCED.findall(command))
        found.update(one for one in texts(given.get("creates")) if one in command)
    return {path.rstrip("/") for path in found}


def file_and_guard(compiled: Compiled) -> Iterator[Pair]:
    """Yield a file and an exec that runs only where the file is."""
    files = paths(compiled)
    for resource in compiled.by_type.get("Exec", ()) if files else ():
        for guard, wanted in (("onlyif", TEST), ("unless", TEST_NOT)):
            for test in texts(resource.parameters.get(guard)):
                for path in wanted.findall(test):
                    file = files.get(path.rstrip("/"))
                    if file is None or not is_present(file) or not is_brought(file):
                        continue
                    if not removes(resource, path) and not (is_folder(file) and "-f" in test):
                        yield Pair(file, resource, path)


def removes(resource: Resource, path: str) -> bool:
    """Return whether a command removes or moves a file, so that it comes before a new one."""
    gone = re.compile(rf"\b(?:mv|rm|rmdir|unlink)\s[^;&|]*{re.escape(path)}(?![\w/.-])")
    return any(map(gone.search, texts(resource.parameters.get("command", resource.title))))


def is_brought(file: Resource) -> bool:
    """Return whether a file is there because Puppet writes it."""
    return has_content(file) or file.parameters.get("ensure") in ("directory", "file", "present")


def repository_and_package(compiled: Compiled) -> Iterator[Pair]:
    """Yield a repository, or the command that reads it, and a package of its name and module."""
    words: dict[tuple[str, str], list[Resource]] = defaultdict(list)
    for package in compiled.by_type.get("Package", ()):
        if is_present(package) and not package.parameters.get("source"):
            words[module(compiled, package), first_word(name_of(package))].append(package)
    updates = [
        one
        for one in compiled.by_type.get("Exec", ())
        if any(INDEX.search(text) for text in texts(one.parameters.get("command", one.title)))
    ]
    repositories = [one for kind in REPOSITORIES for one in compiled.by_type.get(kind, ())]
    known = known_after(compiled, repositories) if words else {}
    for repository in repositories:
        word, home = first_word(repository.title), module(compiled, repository)
        if repository.parameters.get("ensure") in GONE or word in COMMON_WORDS:
            continue
        for package in words.get((home, word), ()):
            named = REQUIRED.search(str(package.parameters.get("require")))
            if not named and compiled.number(package) not in known[home]:
                yield Pair(repository, package, "the repository")
            if repository.type.startswith("Apt::") and compiled.is_before(repository, package):
                yield from late_index(compiled, updates, repository, package)


def known_after(compiled: Compiled, repositories: list[Resource]) -> dict[str, set[int]]:
    """Return for each module the nodes after one of its repositories, or after its file."""
    starts: dict[str, list[int]] = defaultdict(list)
    for repository in repositories:
        files = (one for one in compiled.resources_in(repository) if one.type == "File")
        ids = (compiled.number(one) for one in (repository, *files))
        ends = [compiled.graph.completed[i] for i in ids if i is not None]
        starts[module(compiled, repository)] += ends
    return {home: compiled.after(ids) for home, ids in starts.items()}


def late_index(
    compiled: Compiled, updates: list[Resource], repository: Resource, package: Resource
) -> Iterator[Pair]:
    """Yield the command that reads a repository, if none that does is before its package."""
    told = [one for one in updates if compiled.is_notified(repository, one)]
    if told and not any(compiled.ordered(one, package) for one in told):
        yield Pair(told[0], package, "the index of the repository")


def first_word(name: str) -> str:
    """Return the first word of a name, without a number: `docker` of `docker-ce`."""
    return re.split(r"[\s/._-]", basename(name.lower()))[0].rstrip("0123456789")


NEEDS = (
    package_and_program,
    package_and_place,
    installer_and_package,
    account_and_command,
    mount_and_user,
    folder_and_output,
    repository_and_package,
)
