"""Manifests that no catalog has: examples, and those where Puppet does not look."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress

from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.node.environment import lacks_manifests
from analyzer.frontends.puppet.node.modules import CONF, OF_MODULES, is_module, manifests_below
from analyzer.frontends.puppet.node.sites import place_of_manifests, read_config

# Folders of a module with manifests that no catalog has, and the signs of a module beside them.
EXAMPLES = frozenset({"examples", "tests"})
MARKS = ("manifests", "metadata.json")
# Folders of a module with code (pops/loader/loader_paths.rb) or with files for nodes, which may
# apply them; and of an environment with modules.
LOADED = frozenset({
    "manifests", "functions", "types", "plans", "files", "modules", "site", "site-modules", "dist",
})  # fmt: skip

# Names of folders for code that is kept but no longer used.
ARCHIVES = frozenset({"attic", "backup", "backups", "graveyard", "old", "unused"})
# Words of such names, as in `modules-deprecated`.
OF_ARCHIVES = frozenset({"archive", "archived", "archives", "deprecated", "obsolete"})


def archive_around(file: str, inputs: Iterable[str]) -> str:
    """Return the folder of an input that keeps old code and has a file, or an empty string.

    Below a folder that Puppet reads, the name is that of a module or of a part of a name.
    """
    for folder, _ in folders_around(file):
        if is_archive(os.path.basename(folder).lower()) and not is_module(folder):
            above = os.path.dirname(folder)
            root = next((one for one in inputs if is_in(above, [one])), None)
            if root is not None:
                parts = os.path.relpath(folder, os.path.abspath(root)).split(os.sep)
                return folder if LOADED.isdisjoint(parts) else ""
    return ""


def is_archive(name: str) -> bool:
    """Return whether the name of a folder says that it keeps old code."""
    return name in ARCHIVES or not OF_ARCHIVES.isdisjoint(re.split(r"[-_.]", name))


def is_in_no_catalog(file: str, inputs: Collection[str]) -> bool:
    """Return whether a manifest of a module in an input is one that no catalog contains."""
    return is_example(file, inputs) or is_unloaded(file, inputs)


def is_example(file: str, inputs: Iterable[str]) -> bool:
    """Return whether a manifest is an example or a smoke test of a module in an input."""
    for module, parts in folders_around(file):
        marked = parts and parts[-1] in EXAMPLES
        if marked and any(os.path.exists(os.path.join(module, one)) for one in MARKS):
            return is_in(module, inputs)
    return False


def is_unloaded(file: str, inputs: Iterable[str]) -> bool:
    """Return whether a manifest is where Puppet does not look in a module or an environment."""
    if is_beside_site(file):
        return is_in(os.path.dirname(os.path.abspath(file)), inputs)
    for module, parts in folders_around(file):
        if parts[-1:] == ["manifests"] and has_no_module_name(module):
            return is_in(module, inputs)
        if not LOADED.isdisjoint(parts):
            return False
        if os.path.isfile(os.path.join(module, "manifests", "init.pp")) and is_module(module):
            return bool(parts) and is_in(module, inputs)
    return False


def has_no_module_name(module: str) -> bool:
    """Return whether a folder beside modules has a name that Puppet ignores.

    A module of a Forge has its author in the name of its folder until it is deployed.
    """
    folder, name = os.path.split(module)
    above = os.path.basename(folder)
    is_beside_modules = above in OF_MODULES or above.endswith(("-modules", "_modules"))
    has_metadata = os.path.isfile(os.path.join(module, "metadata.json"))
    return is_beside_modules and not has_metadata and not re.fullmatch(r"[a-z]\w*", name)


def is_beside_site(file: str) -> bool:
    """Return whether a manifest is at the top of an environment that has others."""
    folder, name = os.path.split(os.path.abspath(file))
    config = os.path.join(folder, CONF)
    if os.path.isfile(config):
        with suppress(InputError):
            place = os.path.normpath(place_of_manifests(folder, read_config(config)))
            own = place in (folder, os.path.join(folder, name))
            return not (own or lacks_manifests(folder))
    return False


def folders_around(file: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the folders around a file, each with the names of those between, innermost first."""
    place, parts = os.path.dirname(os.path.abspath(file)), list[str]()
    while place != os.path.dirname(place):
        yield place, parts
        place, name = os.path.split(place)
        parts.append(name)


def is_in(folder: str, inputs: Iterable[str]) -> bool:
    """Return whether a folder is one of some inputs or lies in one."""
    paths = (os.path.join(os.path.abspath(one), "") for one in inputs)
    return any(os.path.join(folder, "").startswith(path) for path in paths)


def has_only_examples(path: str) -> bool:
    """Return whether a folder is a module without classes whose other manifests are examples."""
    if not os.path.isfile(os.path.join(path, "metadata.json")):
        return False
    found = {os.path.relpath(file, path).split(os.sep)[0] for file in manifests_below(path)}
    return bool(found & EXAMPLES) and found <= EXAMPLES | {"functions", "types"}
