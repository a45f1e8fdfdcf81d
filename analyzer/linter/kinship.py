"""Which resources belong together: a package, its configuration files and its service.

Names tell: a file below /etc one of whose path's parts is the name of the package or service,
declared in classes of the same module.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from posixpath import splitext

from analyzer.linter.subjects import Compiled
from analyzer.model.resource import Resource

# Configuration of package managers, of systemd and the like: meant to be there before the package.
ELSEWHERE = re.compile(
    r"/etc/(?:apt|yum|yum\.repos\.d|zypp|dnf|pki|default|sysconfig|facter|systemd|init\.d)(?:/|\Z)"
)

GONE = ("absent", "purged", "latest_absent")


def config_files(compiled: Compiled) -> Iterator[tuple[Resource, str]]:
    """Yield the managed files below /etc, with their paths; no folders and none to be removed."""
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
    """Return what a package, service or config file may be called, without `d` and suffixes."""
    return {stem(name) for name in (name_of(resource), resource.title)} - {""}


def stem(name: str) -> str:
    """Return a name without suffix and version: `ntp` of `ntp.conf`, `php` of `php8.2`."""
    plain = re.sub(r"[-_.]?\d[\d.]*\Z", "", splitext(name)[0].lower())
    return plain.removesuffix("-server").removesuffix(".service")


def belongs(path: str, names: set[str]) -> bool:
    """Tell whether a path below /etc is the configuration of something with one of the names."""
    return any(stem(part) in names for part in path.split("/")[2:])


def is_named_after(path: str, package: Resource) -> bool:
    """Tell whether a path below /etc is in a folder that has exactly the name of a package."""
    parts = path.split("/")
    return len(parts) > 3 and parts[2] == name_of(package)


def is_present(resource: Resource) -> bool:
    """Tell whether a package or file is to be there."""
    return resource.parameters.get("ensure") not in GONE


def same_module(compiled: Compiled, first: Resource, second: Resource) -> bool:
    """Tell whether two resources stand in classes or defines of one module, or in no class."""
    a, b = module(compiled, first), module(compiled, second)
    return a == b


def module(compiled: Compiled, resource: Resource) -> str:
    """Return the module in whose class or define a resource stands."""
    around = compiled.classes_around(resource)
    return module_of(around[0] if around else "")


def module_of(container: str) -> str:
    """Return the module of a class or a define's instance; empty for what is in the site's code."""
    kind, _, title = container.partition("[")
    name = title.rstrip("]") if kind == "Class" else kind
    module = name.partition("::")[0].lower()
    return "" if module in ("main", "node", "stage") else module
