"""The nodes that a repository knows of: those with a file of their own in Hiera's data."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any

from analyzer.reach import may_read
from analyzer.reading import read_text

# Interpolations that stand for the name of a node, whole or up to the first dot.
NAMES = frozenset({
    "trusted.certname", "trusted.hostname", "clientcert", "certname", "fqdn", "hostname",
    "facts.networking.fqdn", "facts.networking.hostname", "networking.fqdn", "facts.fqdn",
    "networking.hostname", "facts.hostname", "facts.clientcert", "server_facts.certname",
})  # fmt: skip
TOKEN = re.compile(r"%\{\s*(?:::)?([^}\s]*)\s*\}")
VALID = re.compile(r"[a-z0-9][a-z0-9._-]*")
# Where a datadir is that names the place of this environment on a server.
DEPLOYED = re.compile(r"^.*/environments/(?:%\{[^}]*\}|[^/]+)/")


def names_in_data(folder: str, hiera_config: str | None = None) -> list[str]:
    """Return the names of nodes that have a file of their own in the data of an environment."""
    path = hiera_config or os.path.join(folder, "hiera.yaml")
    found: dict[str, None] = {}
    for datadir, template in levels(path):
        place = os.path.join(folder, in_checkout(datadir))
        if may_read(place):
            found.update(dict.fromkeys(names_of(place, template)))
    return sorted(found)


def in_checkout(datadir: str) -> str:
    """Return where the data of a deployed place are in the repository that is deployed there."""
    inner = DEPLOYED.sub("", datadir)
    return os.path.basename(inner.rstrip("/")) if os.path.isabs(inner) else inner


def levels(path: str) -> Iterator[tuple[str, str]]:
    """Yield the data folder and the path of each level that depends on the node's name."""
    from yaml import YAMLError, safe_load

    try:
        document = safe_load(read_text(path))
    except (OSError, ValueError, YAMLError, RecursionError):
        return
    if isinstance(document, dict):
        yield from (found for found in paths_of(document) if node_token(found[1]))


def paths_of(document: dict[Any, Any]) -> Iterator[tuple[str, str]]:
    """Yield the data folder and the path of each level, of version 5 or 3."""
    defaults = document.get("defaults")
    usual = defaults.get("datadir", "data") if isinstance(defaults, dict) else "data"
    hierarchy = document.get("hierarchy") or document.get(":hierarchy") or []
    for level in hierarchy if isinstance(hierarchy, list) else ():
        if isinstance(level, str):
            yaml = document.get(":yaml")
            datadir = yaml.get(":datadir", "data") if isinstance(yaml, dict) else "data"
            yield str(datadir), f"{level}.yaml"
            continue
        if not isinstance(level, dict):
            continue
        datadir = str(level.get("datadir", usual))
        paths = level.get("paths") or level.get("globs") or [level.get("path") or level.get("glob")]
        yield from ((datadir, one) for one in paths if isinstance(one, str))


def node_token(template: str) -> re.Match[str] | None:
    """Return the interpolation of a path that stands for the node."""
    return next((m for m in TOKEN.finditer(template) if m[1] in NAMES), None)


def names_of(place: str, template: str) -> Iterator[str]:
    """Yield the names for which a path of a level is a file."""
    token = node_token(template)
    if token is None:
        return
    parts = (re.escape(template[: token.start()]), re.escape(template[token.end() :]))
    anything = re.compile(r"%\\\{[^}]*\\\}|\\\*\\\*?")
    before, after = (anything.sub("[^/]+", part) for part in parts)
    pattern = re.compile(f"{before}(?P<name>[^/]+?){after}")
    for folder, folders, files in os.walk(place):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for file in sorted(files):
            match = pattern.fullmatch(os.path.relpath(os.path.join(folder, file), place))
            if match and VALID.fullmatch(match["name"]):
                yield match["name"]
