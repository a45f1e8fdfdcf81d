"""Files that a repository leaves out by `.gitignore`: they are there only where it is used."""

from __future__ import annotations

import os
from collections.abc import Iterator
from fnmatch import fnmatchcase

from analyzer.frontends.puppet.node.sites import all_above
from analyzer.reach import may_read
from analyzer.reading import read_text

# A file of more lines is none that somebody wrote.
MOST_LINES = 2_000


def is_left_out(path: str) -> bool:
    """Return whether a file of a repository is left out of it, as far as may be read."""
    place = os.path.abspath(path)
    for folder in all_above(place):
        lines = lines_of(os.path.join(folder, ".gitignore"))
        parts = os.path.relpath(place, folder).split(os.sep)
        if lines and is_named(parts, lines):
            return True
        if os.path.exists(os.path.join(folder, ".git")):
            return False
    return False


def lines_of(file: str) -> tuple[str, ...]:
    """Return the patterns of a file, none if it cannot be read."""
    if not may_read(file):
        return ()
    try:
        lines = read_text(file, "replace").split("\n")
    except OSError:
        return ()
    return tuple(one.strip() for one in lines[:MOST_LINES] if one.strip() and one[0] != "#")


def is_named(parts: list[str], lines: tuple[str, ...]) -> bool:
    """Return whether the last pattern that matches a path, or a folder above it, leaves it out."""
    found = False
    for line in lines:
        pattern = line.removeprefix("!")
        if any(matches(above, pattern) for above in prefixes(parts)):
            found = pattern == line
    return found


def prefixes(parts: list[str]) -> Iterator[list[str]]:
    """Yield the parts of the folders above a path, and of the path."""
    return (parts[:length] for length in range(1, len(parts) + 1))


def matches(parts: list[str], pattern: str) -> bool:
    """Return whether a pattern names a path: one with a slash within begins at the top."""
    wanted = pattern.strip("/").split("/")
    if "/" not in pattern.rstrip("/"):
        return fnmatchcase(parts[-1], wanted[0])
    return len(parts) == len(wanted) and all(map(fnmatchcase, parts, wanted))
