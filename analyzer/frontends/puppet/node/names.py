"""The nodes that a repository knows of: those with a file of their own in Hiera's data."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from typing import Any

from analyzer.frontends.puppet.node.modules import files_below
from analyzer.reach import may_read
from analyzer.reading import noting, read_text

# Interpolations that stand for the name of a node, whole or up to the first dot.
NAMES = frozenset({
    "trusted.certname", "trusted.hostname", "clientcert", "certname", "fqdn", "hostname",
    "facts.networking.fqdn", "facts.networking.hostname", "networking.fqdn", "facts.fqdn",
    "networking.hostname", "facts.hostname", "facts.clientcert", "server_facts.certname",
})  # fmt: skip
TOKEN = re.compile(r"%\{\s*(?:::)?([^}\s]*)\s*\}")
# What stands for anything in a path, when the path was escaped.
ANYTHING = re.compile(r"%\\\{[^}]*\\\}|\\\*\\\*?")
# What folders of data are called.
DATA_FOLDERS = ("data", "hieradata", "hiera")
# A key of a parameter, `app::port`, at the beginning of a line.
KEY = re.compile(r"""^[^\S\n]*["']?([a-z]\w*(?:::\w+)+)["']?\s*:(?!:)""", re.MULTILINE)
VALID = re.compile(r"[a-z0-9][a-z0-9._-]*")
# Where a datadir is that names the place of this environment on a server.
DEPLOYED = re.compile(r"^.*/environments/(?:%\{[^}]*\}|[^/]+)/")


def names_in_data(folder: str, hiera_config: str | None = None) -> dict[str, str]:
    """Return the names of nodes that have a file of their own in an environment's data, sorted.

    The values are the files, the first of each name.
    """
    found: dict[str, str] = {}
    files_in = cache(data_files)
    for place, template in levels(folder, hiera_config):
        token = next((m for m in TOKEN.finditer(template) if m[1] in NAMES), None)
        if token is not None:
            for name, file in values_of(files_in(place), template, token):
                if VALID.fullmatch(name):
                    found.setdefault(name, os.path.normpath(os.path.join(place, file)))
    return {name: found[name] for name in sorted(found)}


def values_in_data(folder: str, hiera_config: str | None = None) -> dict[str, list[str]]:
    """Return the values for which data have files, by the interpolation of Hiera's paths.

    Those that stand for the name of a node are left out.
    """
    found: dict[str, dict[str, None]] = {}
    files_in = cache(data_files)
    for place, template in levels(folder, hiera_config):
        for token in TOKEN.finditer(template):
            if token[1] not in NAMES:
                values = found.setdefault(token[1], {})
                values.update((one, None) for one, _ in values_of(files_in(place), template, token))
    return {name: sorted(values) for name, values in found.items()}


def keys_in_data(
    folders: Iterable[str], overlay: Mapping[str, str]
) -> tuple[frozenset[str], Mapping[str, str]]:
    """Return the qualified keys that files in the data folders of a repository give values.

    The second value are the notes of a lookup in them (see `hiera.sources.parts`). `overlay` are
    texts that count instead of those of files, by path.
    """
    from analyzer.frontends.puppet.hiera.sources import parts

    places = [os.path.join(folder, name) for folder in folders for name in DATA_FOLDERS]
    endings = (".yaml", ".yml", ".eyaml", ".json")
    inside = filter(os.path.isdir, places)
    files = [file for place in inside for ending in endings for file in files_below(place, ending)]
    with noting(apart=True) as read:
        found = keys_in(files, overlay)
    table = dict.fromkeys(sorted(found), "")
    # Without files there is nothing whose change could be noticed; new files change the key.
    noted = {parts.name_of(read, parts.KEYS): parts.state(read.values(), table)} if read else {}
    return found, noted


def keys_in(files: Iterable[str], overlay: Mapping[str, str]) -> frozenset[str]:
    """Return the qualified keys that files give values; `overlay` are texts by path."""
    found: set[str] = set()
    for file in files:
        with suppress(OSError):
            text = overlay[file] if file in overlay else read_text(file, "replace")
            found.update(KEY.findall(text))
    return frozenset(found)


def in_checkout(datadir: str) -> str:
    """Return where the data of a deployed place are in the repository that is deployed there."""
    inner = DEPLOYED.sub("", datadir)
    return os.path.basename(inner.rstrip("/")) if os.path.isabs(inner) else inner


def levels(folder: str, hiera_config: str | None) -> Iterator[tuple[str, str]]:
    """Yield the data folder and the path of each level, as hiera.yaml has them."""
    from yaml import YAMLError, safe_load

    config = hiera_config or config_for(folder)
    try:
        document = safe_load(read_text(config))
    except (OSError, ValueError, YAMLError, RecursionError):
        return
    for datadir, template in paths_of(document) if isinstance(document, dict) else ():
        # A file above the environments names places beside itself, or in the environment.
        inside = hiera_config is not None or DEPLOYED.match(datadir) is not None
        base = folder if inside else os.path.dirname(config)
        place = os.path.join(base, in_checkout(datadir))
        if may_read(place):
            yield place, template


def config_for(folder: str) -> str:
    """Return the hiera.yaml of an environment, else the one above the folder of environments."""
    own = os.path.join(folder, "hiera.yaml")
    beside = os.path.normpath(os.path.join(folder, os.pardir))
    if os.path.exists(own) or os.path.basename(os.path.abspath(beside)) != "environments":
        return own
    return os.path.normpath(os.path.join(beside, os.pardir, "hiera.yaml"))


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


def data_files(place: str) -> list[str]:
    """Return the files below a data folder, by their relative names."""
    found = []
    for folder, folders, files in os.walk(place):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        inside = os.path.relpath(folder, place)
        found += [os.path.normpath(os.path.join(inside, file)) for file in sorted(files)]
    return found


def values_of(
    files: Iterable[str], template: str, token: re.Match[str]
) -> Iterator[tuple[str, str]]:
    """Yield the values of an interpolation for which a path of a level is a file, with the file."""
    parts = (re.escape(template[: token.start()]), re.escape(template[token.end() :]))
    before, after = (ANYTHING.sub("[^/]+", part) for part in parts)
    matches = map(re.compile(f"{before}(?P<value>[^/]+?){after}").fullmatch, files)
    yield from ((match["value"], match[0]) for match in matches if match)
