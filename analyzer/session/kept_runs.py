"""The key of the stored output of a command about manifests.

The key has everything that the output depends on, except for the texts of the files that the
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
from analyzer.session.keeping import FileStates, code, depends_on_more

# Increased when the format of entries changes.
FORM = "run 3"


def key_of_run(words: str, inputs: Sequence[tuple[str, Settings]], disk: FileStates) -> str | None:
    """Return the key of a run, None if its output must not be stored.

    `words` are the command, its options and everything that they depend on.
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
    """Return the possible environments of a path: of modules, and of a site."""
    beside: dict[str, frozenset[str]] = {}
    found = [environment_around(module, settings, beside) for module in modules_at(path)]
    with suppress(InputError):
        found.append(find_environment(path, settings))
    return found


def folders_beside(environments: Sequence[Environment]) -> list[str]:
    """Return the folders of environments; a classifier may name one of them."""
    return [os.path.dirname(os.path.abspath(one.folder)) for one in environments if one.folder]
