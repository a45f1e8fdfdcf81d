"""The parts of some code that are compiled apart, and what the nodes of a site leave out."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from analyzer.compiles.own_code import OwnDefinition
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.modules import Module


@dataclass(frozen=True, slots=True)
class CodePart:
    """A site, a `module`, or code that the nodes of a `site` leave out.

    Code `without_node` is compiled class by class: those that the settings name, or all of a
    module. A part of a site with nodes is a manifest that the site does not read.
    """

    path: str
    settings: Settings
    module: Module | None = None
    without_node: bool = False
    site: CodePart | None = None

    @property
    def is_beside(self) -> bool:
        """Return whether this is a module in which no site looks for code."""
        return self.module is not None and self.without_node

    @property
    def is_unread(self) -> bool:
        """Return whether this is a manifest with node blocks that its site does not read."""
        return self.site is not None and not self.without_node

    @property
    def is_of_file(self) -> bool:
        """Return whether this is a manifest of a site, compiled by itself."""
        return self.site is not None and self.site.path != self.path

    def with_classes(self, names: tuple[str, ...]) -> CodePart:
        """Return some classes and defined types of this code, each compiled by itself."""
        return self.with_settings(replace(self.settings, classes=names))

    def with_settings(self, settings: Settings) -> CodePart:
        """Return the classes and defined types of this code that settings name."""
        return CodePart(self.path, settings, self.module, True, self)


def misplaced_in(
    site: CodePart, modulepath: tuple[str, ...], left: Iterable[OwnDefinition]
) -> Iterator[CodePart]:
    """Yield the files of definitions of a site that Puppet does not find by their names."""
    by_file: dict[str, list[str]] = defaultdict(list)
    for one in sorted(left, key=lambda one: one.name):
        by_file[one.span.file].append(one.name)
    for file, names in by_file.items():
        if os.path.isfile(file):
            settings = replace(site.settings, classes=tuple(names), modulepath=modulepath)
            yield CodePart(file, settings, None, True, site)


def unread_in(
    site: CodePart, modulepath: tuple[str, ...], files: Iterable[str], read: Iterable[str]
) -> Iterator[CodePart]:
    """Yield the manifests with node blocks that are not among those that sites `read`."""
    settings = replace(site.settings, modulepath=modulepath)
    known = set(map(os.path.realpath, read))
    for file in files:
        if os.path.realpath(file) not in known:
            yield CodePart(file, settings, None, False, site)
