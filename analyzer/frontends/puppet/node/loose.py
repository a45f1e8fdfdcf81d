"""Tells manifests that Puppet is given one at a time from those that it reads as one site."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from contextlib import suppress

from analyzer.frontends.puppet.node.environment import (
    environment_above,
    has_program,
    is_environment,
    lacks_manifests,
    manifests_in,
)
from analyzer.frontends.puppet.node.sites import SITES, environment_below, holds_manifests
from analyzer.reading import read_text

# Files and folders that show that a server reads a folder.
DEPLOYED = ("environment.conf", "Puppetfile", "hiera.yaml", "metadata.json", "environments", *SITES)

# What other manifests of a site use, and the code of nodes.
DEFINITION = re.compile(r"^[ \t]*(?:class\s+[\w:]|(?:define|function|node|import)\b)", re.MULTILINE)

DEFAULT = re.compile(r"^[ \t]*node\s+default\b", re.MULTILINE)
# The names and patterns of a node block.
NODE = re.compile(r"^[ \t]*node\s+([^{]+?)\s*\{", re.MULTILINE)
# The manifest that Vagrant applies where nobody names one.
OF_VAGRANT = "default.pp"
# So many nodes `default` may be a mistake.
FEW = 2

# Texts that tell how to apply manifests, and the name of such a manifest.
TELLS = re.compile(r"(?i)readme[\w.]*|\w[\w-]*\.sh|makefile|rakefile|vagrantfile")
APPLIED = re.compile(
    r"\bpuppet apply\b[^\n]*?([\w-]+\.pp)\b|\.manifest_file\s*=\s*['\"]([\w-]+\.pp)"
)
# Folders of code, which have no box.
LARGE = frozenset({"modules", "site", "site-modules", "manifests", "hieradata", "data"})
# How deep a box of Vagrant, and how many of them, are below the manifests that it applies.
DEEPEST, MOST = 3, 50


def alternatives_in(path: str) -> tuple[str, ...]:
    """Return the manifests of a folder that are applied one at a time, none if all are one site.

    Puppet reads the folder `manifests` of an environment as one. Elsewhere it reads the file that
    `puppet apply` names. Manifests without definitions and nodes do not need each other. A folder
    with nothing of an environment but `manifests` is not deployed to a server, and neither are
    manifests that all have code for any node.
    """
    several = each_for_any_node(path) or each_with_same_nodes(path)
    if several:
        return several
    inner = os.path.join(path, "manifests")
    is_bare = os.path.isdir(inner) and not (held_in(path, DEPLOYED) or held_in(inner, SITES))
    if not (is_bare or is_loose(path)):
        return ()
    files = manifests_in(inner if is_bare else path)
    return files if len(files) > 1 and not any(map(defines, files)) else ()


def each_for_any_node(path: str) -> tuple[str, ...]:
    """Return the manifests of a site if each has a node `default`, of which a site has one.

    A second one may be a mistake in a site, unless there is no server for it, or a text of the
    repository says how to apply each. Several in most manifests are none: no server compiles that.
    """
    inner = os.path.join(path, "manifests")
    place = inner if os.path.isdir(inner) else path
    if not holds_manifests(place):
        return ()
    files = manifests_in(place)
    if len(files) > FEW and not held_in(path, ["environment.conf"]) and are_alike(place, files):
        return files
    with_default = [one for one in files if has_text(one, DEFAULT)]
    if len(with_default) > FEW and 2 * len(with_default) > len(files):
        return files
    if len(files) < FEW or len(with_default) < len(files):
        return ()
    served = held_in(path, ["environment.conf"])
    return files if not served or names_of(files) <= applied_in(path) else ()


def each_with_same_nodes(path: str) -> tuple[str, ...]:
    """Return the manifests of a site if they repeat node blocks of each other, and are applied.

    Puppet refuses a second block for a node, so no server reads such files as one. A text of the
    repository must say how to apply one of them, or Vagrant applies `default.pp`: otherwise the
    second block may be a mistake.
    """
    inner = os.path.join(path, "manifests")
    place = inner if os.path.isdir(inner) else path
    if held_in(path, ["environment.conf"]) or not holds_manifests(place):
        return ()
    files = manifests_in(place)
    if len(files) < FEW:
        return ()
    nodes = {file: nodes_in(file) for file in files}
    repeated = {
        file for file in files if any(nodes[file] & nodes[one] for one in files if one != file)
    }
    names = names_of(repeated)
    applied = names & applied_in(path) or (OF_VAGRANT in names and held_in(path, ["Vagrantfile"]))
    return files if applied else ()


def nodes_in(file: str) -> set[str]:
    """Return the names and patterns of the node blocks of a manifest, as they are written."""
    try:
        text = read_text(file, "replace")
    except OSError:
        return set()
    return {name.strip(" \t\"'") for names in NODE.findall(text) for name in names.split(",")}


def are_alike(place: str, files: Iterable[str]) -> bool:
    """Return whether none of some manifests is that of a site, and none defines what others use."""
    return not held_in(place, SITES) and not any(map(defines, files))


def names_of(files: Iterable[str]) -> set[str]:
    """Return the names of files without their folders."""
    return {os.path.basename(file) for file in files}


def applied_in(folder: str) -> set[str]:
    """Return the names of the manifests that texts on top of a folder tell to apply."""
    found: set[str] = set()
    names = [name for name in sorted(os.listdir(folder)) if TELLS.fullmatch(name)]
    for file in (*(os.path.join(folder, name) for name in names), *boxes_below(folder)):
        # What cannot be read tells nothing.
        with suppress(OSError):
            for applied in APPLIED.findall(read_text(file, "replace")):
                found.update(filter(None, applied))
    return found


def boxes_below(folder: str) -> list[str]:
    """Return the files of Vagrant in folders below one, as many as are read."""
    found: list[str] = []
    start = folder.rstrip(os.sep).count(os.sep)
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name[0] != "." and name not in LARGE)
        if place.count(os.sep) - start >= DEEPEST or len(found) >= MOST:
            folders.clear()
        if place != folder and "Vagrantfile" in names:
            found.append(os.path.join(place, "Vagrantfile"))
    return found[:MOST]


def beside_modules(path: str) -> list[str]:
    """Return the manifests on top of a folder of modules that is no site: each is applied alone."""
    if not (is_environment(path) and lacks_manifests(path)):
        return []
    names = sorted(name for name in os.listdir(path) if name.endswith(".pp"))
    return [os.path.normpath(os.path.join(path, name)) for name in names]


def held_in(folder: str, names: Iterable[str]) -> bool:
    """Return whether a folder has one of some names."""
    return any(os.path.lexists(os.path.join(folder, name)) for name in names)


def is_loose(path: str) -> bool:
    """Return whether manifests in a folder are neither those of an environment nor a site."""
    if is_environment(path) or os.path.exists(os.path.join(path, "environments")):
        return False
    if environment_above(path) or held_in(path, SITES):
        return False
    return holds_manifests(path) and (has_program(path) or environment_below(path) is None)


def defines(file: str) -> bool:
    """Return whether a manifest has a definition or a node, as far as a glance shows."""
    return has_text(file, DEFINITION, unread=True)


def has_text(file: str, wanted: re.Pattern[str], *, unread: bool = False) -> bool:
    """Return whether a pattern matches in a manifest; `unread` if it cannot be read."""
    try:
        return wanted.search(read_text(file, "replace")) is not None
    except OSError:
        return unread
