"""Where catgraph keeps what it stored for itself: apart from all code that it analyses.

A commit may have any files, and HOME may name the checkout. A folder is not apart if it is the
working folder, an input, or what these were checked out with, or if it lies in one of them, or in
anything that looks like a checkout: by the path as it is written, or by its real path.
"""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache

from analyzer.reach import CODE, checkout, upwards

# What marks a checkout, a control repo, an environment, a module or a policy.
MARKS = (".git", "Puppetfile", "environment.conf", "hiera.yaml", "metadata.json", "promises.cf")
# The folder of a module or a site with its manifests, and folders that hold modules or sites.
MANIFESTS, HOLDERS = "manifests", ("environments", "modules", "site", "site-modules")


class PlaceApart:
    """A folder that is apart from code until more code is named."""

    def __init__(self, folder: str, working: str) -> None:
        written = [*upwards(os.path.abspath(folder))]
        self.above = {*written, *map(os.path.realpath, written), *upwards(os.path.realpath(folder))}
        # Everything is below the root, which is no checkout for that.
        self.is_apart = working == os.sep or working not in self.above
        self.is_apart = self.is_apart and not any(map(is_code, self.above))
        self.checked = 0

    def holds(self) -> bool:
        """Return whether the folder is still apart from the code that this process was given."""
        if self.is_apart and self.checked < len(CODE):
            more = [*CODE][self.checked :]
            self.checked += len(more)
            self.is_apart = all(self.above.isdisjoint(places_of(path)) for path in more)
        return self.is_apart


@cache
def place_of(folder: str, working: str) -> PlaceApart:
    """Return the place of a folder, seen from a working folder."""
    return PlaceApart(folder, working)


def is_apart(folder: str) -> bool:
    """Return whether a folder is apart from all code that this process was given."""
    working = os.sep
    with suppress(OSError):
        working = os.getcwd()
    return place_of(folder, working).holds()


def places_of(path: str) -> set[str]:
    """Return the folders that hold the code at a path and nothing else, by their real paths."""
    real = os.path.realpath(path)
    return {real, checkout(path), os.path.dirname(real) if os.path.isfile(real) else real}


def is_code(folder: str) -> bool:
    """Return whether a folder looks like a checkout, or like code that was copied from one."""
    inner = (os.path.join(folder, name, one) for name in HOLDERS for one in names_in(folder, name))
    return is_marked(folder) or any(map(is_marked, inner))


def is_marked(folder: str) -> bool:
    """Return whether a folder holds a mark of code, or manifests."""
    if any(os.path.lexists(os.path.join(folder, name)) for name in MARKS):
        return True
    return any(name.endswith(".pp") for name in names_in(folder, MANIFESTS))


def names_in(*parts: str) -> list[str]:
    """Return the names in a folder, none if there is no such folder."""
    with suppress(OSError):
        return os.listdir(os.path.join(*parts))
    return []


def user_folder() -> str | None:
    """Return the folder in XDG_CACHE_HOME or ~/.cache, None if it is not apart from the code."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = os.path.join(base, "catgraph")
    return folder if os.path.isabs(base) and is_apart(folder) else None
