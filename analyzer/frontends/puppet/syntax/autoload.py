"""The names that the autoloader expects in a file of a module."""

from __future__ import annotations

import os.path
from collections.abc import Sequence
from typing import NamedTuple

_KINDS = ("manifests", "functions", "types", "plans")


class Modules(NamedTuple):
    """The folders of modules, or None to guess them from the path of a file."""

    paths: tuple[str, ...] | None


class Namespace(NamedTuple):
    """The prefix of the names in a file, None outside of a module's folders for code."""

    prefix: str | None


def modules_of(paths: Sequence[str] | None) -> Modules:
    """Return the modules of these folders."""
    if paths is None:
        return Modules(None)
    return Modules(tuple(os.path.abspath(path) + os.sep for path in paths))


def namespace_of(file: str, modules: Modules) -> Namespace | None:
    """Return the namespace of a file, or None if the file is of no module."""
    if not file.endswith(".pp"):
        return None
    path = os.path.abspath(file)
    if modules.paths is None:
        return _seen_from(path)
    root = next((root for root in modules.paths if path.startswith(root)), None)
    return None if root is None else _namespace(path[len(root) :].lower().split(os.sep))


def _seen_from(path: str) -> Namespace | None:
    """See `.../modules/NAME/manifests/...` in a path; tests and examples of modules are none."""
    parts = path.lower().split(os.sep)
    for index in range(len(parts) - 4, -1, -1):
        if parts[index] == "modules" and parts[index + 2] in _KINDS:
            return _namespace(parts[index + 1 :])
    return None


def _namespace(parts: list[str]) -> Namespace:
    if len(parts) < 2 or parts[1] not in _KINDS:
        return Namespace(None)
    names = [parts[0], *parts[2:-1]]
    if len(parts) != 3 or parts[-1] != "init.pp":
        names.append(parts[-1][:-3])
    return Namespace("::".join(names))
