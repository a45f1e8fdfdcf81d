"""Pairs of resources that touch the same path, package or service, in the order that they need."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from analyzer.linter.kinship import is_present, name_of, names_of, path_of, same_module
from analyzer.linter.subjects import Compiled
from analyzer.model.resource import Resource

# A path among the words of a command, not its first word: that one Puppet relates by itself.
ARGUMENT = re.compile(r"(?<=[\s'\"=:<])/[\w.@/+-]*[\w@+-]")

UNIT = re.compile(r"/(?:etc|usr/lib|lib)/systemd/system/([^/]+)\.service\Z|/etc/init\.d/([^/]+)\Z")


class Pair(NamedTuple):
    """Two resources, the one that has to come first, and what both are about."""

    first: Resource
    second: Resource
    thing: str


def pairs(compiled: Compiled) -> Iterator[Pair]:
    """Yield every such pair, each once."""
    seen: set[tuple[str, str]] = set()
    for find in FINDERS:
        for pair in find(compiled):
            key = (str(pair.first), str(pair.second))
            if key not in seen and key[::-1] not in seen and pair.first is not pair.second:
                seen.add(key)
                yield pair


def package_and_service(compiled: Compiled) -> Iterator[Pair]:
    """A service and the package of its name: Puppet does not relate them by itself."""
    packages = [p for p in compiled.by_type.get("Package", ()) if is_present(p)]
    for service in compiled.by_type.get("Service", ()):
        if service.parameters.get("ensure") not in ("running", True):
            continue
        for package in packages:
            if names_of(package) & names_of(service) and same_module(compiled, package, service):
                yield Pair(package, service, f"the package {name_of(package)}")


def unit_and_service(compiled: Compiled) -> Iterator[Pair]:
    """A service and the file of its unit or its init script."""
    services = {name_of(s).removesuffix(".service"): s for s in compiled.by_type.get("Service", ())}
    for path, file in paths(compiled).items():
        found = UNIT.match(path)
        service = services.get(found[1] or found[2]) if found else None
        if service is not None and is_present(file):
            yield Pair(file, service, path)


def source_and_copy(compiled: Compiled) -> Iterator[Pair]:
    """A file and another managed one that it is copied from."""
    files = paths(compiled)
    for file in compiled.by_type.get("File", ()):
        sources = file.parameters.get("source")
        for source in sources if isinstance(sources, list) else [sources]:
            if isinstance(source, str) and source in files and is_present(file):
                yield Pair(files[source], file, source)


def command_and_file(compiled: Compiled) -> Iterator[Pair]:
    """An exec and a managed file that its command has as an argument, or that it creates."""
    files = paths(compiled)
    for resource in compiled.by_type.get("Exec", ()):
        for created in texts(resource.parameters.get("creates")):
            file = files.get(created)
            # Who makes a folder does not matter.
            if file and is_present(file) and file.parameters.get("ensure") != "directory":
                yield Pair(resource, file, created)
        made = set(texts(resource.parameters.get("creates")))
        for command in texts(resource.parameters.get("command", resource.title)):
            for path in ARGUMENT.findall(command):
                file = files.get(path.rstrip("/"))
                if file is not None and path not in made and is_present(file):
                    yield Pair(file, resource, path)


def checkout_and_file(compiled: Compiled) -> Iterator[Pair]:
    """A checked out repository and a managed file in it: git does not clone into a full folder."""
    checkouts = {path_of(r): r for r in compiled.by_type.get("Vcsrepo", ())}
    for path, file in paths(compiled).items() if checkouts else ():
        above = path.rpartition("/")[0]
        while above:
            if above in checkouts:
                yield Pair(checkouts[above], file, above)
            above = above.rpartition("/")[0]


def paths(compiled: Compiled) -> dict[str, Resource]:
    """Return the managed files by path."""
    return {path_of(resource): resource for resource in compiled.by_type.get("File", ())}


def texts(value: object) -> Iterator[str]:
    """Yield the texts of an attribute, which may be one or several."""
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, str):
            yield one


FINDERS = (
    package_and_service,
    unit_and_service,
    source_and_copy,
    command_and_file,
    checkout_and_file,
)
