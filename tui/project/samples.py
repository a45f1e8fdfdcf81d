"""The sample catalogs, and the search for a project around a folder."""

from __future__ import annotations

import os
import re
from typing import NamedTuple

# In a wheel the samples are in this package; in a checkout next to it.
HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FOLDERS = (os.path.join(HERE, "samples"), os.path.join(HERE, os.pardir, "sample_catalogs"))
ROW = re.compile(r"^\| `([a-z0-9_]+)` \| (.*) \|$", re.MULTILINE)

# Files at the top of a project.
MARKS = ("environment.conf", "Puppetfile", "promises.cf")

# The samples of the tours.
TOUR, BROKEN_TOUR = "healthy_web_stack", "require_loop"


class CatalogSample(NamedTuple):
    """A sample: its name, its description, and its catalog."""

    name: str
    shows: str
    path: str


def samples() -> list[CatalogSample]:
    """Return the samples as their own README lists them."""
    folder = next((one for one in FOLDERS if os.path.isdir(one)), None)
    if folder is None:
        return []
    folder = os.path.normpath(folder)
    with open(os.path.join(folder, "README.md"), encoding="utf-8") as file:
        rows = ROW.findall(file.read())
    found = (
        CatalogSample(
            name,
            shows.replace("\\|", "|").replace("`", ""),
            os.path.join(folder, name, "catalog.json"),
        )
        for name, shows in rows
    )
    return [one for one in found if os.path.isfile(one.path)]


def sample(name: str) -> CatalogSample | None:
    """Return a sample by its name."""
    return next((one for one in samples() if one.name == name), None)


def project_here(folder: str) -> str | None:
    """Return the top of the project around a folder, None if there is none.

    A catgraph.toml, a policy, an environment or manifests mark the top.
    """
    at = os.path.abspath(folder)
    while True:
        if os.path.isfile(os.path.join(at, "catgraph.toml")) or is_project(at):
            return os.path.relpath(at, folder)
        above = os.path.dirname(at)
        if above == at:
            return None
        at = above


def is_project(folder: str) -> bool:
    """Return whether a folder is an environment, a control repo or a policy."""
    if any(os.path.isfile(os.path.join(folder, name)) for name in MARKS):
        return True
    manifests = os.path.join(folder, "manifests")
    return os.path.isfile(os.path.join(manifests, "site.pp"))
