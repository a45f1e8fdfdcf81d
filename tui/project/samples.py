"""The sample catalogs: where they are, and what each shows."""

from __future__ import annotations

import os
import re
from typing import NamedTuple

# In a wheel they lie in this package; in a checkout beside it.
HERE = os.path.dirname(os.path.abspath(__file__))
FOLDERS = (os.path.join(HERE, "samples"), os.path.join(HERE, os.pardir, "sample_catalogs"))
ROW = re.compile(r"^\| `([a-z0-9_]+)` \| (.*) \|$", re.MULTILINE)

# Files that are at the top of a project.
MARKS = ("environment.conf", "Puppetfile", "promises.cf")

# The sample that the guided tour goes through.
TOUR = "healthy_web_stack"


class Sample(NamedTuple):
    """A sample: its name, what it shows, and its catalog."""

    name: str
    shows: str
    path: str


def samples() -> list[Sample]:
    """Return the samples as their own README lists them."""
    folder = next((one for one in FOLDERS if os.path.isdir(one)), None)
    if folder is None:
        return []
    folder = os.path.normpath(folder)
    with open(os.path.join(folder, "README.md"), encoding="utf-8") as file:
        rows = ROW.findall(file.read())
    found = (
        Sample(
            name,
            shows.replace("\\|", "|").replace("`", ""),
            os.path.join(folder, name, "catalog.json"),
        )
        for name, shows in rows
    )
    return [one for one in found if os.path.isfile(one.path)]


def sample(name: str) -> Sample | None:
    """Return a sample by its name."""
    return next((one for one in samples() if one.name == name), None)


def project_here(folder: str) -> str | None:
    """Return the project that a folder is in: what its catgraph.toml, policy, environment or

    manifests are at the top of; None if there is none.
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
    """Tell whether a folder is an environment, a control repo, a module, or a policy."""
    if any(os.path.isfile(os.path.join(folder, name)) for name in MARKS):
        return True
    manifests = os.path.join(folder, "manifests")
    return os.path.isfile(os.path.join(manifests, "site.pp"))
