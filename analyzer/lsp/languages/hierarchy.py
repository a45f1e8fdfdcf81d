"""The levels of the hierarchy of a data file, as `hiera.yaml` lists them."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import PurePath
from typing import Any, NamedTuple

from analyzer.formats.yaml_reader import YamlError, load
from analyzer.lsp.state.snapshot import Snapshot

LOCATIONS = ("path", "paths", "glob", "globs", "mapped_paths")
# How many folders above a data file are searched for hiera.yaml.
MOST_ABOVE = 12
DEPLOYED = re.compile(r"^.*/environments/(?:%\{[^}]*\}|[^/]+)/?")
INTERPOLATION = re.compile(r"%\{[^}]*\}")
WILD = re.compile(r"%\{[^}]*\}|\*\*/|[*?]+")


class LevelPath(NamedTuple):
    """A path of a level: its constant parts, and whether it is the same for all nodes."""

    parts: tuple[str, ...]
    constant: bool

    def has(self, path: str) -> bool:
        """Return whether a file may belong to the level; any text may separate the parts."""
        first, last = self.parts[0], self.parts[-1]
        if len(self.parts) == 1:
            return path == first
        at, end = len(first), len(path) - len(last)
        if not path.startswith(first) or not path.endswith(last):
            return False
        for part in self.parts[1:-1]:
            found = path.find(part, at)
            if found < 0:
                return False
            at = found + len(part)
        return at <= end


def levels_of(snapshot: Snapshot, path: str) -> tuple[LevelPath, ...]:
    """Return the levels of the nearest hiera.yaml above a file, the highest first."""
    for folder in map(str, [*PurePath(path).parents][:MOST_ABOVE]):
        config = os.path.join(folder, "hiera.yaml")
        if os.path.isfile(config) and config != path:
            return read_levels(snapshot.text(config), folder)
    return ()


@lru_cache(maxsize=32)
def read_levels(text: str, folder: str) -> tuple[LevelPath, ...]:
    """Return the levels in a text of version 5; other versions are not read."""
    config = value_of(text)
    if not isinstance(config, dict) or config.get("version") != 5:
        return ()
    defaults = config.get("defaults")
    common = defaults.get("datadir") if isinstance(defaults, dict) else None
    rows = config.get("hierarchy")
    return tuple(
        level_of(folder, str(row.get("datadir") or common or "data"), str(one), kind)
        for row in (rows if isinstance(rows, list) else ())
        if isinstance(row, dict)
        for kind in LOCATIONS
        for one in listed(row.get(kind))[2 * (kind == "mapped_paths") :]
    )


def listed(value: Any) -> list[Any]:
    """Return a value as a list; that of `mapped_paths` ends with the template."""
    return value if isinstance(value, list) else [] if value is None else [value]


def level_of(folder: str, datadir: str, written: str, kind: str) -> LevelPath:
    """Return a level; a part that differs between nodes matches any text."""
    # On a server, the checkout is deployed as an environment.
    here = DEPLOYED.sub("", datadir) or "."
    whole = os.path.normpath(os.path.join(folder, here, written))
    constant = kind in ("path", "paths") and not INTERPOLATION.search(whole)
    wild = WILD if "glob" in kind else INTERPOLATION
    return LevelPath(tuple(wild.split(whole)), constant)


def is_data(levels: tuple[LevelPath, ...], path: str) -> bool:
    """Return whether a file is data: of a level, or in a folder `hieradata`."""
    return number_of(levels, path) >= 0 or "hieradata" in PurePath(path).parts


def number_of(levels: tuple[LevelPath, ...], path: str) -> int:
    """Return the number of the first level that a file belongs to, -1 for none."""
    found = (number for number, one in enumerate(levels) if one.has(path))
    return next(found, -1)


@lru_cache(maxsize=256)
def value_of(text: str) -> Any:
    """Return the value of a YAML text, None if it is not valid."""
    try:
        return load(text, "")
    except (YamlError, RecursionError):
        return None
