"""Finds the modules of the target's Puppetfile: what is installed in the version that it wants."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from analyzer.frontends.puppet.node.declared import Declarations, DeclaredModule, is_installed
from analyzer.model.completeness import Gap
from analyzer.session.repository.bounds import metadata_of, range_of
from analyzer.session.repository.modules import Inventory

EMPTY = "manifests"
HINT = "--to-modulepath DIRS with it, or --install"


@dataclass(frozen=True, slots=True)
class NewModules:
    """The modules that a new Puppetfile asks for, and what of them is there.

    `absent` are those that are nowhere in the wanted version, each with the version that is
    installed, which may be empty. `removed` are installed modules that only the old one asks for.
    """

    declarations: Declarations
    absent: Mapping[str, str]
    removed: tuple[str, ...]

    @property
    def names(self) -> frozenset[str]:
        """Return the names of the declared modules."""
        return frozenset(self.declarations.modules)

    def gaps(self) -> Iterator[Gap]:
        """Yield a gap for each module that is compared in another version than the wanted one.

        One that is not there at all is a gap of the code that uses it.
        """
        for name, version in self.absent.items():
            module = self.declarations.modules[name]
            if version:
                wanted = f"{module.full} {module.version}".rstrip()
                reason = f"is not installed: {version} is compared in its place"
                yield Gap("assumption", wanted, reason, module.span, HINT)


def find_modules(
    declarations: Declarations, inventory: Inventory, folders: Sequence[str]
) -> NewModules:
    """Return the inventory of the modules of a new Puppetfile.

    `inventory` is the one of the site, `folders` hold modules of the target and count first.
    """
    given = modules_in(folders)
    absent: dict[str, str] = {}
    for name, module in declarations.modules.items():
        folder = given.get(name) or inventory.installed.get(name)
        if folder is None:
            if module.means != "local":
                absent[name] = ""
            continue
        if not fits(module, folder) or not (name in given or is_same(module, inventory)):
            version = metadata_of(name, folder).version
            absent[name] = str(version or "another version")
    old_ones = inventory.declarations.modules
    removed = [
        name
        for name in inventory.installed
        if name in old_ones and name not in declarations.modules and name not in given
    ]
    return NewModules(declarations, absent, () if declarations.computed else tuple(removed))


def fits(module: DeclaredModule, folder: str) -> bool:
    """Return whether the metadata in a folder has the wanted version, where that is a version."""
    wanted = range_of(module.version) if module.means == "forge" else None
    version = metadata_of(module.name, folder).version
    return wanted is None or (version is not None and version in wanted)


def is_same(module: DeclaredModule, inventory: Inventory) -> bool:
    """Return whether what a site has of a module is what is wanted now.

    Metadata do not name the commit of git that a folder is from.
    """
    old = inventory.declarations.modules.get(module.name)
    same = old is not None and (old.source, old.version) == (module.source, module.version)
    return module.means in ("forge", "local") or same


def modules_in(folders: Sequence[str]) -> dict[str, str]:
    """Return the folders of modules by name; the first one counts."""
    found: dict[str, str] = {}
    for folder in folders:
        for name in sorted(os.listdir(folder)):
            place = os.path.join(folder, name)
            if os.path.isdir(place) and is_installed(place):
                found.setdefault(name, place)
    return found


def hide_modules(names: Sequence[str], folder: str) -> None:
    """Make empty modules in a folder, which hide those of the same names in later folders."""
    for name in names:
        os.makedirs(os.path.join(folder, name, EMPTY))
