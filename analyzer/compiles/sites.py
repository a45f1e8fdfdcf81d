"""The sites and modules at, around or below a path, which are compiled apart from each other."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from analyzer.compiles.parts import CodePart
from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.node.environment import Settings, find_environment
from analyzer.frontends.puppet.node.loose import alternatives_in, beside_modules
from analyzer.frontends.puppet.node.modules import (
    CONF,
    Module,
    module_of,
    modules_around,
    modules_at,
    shown,
)
from analyzer.frontends.puppet.node.sites import (
    holds_manifests,
    place_of_manifests,
    read_config,
    sites_below,
)

# A file that stands for the manifests of a module.
MANIFEST = os.path.join("manifests", "init.pp")


@dataclass(frozen=True, slots=True)
class DividedCode:
    """The sites of an input, and its own modules in which no site looks for code."""

    sites: Sequence[CodePart]
    modules: Sequence[CodePart]


def divide(
    path: str,
    settings: Settings,
    own_files: Callable[[], Iterable[str]],
    is_of_others: Callable[[str], object],
) -> DividedCode:
    """Divide the code at a path into what is compiled apart from each other.

    `own_files` returns the files with definitions of the code itself, and `is_of_others` whether a
    file is in a module of others.

    Raises:
        InputError: a folder cannot be read.
    """
    programs = programs_in(path)
    sites = [CodePart(site, settings) for site in sites_in(path, programs)]
    places = modulepaths_of(sites)
    modules = [] if isinstance(programs, str) else programs
    if isinstance(programs, str) and os.path.isdir(path):
        modules = modules_outside(path, places, own_files())
    own = [one for one in modules if not is_of_others(os.path.join(one.folder, MANIFEST))]
    apart = [one for one in own if not is_directly_in(one.folder, places)]
    no_node = bool(sites)
    return DividedCode(sites, [CodePart(m.folder, settings, m, no_node) for m in apart])


def modules_outside(path: str, places: Collection[str], own_files: Iterable[str]) -> list[Module]:
    """Return the modules below a site that have definitions of the code itself.

    Those in some real folders, in which the site finds them, are left out.
    """
    top = os.path.join(os.path.realpath(path), "")
    below = [file for file in {*own_files} if os.path.realpath(file).startswith(top)]
    folders = modules_around(below)
    return [module_of(folder) for folder in folders if not is_directly_in(folder, places)]


def is_directly_in(folder: str, places: Collection[str]) -> bool:
    """Return whether a folder is in one of some real folders, with none between."""
    return os.path.dirname(os.path.realpath(folder)) in places


def modulepaths_of(sites: Iterable[CodePart]) -> set[str]:
    """Return the real folders in which sites look for modules."""
    found: set[str] = set()
    for site in sites:
        # The compile reports what cannot be read.
        with suppress(InputError):
            environment = find_environment(site.path, site.settings)
            found.update(map(os.path.realpath, environment.modulepath))
    return found


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
