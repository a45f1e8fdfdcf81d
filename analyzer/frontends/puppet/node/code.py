"""The environment of a manifest that is a text and no file (`puppet apply --execute`)."""

from __future__ import annotations

import os
from dataclasses import replace

from analyzer.diagnostics import InputError
from analyzer.frontends.puppet.node.environment import (
    CODE,
    Environment,
    Settings,
    chosen,
    is_environment,
    lacks_manifests,
    of_folder,
)
from analyzer.frontends.puppet.node.modules import environment_around, modules_at
from analyzer.source import Span


def environment_of_code(path: str, settings: Settings) -> Environment:
    """Return the environment for a text: the control repo, environment or modules at a path.

    The path `CODE` is no folder: the text then sees the modulepath only.

    Raises:
        InputError: the path is no folder, or has no such environment.
    """
    if path == CODE:
        return of_folder(None, (CODE,), settings)
    if not os.path.isdir(path):
        raise InputError("with code, the path must be a folder", Span(path))
    modules = [] if is_environment(path) and lacks_manifests(path) else modules_at(path)
    if modules:
        around = environment_around(modules[0], settings)
        placed = {module.name: module.folder for module in modules}
        return replace(around, manifests=(CODE,), placed=placed)
    below = os.path.join(path, "environments")
    if os.path.isdir(below) and not os.path.exists(os.path.join(path, "environment.conf")):
        path = os.path.join(below, chosen(below, settings))
    return of_folder(path, (CODE,), settings)
