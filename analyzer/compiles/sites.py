"""The sites and modules at, around or below a path, which are compiled apart from each other."""

from __future__ import annotations

import os
from collections.abc import Sequence

from analyzer.frontends.puppet.node.loose import alternatives_in, beside_modules
from analyzer.frontends.puppet.node.modules import CONF, Module, modules_at, shown
from analyzer.frontends.puppet.node.sites import sites_below


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
