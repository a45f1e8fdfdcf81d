"""Finds pairs of resources that share a path, package, user or service."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from re import Pattern
from typing import NamedTuple

from analyzer.linter.puppet.related_resources import (
    RelatedResources,
    has_content,
    is_present,
    module,
    name_of,
    path_of,
)
from analyzer.linter.puppet.subjects import Compiled
from analyzer.model.resource import Resource
from analyzer.pattern import pattern

# A path in a command, except the first word, which Puppet itself relates.
ARGUMENT = pattern(r"(?<=[\s'\"=:<])/[\w.@/+-]*[\w@+-]")

# A path that a command writes, recognised by how it is passed.
PRODUCED = pattern(
    r"(?:>\s*|\s-(?:o(?:ut)?|O)[\s=]+|\s--out(?:put)?(?:-file)?[\s=]+|\b(?:mkdir|touch)(?:\s-\S+)*\s+)"
    r"['\"]?(/[\w.@/+-]*[\w@+-])"
)

# Attributes that keep a command from running if its file exists.
GUARDS = ("creates", "unless", "onlyif")

# A command that fills a folder from a version control system.
CHECKOUT = pattern(r"\b(?:git\s+(?:\S+\s+)*?clone|svn (?:co|checkout)|hg clone|bzr branch)\b")

# A path that is a separate word of a command, not the value of an option.
WORD = pattern(r"(?<=\s)['\"]?(/[\w.@/+-]*[\w@+-])")

# A guard that checks whether a path exists, and one that checks whether it is missing.
TEST = pattern(r"(?:^|\btest|\[)\s+-[defs]\s+['\"]?(/[\w.@/+-]*[\w@+-])")
TEST_NOT = pattern(r"(?:\btest|\[)\s+!\s+-[defs]\s+['\"]?(/[\w.@/+-]*[\w@+-])")

# The files that start a service: its unit with drop-ins, its init script, its environment.
UNIT = pattern(
    r"/(?:etc|usr/lib|lib)/systemd/system/([^/]+)\.service(?:\.d/[^/]+\.conf)?\Z"
    r"|/etc/(?:init\.d|default|sysconfig)/([^/]+)\Z"
)

# A command that makes a service reload, which must be running by then; and the service.
SERVICE_COMMAND = pattern(
    r"systemctl(?: -\S+)* reload ([\w@.-]+)"
    r"|(?:service|invoke-rc\.d) ([\w@.-]+) (?:reload|force-reload)"
)

# A command that starts a service, or starts it again; and the service.
START_COMMAND = pattern(
    r"systemctl(?: -\S+)* (?:re)?start ([\w@.-]+)"
    r"|(?:service|invoke-rc\.d) ([\w@.-]+) (?:re)?start"
)

# Programs that talk to a service of the machine, and the names of the service.
MARIADB = ("mariadb", "mysql", "mysqld")
CLIENTS = {
    "docker": ("docker",),
    "firewall-cmd": ("firewalld",),
    "mariadb": MARIADB,
    "mariadb-admin": MARIADB,
    "mysql": MARIADB,
    "mysqladmin": MARIADB,
    "psql": ("postgresql",),
    "createdb": ("postgresql",),
    "createuser": ("postgresql",),
    "rabbitmqctl": ("rabbitmq-server",),
    "redis-cli": ("redis", "redis-server"),
    "virsh": ("libvirtd",),
}

# An option that names another machine.
REMOTE = pattern(r"\s(?:-h\s*|--host[=\s])(?!localhost\b|127\.)[\w.]|\s--help\b|\s--version\b")

# Folders that every system has before a run (Filesystem Hierarchy Standard 3.0).
STANDARD = frozenset({
    "/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/media", "/mnt", "/opt", "/root", "/run",
    "/sbin", "/srv", "/tmp", "/usr", "/usr/bin", "/usr/include", "/usr/lib", "/usr/local",
    "/usr/local/bin", "/usr/local/sbin", "/usr/sbin", "/usr/share", "/usr/src", "/var",
    "/var/cache", "/var/lib", "/var/log", "/var/mail", "/var/run", "/var/spool", "/var/tmp",
})  # fmt: skip

# Types that change a file which another resource may manage, and the attribute that names it.
WRITERS = (
    ("Ini_setting", "path"),
    ("Ini_subsetting", "path"),
    ("File_line", "path"),
    ("Augeas", "incl"),
)

# Types that belong to a user or group, but that Puppet itself does not relate to it.
OWNERS = (
    ("Exec", "group", "Group"),
    ("Vcsrepo", "owner", "User"),
    ("Vcsrepo", "user", "User"),
    ("Vcsrepo", "group", "Group"),
    ("Archive", "user", "User"),
    ("Archive", "group", "Group"),
    ("Concat_file", "owner", "User"),
    ("Concat_file", "group", "Group"),
)


class Pair(NamedTuple):
    """Two resources in the order that they need, and the thing that both use."""

    first: Resource
    second: Resource
    thing: str


def pairs(compiled: Compiled) -> Iterator[Pair]:
    """Yield each pair of resources that share something, once."""
    seen: set[tuple[str, str]] = set()
    for find in FINDERS:
        for pair in find(compiled):
            key = (str(pair.first), str(pair.second))
            if key not in seen and key[::-1] not in seen and pair.first is not pair.second:
                seen.add(key)
                yield pair


def package_and_service(compiled: Compiled) -> Iterator[Pair]:
    """Yield a package and the service of its name, which Puppet itself does not relate."""
    packages = RelatedResources(
        compiled, (p for p in compiled.by_type.get("Package", ()) if is_present(p))
    )
    for service in compiled.by_type.get("Service", ()):
        if service.parameters.get("ensure") not in ("running", True):
            continue
        found = packages.of_service(service, module(compiled, service))
        # Of a server's and a client's package, the one that it is ordered after has the service.
        for package in () if any(compiled.is_before(one, service) for one in found) else found:
            yield Pair(package, service, f"the package {name_of(package)}")


def unit_and_service(compiled: Compiled) -> Iterator[Pair]:
    """Yield a file that Puppet writes and the service that it starts."""
    services = {
        name_of(s).removesuffix(".service"): s
        for s in compiled.by_type.get("Service", ())
        if s.parameters.get("ensure") in ("running", True)
    }
    for path, file in paths(compiled).items() if services else ():
        found = UNIT.match(path)
        service = services.get(found[1] or found[2]) if found else None
        if service is not None and is_present(file) and has_content(file):
            yield Pair(file, service, path)


def service_and_command(compiled: Compiled) -> Iterator[Pair]:
    """Yield a service and an exec that reloads it, or whose program talks to it."""
    services = {name: s for s in compiled.by_type.get("Service", ()) for name in services_of(s)}
    for resource in compiled.by_type.get("Exec", ()) if services else ():
        for name in named_in(resource, SERVICE_COMMAND):
            if name in services:
                yield Pair(services[name], resource, f"the service {name}")
        for command in texts(resource.parameters.get("command", resource.title)):
            program = command.split()[0].rpartition("/")[2] if command.split() else ""
            for name in CLIENTS.get(program, ()):
                if name in services and not REMOTE.search(command):
                    yield Pair(services[name], resource, f"the service {name}")


def start_and_reload(compiled: Compiled) -> Iterator[Pair]:
    """Yield a command that starts a service and one that reloads it, which must be running then."""
    execs = compiled.by_type.get("Exec", ())
    starts = {name: one for one in execs for name in named_in(one, START_COMMAND)}
    for resource in execs if starts else ():
        for name in named_in(resource, SERVICE_COMMAND):
            if name in starts:
                yield Pair(starts[name], resource, f"the service {name}")


def named_in(resource: Resource, action: Pattern[str]) -> Iterator[str]:
    """Yield the services that a command acts on."""
    for command in texts(resource.parameters.get("command", resource.title)):
        for found in action.finditer(command):
            yield (found[1] or found[2]).removesuffix(".service")


def services_of(service: Resource) -> set[str]:
    """Return the name of a service that should be running."""
    running = service.parameters.get("ensure") in ("running", True)
    return {name_of(service).removesuffix(".service")} if running else set()


def file_and_writer(compiled: Compiled) -> Iterator[Pair]:
    """Yield a managed file, or a command that creates one, and a resource that changes a part of
    it."""
    files = paths(compiled)
    # A command with `creates` never runs if another resource creates its file first.
    makers = {
        path: one
        for one in compiled.by_type.get("Exec", ())
        for path in texts(one.parameters.get("creates"))
    }
    for kind, name in WRITERS:
        for resource in compiled.by_type.get(kind, ()):
            path = str(resource.parameters.get(name) or path_in_tree(resource, files)).rstrip("/")
            file = files.get(path)
            if file is not None and is_present(file):
                yield Pair(file, resource, path)
            if path in makers:
                yield Pair(makers[path], resource, path)


def path_in_tree(resource: Resource, files: Mapping[str, Resource]) -> str:
    """Return the managed file that the `context` of an augeas resource leads to, or into."""
    tree, _, path = str(resource.parameters.get("context", "")).partition("/files/")
    places = (f"/{path}", *folders_above(f"/{path}")) if path and not tree else ()
    return next((one for one in places if one in files and not is_folder(files[one])), "")


def makers_by_path(compiled: Compiled) -> dict[str, Resource]:
    """Return the commands that create a file or folder which they name, by path."""
    execs = compiled.by_type.get("Exec", ())
    return {path: resource for resource in execs for path in made_by(resource)}


def owner_and_owned(compiled: Compiled) -> Iterator[Pair]:
    """Yield a user or group, and resources that belong to it or run as it."""
    for kind, name, target in OWNERS:
        owners = {name_of(o): o for o in compiled.by_type.get(target, ()) if is_present(o)}
        for resource in compiled.by_type.get(kind, ()) if owners else ():
            owner = owners.get(str(resource.parameters.get(name)))
            if owner is not None:
                yield Pair(owner, resource, f"the {target.lower()} {name_of(owner)}")


def home_and_file(compiled: Compiled) -> Iterator[Pair]:
    """Yield a user and a file in its home, because useradd does not populate an existing home."""
    homes = {
        str(user.parameters.get("home") or f"/home/{name_of(user)}").rstrip("/"): user
        for user in compiled.by_type.get("User", ())
        if user.parameters.get("managehome") in (True, "true") and is_present(user)
    }
    for path, file in paths(compiled).items() if homes else ():
        for above in (path, *folders_above(path)):
            if above in homes and is_present(file):
                yield Pair(homes[above], file, above)


def source_and_copy(compiled: Compiled) -> Iterator[Pair]:
    """Yield a file and the managed file that it is copied from."""
    files = paths(compiled)
    for file in compiled.by_type.get("File", ()):
        sources = file.parameters.get("source")
        for source in sources if isinstance(sources, list) else [sources]:
            if isinstance(source, str) and source in files and is_present(file):
                yield Pair(files[source], file, source)


def command_and_file(compiled: Compiled) -> Iterator[Pair]:
    """Yield an exec and a managed file that is an argument of its command, or that it creates."""
    files = paths(compiled)
    execs = compiled.by_type.get("Exec", ())
    made = {str(resource): made_by(resource) for resource in execs}
    makers = {path: resource for resource in execs for path in made[str(resource)]}
    mounts = {path_of(one) or one.title: one for one in compiled.by_type.get("Mount", ())}
    for resource in execs:
        for path in sorted(made[str(resource)]):
            file = files.get(path)
            # It does not matter which resource creates a folder.
            if file and is_present(file) and not (is_folder(file) or overwrites(resource, file)):
                yield Pair(resource, file, path)
        for argument in arguments(resource.parameters.get("command", resource.title)):
            path = argument.rstrip("/")
            file = files.get(path)
            if file is None or path in made[str(resource)] or not is_present(file):
                continue
            if path in STANDARD and is_folder(file):
                continue
            # Another exec or a mount provides the content; the file only sets owner and mode.
            maker = makers.get(path, mounts.get(path)) if not has_content(file) else None
            if maker is None or not compiled.is_before(maker, resource):
                yield Pair(file, resource, path)


def overwrites(resource: Resource, file: Resource) -> bool:
    """Return whether an exec always writes a file that another resource only creates."""
    plain = file.parameters.get("ensure") in ("present", "file") and not has_content(file)
    return plain and not any(name in resource.parameters for name in GUARDS)


def is_folder(file: Resource) -> bool:
    """Return whether a managed file is a folder."""
    return file.parameters.get("ensure") == "directory"


def made_by(resource: Resource) -> set[str]:
    """Return the paths that an exec creates: those of `creates`, and those it writes or checks."""
    given = resource.parameters
    found = {*texts(given.get("creates"))}
    for command in texts(given.get("command", resource.title)):
        found.update(PRODUCED.findall(command))
        if CHECKOUT.search(command):
            found.update(WORD.findall(command))
    for guard, wanted in (("unless", TEST), ("onlyif", TEST_NOT)):
        for test in texts(given.get(guard)):
            found.update(wanted.findall(test))
    return {path.rstrip("/") for path in found}


def arguments(command: object) -> Iterator[str]:
    """Yield the paths in a command that Puppet's automatic relationships ignore.

    If the agent computes the command (a deferred value), these are all of its paths.
    """
    if isinstance(command, dict) and command.get("__ptype") == "Deferred":
        for text in command.get("arguments", ()):
            yield from ARGUMENT.findall(f" {text}")
    for text in texts(command):
        yield from ARGUMENT.findall(text)


def checkout_and_file(compiled: Compiled) -> Iterator[Pair]:
    """Yield a checkout and a managed file in it, because git does not clone into a non-empty
    folder; and a command that creates a folder, and a file in it."""
    files = paths(compiled)
    checkouts = {path_of(r): r for r in compiled.by_type.get("Vcsrepo", ())}
    # A file cannot be written below a folder that only a command creates.
    makers = {p: r for p, r in makers_by_path(compiled).items() if p not in files}
    for path, file in files.items() if checkouts or makers else ():
        for above in folders_above(path):
            if above in checkouts:
                yield Pair(checkouts[above], file, above)
            elif above in makers and is_present(file):
                yield Pair(makers[above], file, above)


def folders_above(path: str) -> Iterator[str]:
    """Yield the folders that contain a path, the innermost first."""
    while path := path.rpartition("/")[0]:
        yield path


def paths(compiled: Compiled) -> dict[str, Resource]:
    """Return the managed files by path."""
    return {path_of(resource): resource for resource in compiled.by_type.get("File", ())}


def texts(value: object) -> Iterator[str]:
    """Yield the strings of an attribute, which has one or several."""
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, str):
            yield one


FINDERS = (
    package_and_service,
    unit_and_service,
    service_and_command,
    start_and_reload,
    file_and_writer,
    owner_and_owned,
    home_and_file,
    source_and_copy,
    command_and_file,
    checkout_and_file,
)
