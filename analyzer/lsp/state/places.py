"""Finds the modules of a file's environment, always by the rules of the compiler."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING

from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.node.declared import DeclaredModule, declared_in
from analyzer.frontends.puppet.node.environment import (
    Environment,
    Settings,
    declaring_folders,
    environment_above,
    of_folder,
)
from analyzer.frontends.puppet.node.modules import (
    Module,
    environment_around,
    module_around,
)
from analyzer.frontends.puppet.node.sites import modulepath_around, name_of
from analyzer.lsp.index.calls import OWN
from analyzer.session.settings import config_for, settings_of

if TYPE_CHECKING:
    from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable


@dataclass(slots=True)
class EnvironmentsOfFolders:
    """The environments and modules of folders; made again when files are added or removed."""

    roots: tuple[str, ...] = ()
    _tables: dict[tuple[str, ...], DefinitionTable] = field(default_factory=dict)
    _environments: dict[str, Environment | None] = field(default_factory=dict)
    _folders: dict[str, str | None] = field(default_factory=dict)
    _modulepaths: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _around: dict[str, tuple[str, ...] | None] = field(default_factory=dict)

    def environment(self, path: str) -> Environment | None:
        """Return the environment that a file is compiled in, None if it is unknown."""
        folder = os.path.dirname(path)
        if folder not in self._environments:
            self._environments[folder] = self._find(path)
        return self._environments[folder]

    def _find(self, path: str) -> Environment | None:
        try:
            settings = self.settings(path)
            folder = self.module_folder(path)
            if folder is not None:
                module = Module(os.path.abspath(folder), name_of(folder), ())
                return environment_around(module, settings)
            above = environment_above(path) or self.environment_folder(path)
            return None if above is None else of_folder(above, (), settings)
        except (InputError, OSError):
            return None

    def settings(self, path: str) -> Settings:
        """Return the settings of the nearest `catgraph.toml`.

        Raises:
            InputError: the file is invalid.
        """
        return settings_of(config_for(path), {})

    def module_folder(self, path: str) -> str | None:
        """Return the folder of the module that a file of any kind is in."""
        folder = os.path.dirname(path)
        if folder not in self._folders:
            self._folders[folder] = module_folder(path)
        return self._folders[folder]

    def environment_folder(self, path: str) -> str | None:
        """Return the folder of the environment above a file, or its workspace folder."""
        for folder in map(str, PurePath(path).parents):
            if os.path.isfile(os.path.join(folder, "environment.conf")):
                return folder
            if os.path.basename(os.path.dirname(folder)) == "environments":
                return folder
            if folder in self.roots:
                return folder
        return None

    def module(self, name: str, path: str) -> str | None:
        """Return the folder of a module, as seen from a file; None if there is none."""
        own = self.module_folder(path)
        if own is not None and name_of(own) == name:
            return own
        modulepath = self.modulepath(path)
        if modulepath not in self._tables:
            from analyzer.frontends.puppet.compiler.definitions.table import DefinitionTable

            self._tables[modulepath] = DefinitionTable(modulepath)
        return self._tables[modulepath].module(name)

    def declared(self, name: str, path: str) -> DeclaredModule | None:
        """Return a module that the repository of a file asks for, None if it does not."""
        environment = self.environment(path)
        folder = environment.folder if environment else None
        return declared_in(declaring_folders(folder)).modules.get(name)

    def modulepath(self, path: str) -> tuple[str, ...]:
        """Return the module path of a file's environment; neighbouring modules share it."""
        own = self.module_folder(path)
        folder = os.path.dirname(path if own is None else own)
        if folder not in self._modulepaths:
            found = self.environment(path)
            parts = found.modulepath if found else ()
            self._modulepaths[folder] = tuple(map(os.path.abspath, parts))
        return self._modulepaths[folder]

    def autoloaded(self, path: str) -> tuple[str, ...] | None:
        """Return the module path if a file is in a module of an environment, else None."""
        folder = os.path.dirname(path)
        if folder not in self._around:
            try:
                self._around[folder] = modulepath_around(folder)
            except InputError:
                self._around[folder] = None
        return self._around[folder]

    def file(self, kind: str, name: str, path: str) -> str | None:
        """Return the file that `template`, `epp` or `file` finds for `module/path`."""
        module, _, rest = name.partition("/")
        folder = self.module_folder(path) if module == OWN else self.module(module, path)
        if folder is None or not rest or ".." in PurePath(rest).parts:
            return None
        found = os.path.join(folder, "files" if kind == "file" else "templates", rest)
        return found if os.path.isfile(found) else None


def module_folder(path: str) -> str | None:
    """Return the folder of a file's module, by its definitions or by its place."""
    found = module_around(path)
    if found is not None:
        return os.path.abspath(found)
    for folder in PurePath(path).parents:
        if folder.parent.name in ("modules", "site-modules", "site"):
            return str(folder)
    return None
