"""Which manifests a change of a control repo touches, and whether a node can notice.

A compile looks for classes and defined types by name, each in files that their names give. If it
looks for none of the files that differ, and nothing else differs, the other side's compile takes
the same steps and ends with the same catalog.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from analyzer.fleet.sources.repo import Repo, SharedSite, site_of

# One in so many nodes that cannot notice is compiled all the same, as a proof.
SAMPLE = 50


@dataclass(frozen=True, slots=True)
class RepositoryState:
    """The state of a control repo: the hashes of its modules' manifests, and one of all else."""

    others: str
    manifests: Mapping[str, str]

    def text(self) -> str:
        """Return it as JSON."""
        return json.dumps([self.others, dict(self.manifests)], sort_keys=True)

    def changed(self, other: RepositoryState) -> frozenset[str] | None:
        """Return the manifests that differ; None: something else differs, which any node may
        notice.
        """
        if self.others != other.others:
            return None
        return frozenset(path for path, _ in self.manifests.items() ^ other.manifests.items())


def state_from(text: str) -> RepositoryState:
    """Return the state that a text is of."""
    others, manifests = json.loads(text)
    return RepositoryState(others, manifests)


def state_of(site: SharedSite) -> RepositoryState | None:
    """Return the state of a site; None if its definitions are not found by their names alone."""
    if not is_simple(site):
        return None
    modules = modules_of(site)
    files = {path: digest for path, digest in site.files[site.top].items() if not is_text(path)}
    manifests = {path: digest for path, digest in files.items() if is_manifest(path, modules)}
    rest = {path: digest for path, digest in files.items() if path not in manifests}
    rooted = {root: found for root, found in site.files.items() if root != site.top}
    whole = json.dumps([site.given, sorted(modules), rest, rooted], sort_keys=True)
    return RepositoryState(sha256(whole.encode("utf-8", "surrogatepass")).hexdigest(), manifests)


def changed_manifests(old: SharedSite, new: SharedSite) -> frozenset[str] | None:
    """Return the manifests of modules that differ, relative to the environment.

    None: something else differs too, which any node may notice.
    """
    before, after = state_of(old), state_of(new)
    return None if before is None or after is None else before.changed(after)


def is_simple(site: SharedSite) -> bool:
    """Return whether the definitions of a site are found by their names in its modulepath only."""
    settings, environment = site.repo.settings, site.environment
    return (
        site.top == os.path.realpath(environment.folder or "")
        and site.top in site.files
        and not environment.placed
        and not settings.is_classified
        and not settings.overlay
    )


def modules_of(site: SharedSite) -> set[str]:
    """Return the folders of modules, relative to the environment."""
    folders = [folder for folder in site.environment.modulepath if os.path.isdir(folder)]
    return {
        os.path.relpath(os.path.join(os.path.realpath(folder), name), site.top)
        for folder in folders
        for name in os.listdir(folder)
    }


def is_manifest(path: str, modules: set[str]) -> bool:
    """Return whether a path is that of a manifest of a module."""
    module, found, _ = path.partition("/manifests/")
    return bool(found) and path.endswith(".pp") and module in modules


def is_text(path: str) -> bool:
    """Return whether a path is that of a text about the repository or a module."""
    return path.endswith(".md") and not {"files", "templates"} & set(path.split("/")[:-1])


def cannot_notice(repo: Repo, name: str, changed: Iterable[str]) -> bool:
    """Return whether the compile of a node, the last one here, looked for none of the files."""
    site = site_of(repo)
    return site.last == name and set(changed).isdisjoint(site.sought())


def is_sampled(name: str) -> bool:
    """Return whether a node is one of the proofs."""
    return int(sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8], 16) % SAMPLE == 0
