"""What a path is to the lint: a catalog, a manifest, an environment, or modules."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

from analyzer.frontends.puppet.environment import is_environment
from analyzer.reading import read_text

# Folders below which nothing is the project's own, or no manifest.
FOREIGN = frozenset({"fixtures", "vendor", "pkg", "node_modules", "plans"})

# Folders of a module in which its definitions are.
OF_MODULE = frozenset({"manifests", "functions", "types"})

CONF = "environment.conf"

# The ending of policies of CFEngine.
POLICY = ".cf"

# What begins a block of a policy.
BLOCK = re.compile(r"^[\s\ufeff]*(?:bundle|body|promise)\s+\w+\s+\w+", re.MULTILINE)

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
        above = os.path.dirname(os.path.abspath(self.folder))
        return tuple(f for f in (fixtures, shown(above)) if os.path.isdir(f))

    @property
    def siblings(self) -> list[str]:
        """The folders beside its own that are modules too, by what they hold."""
        above = os.path.dirname(os.path.abspath(self.folder))
        held = ("metadata.json", "manifests")
        return [
            entry.path
            for entry in os.scandir(above)
            if not entry.is_symlink() and any(os.path.exists(f"{entry.path}/{h}") for h in held)
        ]

    @property
    def environment(self) -> str | None:
        """The environment that the module lies in: the folder above with an environment.conf."""
        folder = os.path.abspath(self.folder)
        for _ in range(2):
            folder = os.path.dirname(folder)
            if os.path.isfile(os.path.join(folder, CONF)):
                return shown(folder)
        return None


def manifests_below(path: str) -> list[str]:
    """Return a manifest, or the project's own ones of a folder and its folders, sorted."""
    return files_below(path, ".pp")


def policies_below(path: str) -> list[str]:
    """Return a policy of CFEngine, or those of a folder and its folders, sorted."""
    found = files_below(path, POLICY)
    # Others call their files so as well: Postfix has a main.cf.
    return found if found == [path] else [file for file in found if is_policy(file)]


def is_policy(path: str) -> bool:
    """Tell whether a file looks like a policy: a block begins in it."""
    try:
        return BLOCK.search(read_text(path, "replace")) is not None
    except OSError:
        return True


def files_below(path: str, ending: str) -> list[str]:
    """Return a file of a kind, or the project's own ones of a folder and its folders, sorted."""
    if not os.path.isdir(path):
        return [path] if path.endswith(ending) else []
    found = []
    for place, folders, names in os.walk(path):
        folders[:] = sorted(f for f in folders if f not in FOREIGN and not f.startswith("."))
        found += [os.path.join(place, name) for name in names if name.endswith(ending)]
    return sorted(os.path.normpath(name) for name in found)


def programs_in(path: str) -> list[Module] | str:
    """Return the modules that a path is, is in, or is a folder of, else the site to compile.

    That is the environment of a manifest that is one of several, or else the path itself.
    """
    if os.path.isdir(path) and is_module(path):
        return [module_of(path)]
    inside = module_around(path)
    if inside is not None:
        return [module_of(inside)]
    if not os.path.isdir(path):
        return environment_of(path) or path
    if is_environment(path) or os.path.isdir(os.path.join(path, "environments")):
        return path
    below = [os.path.join(path, name) for name in sorted(os.listdir(path))]
    return [module_of(folder) for folder in below if is_module(folder)] or path


def module_around(path: str) -> str | None:
    """Return the folder of the module that a path's definitions are part of."""
    folder = os.path.abspath(path)
    while folder != os.path.dirname(folder):
        if os.path.basename(folder) in OF_MODULE and is_module(os.path.dirname(folder)):
            return shown(os.path.dirname(folder))
        folder = os.path.dirname(folder)
    return None


def is_misnamed(path: str) -> bool:
    """Tell whether a file is in a module whose folder is not called as it is."""
    folder = module_around(path)
    if folder is None:
        return False
    return os.path.basename(os.path.abspath(folder)) != name_of(folder)


def environment_of(path: str) -> str | None:
    """Return the environment whose manifests a manifest is one of, None if there is none."""
    folder = os.path.dirname(os.path.abspath(path))
    while folder != os.path.dirname(folder):
        above = os.path.dirname(folder)
        if os.path.basename(folder) == "manifests":
            return shown(above) if os.path.isfile(os.path.join(above, CONF)) else None
        folder = above
    return None


def shown(path: str) -> str:
    """Return a path as seen from the current folder if it lies below it."""
    here = os.getcwd()
    if path == here:
        return "."
    below = os.path.join(here, "")
    return path[len(below) :] if path.startswith(below) else path


def is_module(folder: str) -> bool:
    """Tell whether a folder is a module: it says so, or its manifests are named after it.

    A control repo may have metadata, too, for its tests.
    """
    manifests = os.path.join(folder, "manifests")
    if not os.path.isdir(manifests) or os.path.exists(os.path.join(folder, CONF)):
        return False
    if os.path.isfile(os.path.join(folder, "metadata.json")):
        return True
    name = name_of(folder)
    return any(c.partition("::")[0] == name for c in classes_in(manifests_below(manifests)))


def module_of(folder: str) -> Module:
    """Return the module in a folder that is one."""
    manifests = manifests_below(os.path.join(folder, "manifests"))
    name = name_of(folder)
    names = [c for c in classes_in(manifests) if c.partition("::")[0] == name]
    return Module(os.path.normpath(folder), name, tuple(names))


def name_of(folder: str) -> str:
    """Return the name of a module: as its metadata have it, else as its folder is called."""
    try:
        full = json.loads(read_text(os.path.join(folder, "metadata.json")))["name"]
        return re.split(r"[-/]", full)[-1]
    except (OSError, ValueError, KeyError, TypeError):
        return os.path.basename(os.path.abspath(folder)).rpartition("-")[2]


def classes_in(manifests: list[str]) -> Iterator[str]:
    """Yield the names of the classes that manifests define, as far as a glance shows."""
    seen: set[str] = set()
    for path in manifests:
        try:
            found = CLASS.findall(read_text(path, "replace"))
        except OSError:
            continue
        for name in found:
            if name not in seen:
                seen.add(name)
                yield name
