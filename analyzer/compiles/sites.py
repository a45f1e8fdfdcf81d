"""The sites and modules at, around or below a path, which are compiled apart from each other."""

from __future__ import annotations

import os
from collections.abc import Sequence

from analyzer.frontends.puppet.node.loose import alternatives_in, beside_modules
from analyzer.frontends.puppet.node.modules import CONF, Module, modules_at, shown
from analyzer.frontends.puppet.node.sites import (
    holds_manifests,
    place_of_manifests,
    read_config,
    sites_below,
)


def programs_in(path: str) -> list[Module] | str:
    """Return the modules at, around or below a path, or else the site to compile.

    The site is the environment that a manifest belongs to, or else the path itself.
    """
    found = modules_at(path)
    if found or os.path.isdir(path):
        return found or path
    return environment_of(path) or path


def sites_in(path: str, programs: Sequence[Module] | str) -> Sequence[str]:
    """Return the sites of an input with some programs; manifests may be applied one at a time.

    Beside the programs, an environment without manifests of its own is none.
    """
    if isinstance(programs, str):
        return alternatives_in(programs) or (programs,)
    below = [*beside_modules(path), *sites_below(path)] if os.path.isdir(path) else ()
    whole = [site for site in below if not has_only_modules(site)]
    return [one for site in whole for one in alternatives_in(site) or (site,)]


def has_only_modules(site: str) -> bool:
    """Return whether a site is an environment that neither has nor names manifests."""
    conf = os.path.join(site, CONF)
    if not os.path.isfile(conf):
        return False
    config = read_config(conf)
    place = place_of_manifests(site, config)
    return "manifest" not in config and not (os.path.isfile(place) or holds_manifests(place))


def environment_of(path: str) -> str | None:
    """Return the environment that contains a manifest, or None."""
    folder = os.path.dirname(os.path.abspath(path))
    while folder != os.path.dirname(folder):
        above = os.path.dirname(folder)
        if os.path.basename(folder) == "manifests":
            return shown(above) if os.path.isfile(os.path.join(above, CONF)) else None
        folder = above
    return None
