"""The variables that a level reads to answer for a key: those of paths that lead to the key.

A path with a variable decides about a key only if a file has it that some value of the variable
leads to. So a node's name is no part of the value of a key that no node has in a file of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from analyzer.frontends.puppet.hiera.errors import LookupFault, RubyFault
from analyzer.frontends.puppet.hiera.explain import LookupOutcome, LookupStep, Read
from analyzer.frontends.puppet.hiera.hierarchy import locations as places
from analyzer.frontends.puppet.hiera.sources.files import ParsedFiles, Reader
from analyzer.frontends.puppet.hiera.sources.parts import note_key
from analyzer.model.values import Unknown

# How many files of a path with variables are searched for a key.
MOST_FILES = 64
EXPRESSION = re.compile(r"%\{([^}]*)\}")
SCOPE_CALL = re.compile(r"""^scope\(["']([^"']+)["']\)$""")


def names_in(value: Any) -> Iterator[str]:
    """Yield the variables that a text names in `%{}`, or the texts of an array or hash."""
    if isinstance(value, str):
        for inner in EXPRESSION.findall(value):
            call = SCOPE_CALL.match(inner.strip())
            yield call[1] if call else inner.strip()
    elif isinstance(value, dict):
        for one in (*value, *value.values()):
            yield from names_in(one)
    elif isinstance(value, list):
        for one in value:
            yield from names_in(one)


@dataclass(slots=True)
class Readings:
    """The variables of a level: those that are `always` read, and those of each path."""

    always: list[str] = field(default_factory=list)
    paths: list[tuple[str, list[str]]] = field(default_factory=list)

    def add(self, datadir: object, declared: Iterable[str], extension: str = "") -> None:
        """Add paths below a folder; what an unknown folder has is read always."""
        for one in declared:
            names = list(names_in(one))
            end = "" if one.endswith(extension) else extension
            if isinstance(datadir, str):
                self.paths.append((places.join(datadir, one + end), names))
            else:
                self.always += names

    def all_names(self) -> Iterator[str]:
        """Yield the variables."""
        yield from self.always
        for _, names in self.paths:
            yield from names

    def reads(
        self, level: str, root: str, files: ParsedFiles, reader: Reader | None
    ) -> Iterator[Read]:
        """Yield the variables that decide about a key; `reader` None: no files are known."""
        for name in self.always:
            yield Read(name)
        for path, names in self.paths:
            found = files_with(root, path, files, reader) if names and reader else None
            if found is None or found:
                for name in names:
                    yield Read(name, level, root, found)


def files_with(
    root: str, pattern: str, files: ParsedFiles, reader: Reader
) -> tuple[str, ...] | None:
    """Return the files with a key that a path may mean, None if there may be more."""
    note_key(root)
    found: list[str] = []
    for number, path in enumerate(places.matching(pattern)):
        if path is None or number >= MOST_FILES:
            return None
        try:
            data = files.by_key(path, reader)
        except (LookupFault, RubyFault):
            return None
        if isinstance(data, Unknown):
            return None
        if isinstance(data, dict) and root in data:
            found.append(path)
    return tuple(found)


def deciding(reads: Iterable[Read], steps: Iterable[LookupStep]) -> Iterator[str]:
    """Yield the variables that decide about a lookup, by what it found.

    A path that can only lead to the one file that has the value anyhow decides nothing.
    """
    had: dict[str, set[tuple[str, str | None]]] = {}
    for step in steps:
        if step.outcome in (LookupOutcome.FOUND, LookupOutcome.UNKNOWN):
            had.setdefault(step.key, set()).add((step.entry, step.location))
    for read in dict.fromkeys(reads):
        places_of_key = had.get(read.root, ())
        if read.files is not None and len(read.files) == len(places_of_key) == 1:
            ((level, location),) = places_of_key
            if level != read.level and location == read.files[0]:
                continue
        yield read.name
