"""The variables that a level reads to answer for a key: those of paths that lead to the key.

A path with a variable decides about a key only if a file has it that some value of the variable
leads to. So a node's name is no part of the value of a key that no node has in a file of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, combinations
from typing import Any

from analyzer.frontends.puppet.evaluate.ruby import to_s
from analyzer.frontends.puppet.hiera.errors import LookupFault, RubyFault
from analyzer.frontends.puppet.hiera.explain import LookupOutcome, LookupStep, Read
from analyzer.frontends.puppet.hiera.hierarchy import locations as places
from analyzer.frontends.puppet.hiera.interpolation import value_in
from analyzer.frontends.puppet.hiera.scope import LookupScope
from analyzer.frontends.puppet.hiera.sources.files import FilesByKey, ParsedFiles, Reader
from analyzer.frontends.puppet.hiera.sources.parts import note_key
from analyzer.model.values import Unknown
from analyzer.reading import note, noting

# How many files of a path with variables are searched for a key.
MOST_FILES = 64
# How many variables of a path are told apart.
MOST_NAMES = 5
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
        self, level: str, root: str, files: ParsedFiles, reader: Reader | None, scope: LookupScope
    ) -> Iterator[Read]:
        """Yield the variables that decide about a key; `reader` None: no files are known."""
        for name in self.always:
            yield Read((name,))
        note_key(root)
        for path, names in self.paths:
            by_key = files_by_key(path, files, reader) if names and reader else None
            if by_key is None:
                yield from (Read((name,), level, root) for name in names)
            for file in by_key.get(root, ()) if by_key is not None else ():
                for one in leading(path, names, file, scope):
                    yield Read(one, level, root, file)


def leading(path: str, names: list[str], file: str, scope: LookupScope) -> list[tuple[str, ...]]:
    """Return the smallest sets of variables of a path of which other values lead to a file.

    If it leads there now, each variable by itself leads away.
    """
    written, several = list(names_in(path)), list(dict.fromkeys(names))
    each: list[tuple[str, ...]] = [(name,) for name in several]
    values = {name: value_in(scope, name) for name in several}
    is_known = not any(isinstance(value, (dict, list, Unknown)) for value in values.values())
    if set(written) != set(several) or len(several) > MOST_NAMES or not is_known:
        return each
    texts = [one.replace("/", "") for one in places.INTERPOLATION.split(path)]
    found: list[tuple[str, ...]] = []
    for count in range(len(several) + 1):
        for free in combinations(several, count):
            parts = (
                ".*" if name in free else re.escape(to_s(values[name]).replace("/", ""))
                for name in written
            )
            pairs = zip(map(re.escape, texts), (*parts, ""), strict=True)
            expression = re.compile("".join(chain.from_iterable(pairs)), re.DOTALL)
            if expression.fullmatch(file.replace("/", "")):
                found.append(free)
    return each if () in found else smallest(found)


def smallest(sets: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return the sets that have none of the others in them.

    Without a change of one of these, nothing of the others leads to a file.
    """
    found: list[tuple[str, ...]] = []
    for one in sorted(dict.fromkeys(sets), key=len):
        if not any(set(other) <= set(one) for other in found):
            found.append(one)
    return found


def files_by_key(pattern: str, files: ParsedFiles, reader: Reader) -> FilesByKey | None:
    """Return the files that a path may mean by their keys, None if there may be others."""
    known = files.by_pattern.get((pattern, reader))
    if known is None:
        with noting() as notes:
            found = _look_for_keys(pattern, files, reader)
        files.by_pattern[pattern, reader] = found, notes
        return found
    note(known[1])
    return known[0]


def _look_for_keys(pattern: str, files: ParsedFiles, reader: Reader) -> FilesByKey | None:
    found: FilesByKey = {}
    for number, path in enumerate(places.matching(pattern)):
        if path is None or number >= MOST_FILES:
            return None
        try:
            data = files.by_key(path, reader)
        except (LookupFault, RubyFault):
            return None
        if isinstance(data, Unknown):
            return None
        for key in data if isinstance(data, dict) else ():
            found.setdefault(key, []).append(path)
    return found


def deciding(reads: Iterable[Read], steps: Iterable[LookupStep]) -> Iterator[str]:
    """Yield the variables that decide about a lookup, by what it found.

    A path that leads to the one file that has the value anyhow decides nothing.
    """
    had: dict[str, set[tuple[str, str | None]]] = {}
    for step in steps:
        if step.outcome in (LookupOutcome.FOUND, LookupOutcome.UNKNOWN):
            had.setdefault(step.key, set()).add((step.entry, step.location))
    sets = (read.names for read in reads if not leads_to_value(read, had.get(read.root, set())))
    yield from dict.fromkeys(chain.from_iterable(smallest(sets)))


def leads_to_value(read: Read, had: set[tuple[str, str | None]]) -> bool:
    """Return whether it is the file that another level has the value from."""
    if read.file is None or len(had) != 1:
        return False
    ((level, location),) = had
    return level != read.level and location == read.file
