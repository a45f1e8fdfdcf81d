"""Signs that a repository is for a Puppet before 8, in which unknown variables are undef."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Sequence

from analyzer.reach import may_read
from analyzer.reading import read_text

# The release of stdlib that is the first for Puppet 8, in a Puppetfile.
STDLIB = re.compile(
    r"""^[^\S\n]*mod[^\S\n]*\(?[^\S\n]*['"]puppetlabs[-/]stdlib['"]\s*,\s*['"]v?(\d+)""",
    re.MULTILINE,
)
METADATA = os.path.join("stdlib", "metadata.json")
VERSION = re.compile(r"""^[^\S\n]*"version"\s*:\s*"(\d+)""", re.MULTILINE)
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
    release = STDLIB.search(text_of(folder, "Puppetfile"))
    if release is not None and int(release[1]) < FOR_8:
        return f"the Puppetfile has stdlib {release[1]}"
    if HIERA_3.search(text_of(folder, "hiera.yaml")):
        return "hiera.yaml has version 3"
    if PARSER.search(text_of(folder, "environment.conf")):
        return "environment.conf sets the parser"
    stdlib = next(filter(None, (text_of(one, METADATA) for one in modulepath)), "")
    release = VERSION.search(stdlib)
    if release is not None and int(release[1]) < FOR_8:
        return f"stdlib {release[1]} is installed"
    bound = upper_bound(text_of(folder, "metadata.json"))
    return f"metadata.json requires Puppet {bound}" if BELOW.search(bound) else ""


def text_of(folder: str, name: str) -> str:
    """Return the text of a file, empty if it cannot be read."""
    path = os.path.join(folder, name)
    try:
        return read_text(path, "replace") if may_read(path) else ""
    except OSError:
        return ""


def upper_bound(text: str) -> str:
    """Return the versions of Puppet that metadata require, empty if they require none."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    found = document.get("requirements") if isinstance(document, dict) else None
    for one in found if isinstance(found, list) else ():
        if isinstance(one, dict) and one.get("name") == "puppet":
            return str(one.get("version_requirement") or "")
    return ""
