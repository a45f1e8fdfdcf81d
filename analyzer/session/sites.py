"""The sites, modules and manifests of a folder that are compiled apart from each other."""

from __future__ import annotations

import os

from analyzer.compiles.own_code import has_choice
from analyzer.compiles.sites import programs_in, sites_in
from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.node.environment import Settings
from analyzer.frontends.puppet.node.modules import module_around
from analyzer.reach import RealPaths
from analyzer.session.lint.own_code import own_code


def parts_of(path: str, settings: Settings) -> list[str]:
    """Return the parts of a folder that are compiled apart, or only the path if it is one site.

    Code that is in no site is a part of its own: its module, or its manifest.
    """
    if has_choice(settings) or not os.path.isdir(path):
        return [path]
    try:
        programs = programs_in(path)
        sites = sites_in(path, programs)
    except InputError:
        # The compile reports it.
        return [path]
    if len(sites) < (2 if isinstance(programs, str) else 1):
        return [path]
    real, code = RealPaths(), own_code(path, settings)
    places = frozenset(map(real.of, sites))
    files = [one.span.file for one in code.definitions]
    left = [file for file in (*files, *code.of_nodes) if not real.is_below(file, places)]
    return [*sites, *dict.fromkeys(module_around(file) or file for file in left)]
