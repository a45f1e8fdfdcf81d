"""Which manifests a change of a control repo touches, and whether a node can notice.

A compile looks for classes and defined types by name, each in files that their names give. If it
looks for none of the files that differ, and nothing else differs, the other side's compile takes
the same steps and ends with the same catalog.
"""

from __future__ import annotations

import os
from hashlib import sha256

from analyzer.fleet.sources.repo import Repo, Site, digest_of, files_below, site_of

# One in so many nodes that cannot notice is compiled all the same, as a proof.
SAMPLE = 50


def changed_manifests(old: Site, new: Site) -> frozenset[str] | None:
    """Return the manifests of modules that differ, relative to the environment.

    None: something else differs too, which any node may notice.
    """
    if not (is_simple(old) and is_simple(new) and others_of(old) == others_of(new)):
        return None
    before, after = files_of(old), files_of(new)
    changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    changed = {path for path in changed if not is_text(path)}
    common = modules_of(old) & modules_of(new)
    return frozenset(changed) if all(is_manifest(path, common) for path in changed) else None


def is_simple(site: Site) -> bool:
    """Return whether the definitions of a site are found by their names in its modulepath only."""
    settings, environment = site.repo.settings, site.environment
    top = os.path.realpath(environment.folder or "")
    return (
        os.path.realpath(site.repo.path) == top
        and not environment.placed
        and not settings.is_classified
        and not settings.overlay
    )


def others_of(site: Site) -> set[str]:
    """Return the folders besides the environment that a compile may read."""
    roots = {os.path.realpath(root) for root in site.environment.roots or ()}
    return roots - {os.path.realpath(site.repo.path)}


def files_of(site: Site) -> dict[str, str]:
    """Return the hashes of an environment's files; facts of nodes are the same on both sides."""
    top, facts = os.path.realpath(site.repo.path), site.repo.settings.facts_dir
    apart = os.path.realpath(facts) if facts else ""
    return {os.path.relpath(path, top): digest_of(path) for path in files_below(top, apart)}


def modules_of(site: Site) -> set[str]:
    """Return the folders of modules, relative to the environment."""
    top = os.path.realpath(site.repo.path)
    folders = [folder for folder in site.environment.modulepath if os.path.isdir(folder)]
    return {
        os.path.relpath(os.path.join(os.path.realpath(folder), name), top)
        for folder in folders
        for name in os.listdir(folder)
    }


def is_manifest(path: str, modules: set[str]) -> bool:
    """Return whether a path is that of a manifest of a module which both sides have."""
    module, found, _ = path.partition("/manifests/")
    return bool(found) and path.endswith(".pp") and module in modules


def is_text(path: str) -> bool:
    """Return whether a path is that of a text about the repository or a module."""
    return path.endswith(".md") and not {"files", "templates"} & set(path.split("/")[:-1])


def cannot_notice(repo: Repo, name: str, changed: frozenset[str]) -> bool:
    """Return whether the compile of a node, the last one here, looked for none of the files."""
    site = site_of(repo)
    if site.last != name:
        return False
    top, sought = os.path.realpath(repo.path), site.known.sought
    return changed.isdisjoint(os.path.relpath(os.path.realpath(path), top) for path in sought)


def is_sampled(name: str) -> bool:
    """Return whether a node is one of the proofs."""
    return int(sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8], 16) % SAMPLE == 0
