"""The files that folders generate during a run (AdditionalResourceGenerator#eval_generate).

Puppet adds them after it has built the graph and searched it for cycles. So no reference and no
automatic relationship leads to them, and a catalog with a cycle never has them. A file comes after
the nearest generated folder around it, and before all that comes after the folder that generates
it.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from copy import copy

from analyzer.graph.kernel import Kernel
from analyzer.graph.labels import BEFORE, EVENTFUL, INWARD, NOTIFY, REQUIRE
from analyzer.graph.lookup import file_path
from analyzer.model.catalog import Catalog
from analyzer.model.resource import Resource

# Parameters that a file does not inherit from the folder that generates it.
OWN = frozenset(("ensure", "recurse", "recurselimit", "max_files", "target", "alias", "source"))
OWN |= {"before", "require", "notify", "subscribe", "path"}


def with_recursed(catalog: Catalog) -> Catalog:
    """Return a catalog with the files that its folders generate, each right after its folder."""
    holders = {child: parent for parent, child in reversed(catalog.containment)}
    files = [path_of(one) for one in catalog.resources if one.type == "File"]
    titles = {one.title for one in catalog.resources if one.type == "File"}
    whole = copy(catalog)
    whole.resources, whole.containment = [], list(catalog.containment)
    for resource in catalog.resources:
        whole.resources.append(resource)
        if resource.type != "File" or not (served := catalog.served.get(str(resource))):
            continue
        top = path_of(resource)
        covered = covering(top, files)
        holder = holders.get(str(resource))
        base = inherited(resource)
        for name, own in served:
            path = posixpath.join(top, name)
            if path in titles or is_covered(path, covered):
                continue
            made = brought(resource, path, {**base, **own})
            whole.resources.append(made)
            if holder is not None:
                whole.containment.append((holder, str(made)))
    return whole


def path_of(file: Resource) -> str:
    """Return the path of a file resource."""
    return file_path(str(file.parameters.get("path") or file.title))


def inherited(folder: Resource) -> dict[str, object]:
    """Return the parameters that files inherit from their folder (Puppet::Type::File#newchild)."""
    given = folder.parameters.items()
    return {name: value for name, value in given if name not in OWN and value is not None}


def brought(folder: Resource, path: str, parameters: dict[str, object]) -> Resource:
    """Return a file that a folder generates, with the folder's tags and sensitive parameters."""
    secret = [name for name in folder.sensitive or () if name in parameters]
    tags = list(folder.tags or ())
    made = Resource(folder.type, path, parameters, tags=tags, sensitive=secret or None)
    made.kind = "compilable_type"
    made.generator = folder
    return made


def covering(top: str, files: Iterable[str]) -> frozenset[str]:
    """Return the paths below a folder that are resources of the catalog."""
    inside = f"{top.rstrip('/')}/"
    return frozenset(path for path in files if path != top and path.startswith(inside))


def is_covered(path: str, covered: frozenset[str]) -> bool:
    """Return whether a path, or a folder around it, is a resource of the catalog."""
    while path not in covered:
        above = posixpath.dirname(path)
        if above == path:
            return False
        path = above
    return True


class Recursed:
    """The generated files of a graph, which are hidden while relationships are made."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        ids = {str(resource): i for i, resource in enumerate(kernel.resources)}
        for i, resource in enumerate(kernel.resources):
            if resource.generator is not None and str(resource.generator) in kernel.catalog.served:
                kernel.brought[i] = ids[str(resource.generator)]

    def hide(self) -> None:
        """Hide the files from references and rules."""
        lookup, brought = self.kernel.lookup, self.kernel.brought
        for i in brought:
            lookup.by_ref.pop(str(lookup.resources[i]), None)
        lookup.typed["File"] = [i for i in lookup.typed["File"] if i not in brought]

    def connect(self) -> None:
        """Show the files again, and add their relationships."""
        kernel = self.kernel
        lookup, resources = kernel.lookup, kernel.resources
        for i in kernel.brought:
            lookup.by_ref.setdefault(str(resources[i]), i)
        lookup.typed["File"] = sorted([*lookup.typed["File"], *kernel.brought])
        behind = self._behind()
        paths = {resources[i].title: i for i in kernel.brought}
        broods: dict[int, list[int]] = {}
        for i, folder in kernel.brought.items():
            around = self._around(i, paths, folder)
            kernel.declared.append((i, REQUIRE, (around,)))
            kernel.succ[around].append(i)
            broods.setdefault(folder, []).append(i)
        for folder, members in broods.items():
            for label, targets in behind[folder].items():
                self._all_before(members, label, tuple(dict.fromkeys(targets)))

    def _around(self, i: int, paths: dict[str, int], folder: int) -> int:
        """Return the nearest generated folder around a file, else the folder that generates it."""
        path = posixpath.dirname(self.kernel.resources[i].title)
        while path not in paths and path != posixpath.dirname(path):
            path = posixpath.dirname(path)
        found = paths.get(path, folder)
        return found if self.kernel.brought.get(found) == folder else folder

    def _behind(self) -> dict[int, dict[int, list[int]]]:
        """Return the nodes after each folder: those that receive its events, and the others."""
        found: dict[int, dict[int, list[int]]] = {i: {} for i in self.kernel.brought.values()}
        for source, target, label in self._edges():
            if source in found:
                kind = NOTIFY if label in EVENTFUL else BEFORE
                found[source].setdefault(kind, []).append(target)
        return found

    def _edges(self) -> Iterator[tuple[int, int, int]]:
        for i, label, ids in self.kernel.declared:
            for other in ids:
                yield (other, i, label) if label in INWARD else (i, other, label)
        for source, target, label, _ in self.kernel.automatic:
            yield source, target, label

    def _all_before(self, members: list[int], label: int, targets: tuple[int, ...]) -> None:
        """Order files before all nodes of a list."""
        kernel = self.kernel
        kernel.declared += [(i, label, targets) for i in members]
        if len(members) > 1 and len(targets) > 1:
            kernel.junctions.append((label, members, targets))
            node = len(kernel.succ)
            kernel.succ.append(list(targets))
            targets = (node,)
        for i in members:
            kernel.succ[i].extend(targets)
