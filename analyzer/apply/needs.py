"""Needs that resources silently have of each other: a host has them, Puppet does not know them.

A row says what a type needs or brings. Where one resource brings what another needs, and nothing
orders the two, what comes of the second depends on which happens to be first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from posixpath import basename, dirname

from analyzer.graph.lookup import as_list
from analyzer.model.resource import Resource
from analyzer.model.types import NAMEVARS

# An object on a host: its kind and its name.
Thing = tuple[str, str]
Rule = Callable[[Resource], Iterable[Thing]]

UNIT_FOLDERS = ("/etc/systemd/system", "/lib/systemd/system", "/usr/lib/systemd/system")
SCRIPT_FOLDER = "/etc/init.d"


@dataclass(frozen=True, slots=True)
class Need:
    """`needer` comes out differently where `bringer` is not done: both are ids of resources.

    With `spares` it is the other way round: what is there already spares the needer its work.
    """

    bringer: int
    needer: int
    thing: Thing
    spares: bool = False


def name_of(resource: Resource) -> str:
    """Return the name of a resource on the host."""
    return str(resource.parameters.get(NAMEVARS.get(resource.type, "name")) or resource.title)


def is_absent(resource: Resource) -> bool:
    """Return whether a resource is to go away."""
    return resource.parameters.get("ensure") in ("absent", "purged", "stopped", False, "false")


def text_of(resource: Resource, name: str) -> str:
    """Return a parameter that is a text, empty if it is none."""
    value: object = resource.parameters.get(name)
    return value if isinstance(value, str) else ""


def path_of(resource: Resource) -> Iterator[Thing]:
    """Yield the path of a file, and the service whose unit it is."""
    path = name_of(resource).rstrip("/")
    yield "path", path
    folder, name = dirname(path), basename(path)
    if folder in UNIT_FOLDERS and name.endswith(".service"):
        yield "service", name.removesuffix(".service")
    elif folder == SCRIPT_FOLDER:
        yield "service", name


def package_of(resource: Resource) -> Iterator[Thing]:
    """Yield the package, and the service that mostly has its name."""
    yield "package", name_of(resource)
    yield "service", name_of(resource)


def service_of(resource: Resource) -> Iterator[Thing]:
    """Yield the service."""
    yield "service", name_of(resource).removesuffix(".service")


def source_of(resource: Resource) -> Iterator[Thing]:
    """Yield the local files that a file is copied from, and its folder."""
    path = name_of(resource).rstrip("/")
    yield "path", dirname(path)
    for source in as_list(resource.parameters.get("source")):
        if isinstance(source, str) and source.startswith("/"):
            yield "path", source.rstrip("/")


def files_of_exec(resource: Resource) -> Iterator[Thing]:
    """Yield the files that a command starts from: its program, its folder."""
    command = text_of(resource, "command") or resource.title
    words = command.split()
    if words and words[0].startswith("/"):
        yield "path", words[0]
    if text_of(resource, "cwd"):
        yield "path", text_of(resource, "cwd").rstrip("/")


def created_by(resource: Resource) -> Iterator[Thing]:
    """Yield the files that a command creates, as far as its words show."""
    for path in as_list(resource.parameters.get("creates")):
        if isinstance(path, str):
            yield "path", path.rstrip("/")


NEEDS: dict[str, Rule] = {
    "Exec": files_of_exec,
    "File": source_of,
    "Service": service_of,
}
BRINGS: dict[str, Rule] = {"Exec": created_by, "File": path_of, "Package": package_of}
SPARES: dict[str, Rule] = {"Exec": created_by}


def needs_among(resources: Sequence[Resource]) -> list[Need]:
    """Return the needs that the resources of a catalog have of each other."""
    brought: dict[Thing, list[int]] = {}
    for i, resource in enumerate(resources):
        rule = BRINGS.get(resource.type)
        if rule is not None and not is_absent(resource):
            for thing in rule(resource):
                brought.setdefault(thing, []).append(i)
    found = []
    for i, resource in enumerate(resources):
        if is_absent(resource):
            continue
        for rules, spares in ((NEEDS, False), (SPARES, True)):
            rule = rules.get(resource.type)
            for thing in rule(resource) if rule is not None else ():
                others = [j for j in brought.get(thing, ()) if j != i]
                found += [Need(j, i, thing, spares) for j in others]
    return found
