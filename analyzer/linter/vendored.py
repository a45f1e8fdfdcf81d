"""Finds modules that a repository uses but does not own: declared, fetched or vendored ones.

The evidence is on disk: a Puppetfile and its moduledir, the test fixtures, the name of the module's
folder, files of an installer, and the source in its metadata.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from functools import cached_property

from analyzer.folders import exists
from analyzer.frontends.puppet.node.declared import (
    FIXTURES,
    METADATA,
    PUPPETFILE,
    Declarations,
    DeclaredModule,
    declared_at,
)
from analyzer.reach import RealPaths
from analyzer.reading import read_text

# Names of folders for other people's code, with or without a Puppetfile.
FOLDER = re.compile(r"vendor|vendor[-_.]\w+|vendored|third[-_]?party|3rd[-_]?party|fixtures")

# Files of `puppet module install` and r10k in a module: checksums of a release, a checkout.
INSTALLED = ("checksums.json", ".git")


class Vendored:
    """Decides which files are not the repository's own; files that the user names are its own."""

    def __init__(self, paths: Iterable[str], real: RealPaths) -> None:
        self.named = [os.path.realpath(path) for path in paths if path != "-"]
        self._real = real
        self._folders: dict[str, str] = {}
        self._repositories: dict[str, Repository | None] = {}

    def module_of(self, file: str) -> str:
        """Return the folder of the vendored module that contains a file, or an empty string."""
        place = self._real.of(file)
        return "" if place in self.named else self._module_around(os.path.dirname(place))

    def _module_around(self, folder: str) -> str:
        """Return the folder of the vendored module that is a folder or above it."""
        met, found = [], None
        while folder not in self._folders and found is None:
            met.append(folder)
            found = self._find(folder)
            folder = os.path.dirname(folder)
        found = self._folders[folder] if found is None else found
        self._folders.update(dict.fromkeys(met, found))
        return found

    def _find(self, folder: str) -> str | None:
        """Return a folder if it is a vendored module, empty if none is above it, else None."""
        above = os.path.dirname(folder)
        if folder == above or folder in self.named:
            return ""
        below = any(within(above, name) and name != above for name in self.named)
        if below and FOLDER.fullmatch(os.path.basename(above).lower()):
            return folder
        repository = self._repository_of(above)
        return folder if repository and repository.is_foreign(folder, inside=below) else None

    def _repository_of(self, folder: str) -> Repository | None:
        """Return the nearest repository at or above a folder."""
        if folder not in self._repositories:
            above = os.path.dirname(folder)
            if any(exists(folder, name) for name in MARKS):
                self._repositories[folder] = Repository(folder)
            else:
                self._repositories[folder] = None if above == folder else self._repository_of(above)
        return self._repositories[folder]


class Repository:
    """A checkout, and the modules that its files declare."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    @cached_property
    def declarations(self) -> Declarations:
        """Return the modules that the files declare."""
        return declared_at(self.folder)

    @cached_property
    def moduledir(self) -> str | None:
        """Return the folder that only the Puppetfile manages, or None if it names none.

        The default is `modules`, in which many repositories also keep their own modules.
        """
        place = self.declarations.folder
        return None if place == "modules" else os.path.join(self.folder, os.path.normpath(place))

    def is_foreign(self, folder: str, *, inside: bool) -> bool:
        """Return whether a folder is a module that the repository does not own.

        `inside` is true if the user did not name the folder around it.
        """
        if not (exists(folder, "manifests") and os.path.isdir(os.path.join(folder, "manifests"))):
            return False
        if inside and os.path.dirname(folder) == self.moduledir:
            return True
        declared = self.declarations.modules.get(name_of(folder))
        if declared is not None and is_fetched(declared):
            named = metadata_of(folder).get("name") if declared.owner else None
            is_copy = isinstance(named, str) and re.split(r"[-/]", named)[0] == declared.owner
            # A copy that has stayed elsewhere names its own repository.
            is_copy = is_copy and is_published(folder)
            if is_copy or self._is_place_of(declared, folder):
                return True
        if any(exists(folder, name) for name in INSTALLED):
            return True
        return is_release(folder) or (not self._is_of_site(folder) and is_published(folder))

    def _is_of_site(self, folder: str) -> bool:
        """Return whether a module is in a folder of its own beside that of the Puppetfile."""
        listed = any(os.path.basename(file) == PUPPETFILE for file in self.declarations.files)
        place = os.path.join(self.folder, self.declarations.folder)
        return listed and os.path.dirname(folder) != os.path.normpath(place)

    def _is_place_of(self, module: DeclaredModule, folder: str) -> bool:
        """Return whether a declared module would be installed into a folder."""
        wanted = module.path or self.declarations.folder
        return os.path.dirname(folder) == os.path.normpath(os.path.join(self.folder, wanted))


def within(path: str, place: str) -> bool:
    """Return whether a path is a folder or lies below it."""
    return path == place or path.startswith(os.path.join(place, ""))


# Names at the top of a repository of Puppet code.
MARKS = (PUPPETFILE, FIXTURES, "environment.conf", ".git")


def is_fetched(module: DeclaredModule) -> bool:
    """Return whether a declared module comes from elsewhere; `local: true` has no origin."""
    return bool(module.owner or module.source or module.version)


def name_of(folder: str) -> str:
    """Return the name of a module from its folder."""
    return os.path.basename(folder).rpartition("-")[2]


def metadata_of(folder: str) -> dict[str, object]:
    """Return the metadata of a module, empty if it has none that can be read."""
    try:
        document = json.loads(read_text(os.path.join(folder, METADATA), "replace"))
    except (OSError, ValueError):
        return {}
    return document if isinstance(document, dict) else {}


def is_release(folder: str) -> bool:
    """Return whether a module has the checksums of its files, as `puppet module build` writes."""
    return isinstance(metadata_of(folder).get("checksums"), dict)


def is_published(folder: str) -> bool:
    """Return whether the metadata of a module names its own repository.

    That has the name of the module: `https://github.com/owner/puppet-ntp`.
    """
    name, source = map(metadata_of(folder).get, ("name", "source"))
    if not isinstance(name, str) or not isinstance(source, str) or "/" not in source:
        return False
    short = re.split(r"[-/]", name)[-1]
    repository = source.rstrip("/").removesuffix(".git").rpartition("/")[2]
    return re.fullmatch(rf"(?:[\w.]+-)*{re.escape(short)}", repository) is not None
