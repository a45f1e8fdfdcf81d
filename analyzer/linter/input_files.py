"""Recognises policies and modules among the paths of the lint."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from analyzer.frontends.puppet.node.loose import alternatives_in, beside_modules
from analyzer.frontends.puppet.node.modules import CONF, Module, files_below, modules_at, shown
from analyzer.frontends.puppet.node.sites import sites_below
from analyzer.reading import read_text

# The extension of CFEngine policies.
POLICY = ".cf"

# The beginning of a block of a policy.
BLOCK = re.compile(r"^[\s\ufeff]*(?:bundle|body|promise)\s+\w+\s+\w+", re.MULTILINE)


def policies_below(path: str) -> list[str]:
    """Return a policy of CFEngine, or all those below a folder, sorted."""
    found = files_below(path, POLICY)
    # Other programs use this extension, too: Postfix has a main.cf.
    return found if found == [path] else [file for file in found if looks_like_policy(file)]


def looks_like_policy(path: str) -> bool:
    """Return whether a file looks like a policy: it contains the beginning of a block."""
    try:
        return BLOCK.search(read_text(path, "replace")) is not None
    except OSError:
        return True


def programs_in(path: str) -> list[Module] | str:
    """Return the modules at, around or below a path, or else the site to compile.

    The site is the environment that a manifest belongs to, or else the path itself.
    """
    found = modules_at(path)
    if found or os.path.isdir(path):
        return found or path
    return environment_of(path) or path


def sites_in(path: str, programs: Sequence[Module] | str) -> Sequence[str]:
    """Return the sites of an input with some programs; manifests may be applied one at a time."""
    if isinstance(programs, str):
        return alternatives_in(programs) or (programs,)
    below = [*beside_modules(path), *sites_below(path)] if os.path.isdir(path) else ()
    return [one for site in below for one in alternatives_in(site) or (site,)]


def environment_of(path: str) -> str | None:
    """Return the environment that contains a manifest, or None."""
    folder = os.path.dirname(os.path.abspath(path))
    while folder != os.path.dirname(folder):
        above = os.path.dirname(folder)
        if os.path.basename(folder) == "manifests":
            return shown(above) if os.path.isfile(os.path.join(above, CONF)) else None
        folder = above
    return None
