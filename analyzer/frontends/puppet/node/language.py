"""Signs of the Puppet or OpenVox that a repository is for; before 8 unknown variables are undef."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Sequence

from analyzer.model.releases import FORK, NEWEST, OPENVOX, PUPPET, Release
from analyzer.model.versions import Bounds, SemVer, SemVerRange
from analyzer.reach import may_read
from analyzer.reading import read_text

# The entry of stdlib in a Puppetfile, and the release in it: by itself, or a tag of a repository.
STDLIB = re.compile(
    r"""^[^\S\n]*mod[^\S\n]*\(?[^\S\n]*['"](?:puppetlabs[-/])?stdlib['"](.*(?:\n(?!\s*mod\b).*)*)""",
    re.MULTILINE,
)
RELEASE = re.compile(
    r"""\A\s*,\s*['"]v?(\d+)|(?::(?:tag|ref)\s*=>|\b(?:tag|ref):)\s*['"]v?(\d+)\."""
)
METADATA = os.path.join("stdlib", "metadata.json")
VERSION = re.compile(r"""^[^\S\n]*"version"\s*:\s*"(\d+)""", re.MULTILINE)
# The first stdlib for Puppet 8.
FOR_8 = 9
# What only Puppet 3 accepts.
INHERITANCE = "Node inheritance is not supported"
# The hierarchy of Puppet 3, which Puppet 4 and 5 still read.
HIERA_3 = re.compile(r"^:(?:backends|hierarchy):", re.MULTILINE)
PARSER = re.compile(r"^[^\S\n]*parser[^\S\n]*=", re.MULTILINE)
BELOW = re.compile(r"<\s*([1-7])\b|<\s*8(?:\.0)*\s*$|<=\s*([1-7])\b")


def sign_of_old_puppet(folder: str, modulepath: Sequence[str], refused: Iterable[Exception]) -> str:
    """Return the sign that the code of an environment is for a Puppet before 8, empty if none.

    `refused` are the errors in its manifests.
    """
    if any(INHERITANCE in str(error) for error in refused):
        return "its manifests are for Puppet 3"
    stdlib = stdlib_of(text_of(folder, "Puppetfile"))
    if stdlib is not None and stdlib < FOR_8:
        return f"the Puppetfile has stdlib {stdlib}"
    if HIERA_3.search(text_of(folder, "hiera.yaml")):
        return "hiera.yaml has version 3"
    if PARSER.search(text_of(folder, "environment.conf")):
        return "environment.conf sets the parser"
    installed = next(filter(None, (text_of(one, METADATA) for one in modulepath)), "")
    release = VERSION.search(installed)
    if release is not None and int(release[1]) < FOR_8:
        return f"stdlib {release[1]} is installed"
    bound = requirements_in(text_of(folder, "metadata.json")).get(PUPPET, "")
    return f"metadata.json requires Puppet {bound}" if BELOW.search(bound) else ""


def stdlib_of(puppetfile: str) -> int | None:
    """Return the major version of stdlib that a Puppetfile has, None if it names none."""
    entry = STDLIB.search(puppetfile)
    release = entry and RELEASE.search(entry[1])
    return int(release[1] or release[2]) if release else None


def openvox_of(folder: str) -> Release | None:
    """Return the OpenVox that metadata require and no Puppet, None if they do not."""
    versions = requirements_in(text_of(folder, "metadata.json"))
    if OPENVOX not in versions or PUPPET in versions:
        return None
    try:
        wanted = SemVerRange.parse(versions[OPENVOX])
    except ValueError:
        return Release.parse(f"{OPENVOX}-{FORK}")
    majors = range(FORK, NEWEST[OPENVOX] + 1)
    # The oldest is what a range without an end was written for.
    found = next((one for one in majors if takes_major(wanted, one)), FORK)
    return Release.parse(f"{OPENVOX}-{found}")


def takes_major(wanted: SemVerRange, major: int) -> bool:
    """Return whether some version of a major one is in a range."""
    whole = Bounds(SemVer(major, 0, 0), SemVer(major + 1, 0, 0), exclude_end=True)
    return any(whole.intersect(one) for one in wanted.intervals)


def text_of(folder: str, name: str) -> str:
    """Return the text of a file, empty if it cannot be read."""
    path = os.path.join(folder, name)
    try:
        return read_text(path, "replace") if may_read(path) else ""
    except OSError:
        return ""


def requirements_in(text: str) -> dict[str, str]:
    """Return the versions that metadata require, by the name of what is required."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    found = document.get("requirements") if isinstance(document, dict) else None
    return {
        str(one.get("name")): str(one.get("version_requirement") or "")
        for one in reversed(found if isinstance(found, list) else [])
        if isinstance(one, dict)
    }
