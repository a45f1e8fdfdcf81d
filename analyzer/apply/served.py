"""The files that folders with `recurse` get from modules, found without looking at the machine."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from analyzer.apply.host import EMPTY, Host, Stat
from analyzer.apply.provider import ProviderError
from analyzer.apply.providers.files.file_recursion import remote
from analyzer.apply.providers.files.file_wanted import FileWanted
from analyzer.apply.providers.files.sources import FileSources, ModuleFile, SourcePlace
from analyzer.model.catalog import Catalog
from analyzer.model.completeness import Gap
from analyzer.model.resource import Resource, with_parameters
from analyzer.model.values import Unknown
from analyzer.reach import may_read, roots_of, within

# Files of one folder, and of all folders of a catalog; Puppet warns from 1,000 in a folder on.
MOST_FILES = 1_000
MOST_IN_ALL = 10_000

RECURSING = frozenset((True, "true", "remote"))

# How errors begin at which Puppet brings none of the files, and goes on: there are more than
# `max_files`, a name cannot be part of a source, a link that is followed leads nowhere.
REFUSALS = "The directory ", "Parameter source failed "

# What decides which files there are.
DECIDING = frozenset(("path", "recurse", "recurselimit", "max_files", "ignore", "links", "source"))
DECIDING |= {"sourceselect"}


def with_served(catalog: Catalog, path: str = "", modulepath: Sequence[str] = ()) -> Catalog:
    """Return a catalog that has the files which its folders get from modules, and what is not known
    of that.

    A compiled catalog knows its modules; those of the one in the file `path` are in `modulepath`.
    """
    folders = [one for one in catalog.resources if is_recursing(one)]
    if not folders:
        return catalog
    if catalog.modules is not None:
        modulepath, roots = catalog.modules
    else:
        roots = roots_of([path] if path else (), modulepath)
    left = MOST_IN_ALL
    served = {}
    unserved = []
    with within(roots):
        for folder in folders:
            try:
                found = files_of(folder, modulepath, min(left, MOST_FILES))
            except UnknownContent as unseen:
                unserved.append(Gap("folder", str(folder), str(unseen), folder.span, hides=False))
                continue
            served[str(folder)] = found
            left -= len(found)
    catalog.served, catalog.unserved = served, tuple(unserved)
    return catalog


def is_recursing(resource: Resource) -> bool:
    """Return whether a resource takes what is in a folder from a source, or may do so."""
    given = resource.parameters
    if resource.type != "File" or given.get("source") is None:
        return False
    recurse = given.get("recurse")
    return isinstance(recurse, Unknown) or (
        isinstance(recurse, bool | str) and recurse in RECURSING
    )


def files_of(
    folder: Resource, modulepath: Iterable[str], most: int
) -> tuple[tuple[str, dict[str, object]], ...]:
    """Return the files that a folder gets: relative path, and the parameters that are its own.

    Raises:
        UnknownContent: they are not known.
    """
    given = {name: value for name, value in folder.parameters.items() if name in DECIDING}
    sources = ModuleSources(tuple(modulepath), budget=NameBudget(most))
    try:
        found = remote(FileWanted(with_parameters(folder, given)), EMPTY, sources)
    except (ProviderError, OSError) as error:
        if isinstance(error, FileNotFoundError) or str(error).startswith(REFUSALS):
            return ()
        raise UnknownContent(str(error)) from None
    return tuple(sorted(found.items()))


class UnknownContent(Exception):
    """It is not known which files a folder gets; the text says why."""


class NameBudget:
    """Counts the names that may still be looked at."""

    def __init__(self, most: int) -> None:
        self.most = self.left = most

    def spend(self, names: list[str]) -> list[str]:
        """Return names that were found.

        Raises:
            UnknownContent: there are too many.
        """
        self.left -= len(names)
        if self.left < 0:
            raise UnknownContent(f"its source holds more than {self.most:,} files")
        return names


@dataclass(frozen=True, slots=True)
class ModuleSources(FileSources):
    """Finds what is in modules, and nothing else."""

    budget: NameBudget = field(default_factory=lambda: NameBudget(MOST_FILES))

    def place(self, host: Host, source: str) -> SourcePlace | None:
        """Return where a source is.

        Raises:
            UnknownContent: it is in none of the modules.
        """
        found = FileSources.place(self, host, source)
        if not isinstance(found, ModuleFile):
            where = "the machine has its source" if found else "its module is not in the modulepath"
            raise UnknownContent(f"{where}: {source}")
        return ReachableFile(found.files, found.path, self.budget)


@dataclass(frozen=True, slots=True)
class ReachableFile(ModuleFile):
    """A file of a module, as far as that may be read."""

    budget: NameBudget

    def stat(self, links: str) -> Stat | None:
        """Return the entry.

        Raises:
            UnknownContent: a link is to be followed to a place that may not be read.
        """
        if links == "follow" and not self._may_be_read:
            raise UnknownContent("its source has a link that leads out of what may be read")
        return ModuleFile.stat(self, links)

    def served(self, links: str) -> Stat | None:
        """Return the entry for a client; a link out of the module need not lead to anything."""
        if links != "follow" and self.path and not self._may_be_read:
            return ModuleFile.stat(self, links)
        return ModuleFile.served(self, links)

    def names(self) -> list[str]:
        """Return the entries of the folder.

        Raises:
            UnknownContent: they are too many, or may not be read.
        """
        if not self._may_be_read:
            raise UnknownContent("its source may not be read")
        with os.scandir(self._full) as entries:
            names = [entry.name for entry in islice(entries, self.budget.left + 1)]
        return sorted(self.budget.spend(names))

    def inside(self, name: str) -> SourcePlace:
        """Return the entry of the folder with a name."""
        return ReachableFile(self.files, posixpath.join(self.path, name), self.budget)

    @property
    def _may_be_read(self) -> bool:
        return may_read(self._full)
