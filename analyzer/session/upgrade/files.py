"""The files of the code itself: manifests, templates, Hiera configurations and data."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.modules import files_below, manifests_below
from analyzer.frontends.puppet.node.unloaded import is_in_no_catalog
from analyzer.frontends.puppet.syntax.cache import user_cache
from analyzer.frontends.puppet.syntax.checked import check_cached
from analyzer.linter.puppet.subjects import Manifest, manifest_of
from analyzer.linter.texts import Names, Texts
from analyzer.linter.vendored import Vendored
from analyzer.reach import RealPaths

DATA_ENDINGS = (".yaml", ".yml", ".eyaml", ".json")
# Folders of data, by their names at any level.
OF_DATA = frozenset({"data", "hieradata", "hiera", "hiera.d"})
HIERA = "hiera.yaml"


@dataclass(frozen=True)
class OwnFiles:
    """The texts of the code at a path without modules of others, in the user's spelling."""

    path: str
    settings: Settings

    @cached_property
    def _texts(self) -> Texts:
        real, roots = RealPaths(), self.settings.roots(self.path)
        return Texts(None, lambda file: real.is_below(file, roots))

    @cached_property
    def _others(self) -> Vendored:
        return Vendored([self.path], RealPaths())

    @cached_property
    def _names(self) -> Names:
        return Names([self.path])

    def _own(self, files: list[str]) -> Iterator[tuple[str, str]]:
        """Yield the files that are the code's own, with their texts."""
        for file in sorted(map(self._names.of, files)):
            text = None if self._others.module_of(file) else self._texts.get(file)
            if text is not None:
                yield file, text

    def manifests(self) -> Iterator[Manifest]:
        """Yield the manifests that can be parsed."""
        for file, text in self._own(manifests_below(self.path)):
            found = None if is_in_no_catalog(file, [self.path]) else manifest_of(file, text)
            if found is not None:
                yield found

    def templates(self, ending: str) -> Iterator[tuple[str, str]]:
        """Yield the templates with an ending, and their texts."""
        yield from self._own(files_below(self.path, ending))

    def puppet_templates(self) -> Iterator[Manifest]:
        """Yield the templates in the Puppet language that can be parsed."""
        for file, text in self.templates(".epp"):
            tree = check_cached(text, file, epp=True, cache=user_cache()).tree
            if tree is not None:
                yield Manifest(file, text, tree)

    def data(self) -> Iterator[tuple[str, str]]:
        """Yield the Hiera configurations and the files of data, with their texts."""
        files = [file for ending in DATA_ENDINGS for file in files_below(self.path, ending)]
        yield from self._own([one for one in files if self.is_data(one)])

    def is_data(self, file: str) -> bool:
        """Return whether a file is read by Hiera, as far as its name and its folders say."""
        parts = os.path.relpath(file, self.path).split(os.sep)
        return parts[-1] == HIERA or not OF_DATA.isdisjoint(parts[:-1])
