"""The key under which the output of a command about manifests is kept.

Everything that the output depends on is part of it, but for the texts of the files that the
command reads: `keeping` has their states.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.node.environment import Environment, Settings, find_environment
from analyzer.frontends.puppet.node.modules import environment_around, modules_at
from analyzer.frontends.puppet.syntax.cache import key_of
from analyzer.session.keeping import Disk, code, depends_on_more

# Counts up when entries mean something else.
FORM = "run 1"


def key_of_run(words: str, inputs: Sequence[tuple[str, Settings]], disk: Disk) -> str | None:
    """Return the key of a run, None where its output is not to be kept.

    `words` are the command, its options and all that they depend on.
    """
    parts = [FORM, code(), os.getcwd(), words]
    for path, settings in inputs:
        found = environments_of(path, settings)
        if not found or depends_on_more(settings):
            return None
        known = [disk.environment(environment) for environment in found]
        beside = disk.shape(folders_beside(found)) if settings.nodes_dir else ""
        if None in known:
            return None
        parts += [path, repr(replace(settings, progress=None)), beside, *map(str, known)]
    return key_of(*parts)


def environments_of(path: str, settings: Settings) -> list[Environment]:
    """Return the environments that may be those of a path: of modules, and of a site."""
    beside: dict[str, frozenset[str]] = {}
    found = [environment_around(module, settings, beside) for module in modules_at(path)]
    with suppress(InputError):
        found.append(find_environment(path, settings))
    return found


def folders_beside(environments: Sequence[Environment]) -> list[str]:
    """Return the folders of environments, of which a classifier may name others."""
    return [os.path.dirname(os.path.abspath(one.folder)) for one in environments if one.folder]
