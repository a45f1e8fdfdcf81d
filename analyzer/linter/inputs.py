"""What a path is to the lint: a catalog, a manifest, an environment, or modules."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

from analyzer.frontends.puppet.environment import is_environment

# Folders below which nothing is the project's own.
FOREIGN = frozenset({"fixtures", "vendor", "pkg", "node_modules"})

CLASS = re.compile(r"^\s*class\s+(?:::)?([a-z]\w*(?:::\w+)*)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Module:
    """A module on disk: its folder, the name that its classes begin with, and those classes."""

    folder: str
    name: str
    classes: tuple[str, ...]

    @property
    def neighbours(self) -> tuple[str, ...]:
        """Folders in which the modules that it needs may be."""
        fixtures = os.path.join(self.folder, "spec", "fixtures", "modules")
        return tuple(f for f in (fixtures, os.path.dirname(self.folder) or ".") if os.path.isdir(f))


def manifests_below(path: str) -> list[str]:
    """Return a manifest, or the project's own ones of a folder and its folders, sorted."""
    if not os.path.isdir(path):
        return [path] if path.endswith(".pp") else []
    found = []
    for place, folders, names in os.walk(path):
        folders[:] = sorted(f for f in folders if f not in FOREIGN and not f.startswith("."))
        found += [os.path.join(place, name) for name in names if name.endswith(".pp")]
    return sorted(os.path.normpath(name) for name in found)


def modules_in(path: str) -> list[Module]:
    """Return the modules that a path is, is in, or is a folder of; none for manifests of a site."""
    if not os.path.isdir(path):
        folder = os.path.dirname(os.path.abspath(path))
        while os.path.basename(folder) not in ("manifests", ""):
            folder = os.path.dirname(folder)
        above = shown(os.path.dirname(folder)) if folder != os.sep else ""
        return list(modules_of([above])) if above and is_module(above) else []
    if is_module(path):
        return list(modules_of([path]))
    if is_environment(path) or os.path.isdir(os.path.join(path, "environments")):
        return []
    below = [os.path.join(path, name) for name in sorted(os.listdir(path))]
    return list(modules_of([folder for folder in below if is_module(folder)]))


def shown(path: str) -> str:
    """Return a path as seen from the current folder if it lies below it."""
    here = os.path.join(os.getcwd(), "")
    return path[len(here) :] if path.startswith(here) else path


def is_module(folder: str) -> bool:
    """Tell whether a folder is a module: it says so, or its manifests are named after it."""
    if os.path.isfile(os.path.join(folder, "metadata.json")):
        return os.path.isdir(os.path.join(folder, "manifests"))
    if os.path.exists(os.path.join(folder, "environment.conf")):
        return False
    manifests = os.path.join(folder, "manifests")
    if not os.path.isdir(manifests):
        return False
    name = name_of(folder)
    return any(c.partition("::")[0] == name for c in classes_in(manifests_below(manifests)))


def modules_of(folders: list[str]) -> Iterator[Module]:
    """Yield the modules in folders that are ones."""
    for folder in folders:
        manifests = manifests_below(os.path.join(folder, "manifests"))
        name = name_of(folder)
        names = [c for c in classes_in(manifests) if c.partition("::")[0] == name]
        yield Module(os.path.normpath(folder), name, tuple(names))


def name_of(folder: str) -> str:
    """Return the name of a module: as its metadata have it, else as its folder is called."""
    try:
        with open(os.path.join(folder, "metadata.json"), encoding="utf-8") as file:
            full = json.load(file)["name"]
        return re.split(r"[-/]", full)[-1]
    except (OSError, ValueError, KeyError, TypeError):
        return os.path.basename(os.path.abspath(folder)).rpartition("-")[2]


def classes_in(manifests: list[str]) -> list[str]:
    """Return the names of the classes that manifests define, as far as a glance shows."""
    found = []
    for path in manifests:
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                found += CLASS.findall(file.read())
        except OSError:
            continue
    return list(dict.fromkeys(found))
