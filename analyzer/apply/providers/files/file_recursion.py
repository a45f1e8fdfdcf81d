"""The files that a folder generates with `recurse`: its own and those of its source."""

from __future__ import annotations

import errno
import os
import posixpath
import re
from collections.abc import Collection, Iterator
from fnmatch import translate

from analyzer.apply.host import Host
from analyzer.apply.provider import ABSENT, ProviderError
from analyzer.apply.providers.files.file_wanted import FileWanted
from analyzer.apply.providers.files.sources import FileSources, HostPath, SourcePlace
from analyzer.graph.recursed import brought, covering, inherited, is_covered, path_of
from analyzer.model.resource import Resource

# Puppet does not encode these, and then refuses what they are in (Puppet::Util.uri_encode).
NO_URI = frozenset("[]")


def children(
    desired: FileWanted, host: Host, sources: FileSources, others: Collection[Resource]
) -> list[Resource]:
    """Return the resources of a folder's contents, sorted by path.

    What another file resource of the catalog says more of is left to that one.

    Raises:
        ProviderError: the limit of depth is no number, or there are more than `max_files`.
    """
    made: dict[str, dict[str, object]] = {}
    parent = desired.parameters.resource
    base = inherited(parent)
    if desired.recurse == "true":
        for name, _ in _tree(HostPath(host, desired.path), desired, desired.path):
            made[name] = dict(base)
    if desired.parameters.text("target"):
        _of_target(made, base, desired, host)
    found = remote(desired, host, sources)
    for name, parameters in found.items():
        made.setdefault(name, dict(base)).update(parameters)
    if desired.purge:
        for name in made.keys() - found.keys():
            made[name]["ensure"] = ABSENT
    covered = covering(desired.path, (path_of(one) for one in others if one.type == "File"))
    full = ((f"{desired.path.rstrip('/')}/{name}", made[name]) for name in sorted(made))
    return [brought(parent, path, own) for path, own in full if not is_covered(path, covered)]


def _tree(place: SourcePlace, desired: FileWanted, at: str) -> Iterator[tuple[str, SourcePlace]]:
    """Yield the entries below a folder, breadth first: relative path and place.

    Raises:
        OSError: a link leads nowhere, where links are followed.
    """
    top = place.stat(desired.links)
    if not top or top.kind != "directory":
        return
    limit = desired.parameters.text("recurselimit")
    if limit is not None and not limit.isdecimal():
        raise ProviderError(f"Invalid recurselimit value {limit!r}")
    depth = int(limit) if limit is not None else -1
    ignored = [_pattern(text) for text in desired.parameters.texts("ignore")]
    most = int(desired.parameters.number("max_files", 0))
    queue = [("", place, 0)]
    number = 0
    for path, folder, level in queue:
        if level == depth:
            continue
        for name in folder.names():
            if any(one.match(name) for one in ignored):
                continue
            inner = folder.inside(name)
            found = inner.stat(desired.links)
            number += 1
            if found is None:
                missing = posixpath.join(at, path, name)
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), missing)
            if found.kind == "directory":
                queue.append((f"{path}{name}/", inner, level + 1))
            yield f"{path}{name}", inner
    if 0 < most < number:
        raise ProviderError(
            f"The directory '{desired.path}' contains {number} entries, which exceeds the limit of "
            f"{most} specified by the max_files parameter for this resource. The limit may be "
            "increased, but be aware that large number of file resources can result in excessive "
            "resource consumption and degraded performance. Consider using an alternate method to "
            "manage large directory trees"
        )


def _pattern(text: str) -> re.Pattern[str]:
    """Return a pattern of file names; a leading dot is matched by a dot only."""
    return re.compile(("" if text.startswith(".") else r"(?!\.)") + translate(text))


def remote(desired: FileWanted, host: Host, sources: FileSources) -> dict[str, dict[str, object]]:
    """Return the entries of the sources: relative path and parameters; the first source wins.

    Raises:
        ProviderError: Puppet cannot name one of them.
    """
    every = desired.parameters.text("sourceselect") == "all"
    found: dict[str, dict[str, object]] = {}
    for source in desired.sources:
        place = sources.place(host, source)
        top = place.served(desired.links) if place else None
        if not place or not top:
            continue
        if top.kind != "directory":
            return {}
        for name, inner in _tree(place, desired, source):
            found.setdefault(name, _copy(inner, f"{source}/{name}", desired.links))
        if not every:
            break
    for parameters in found.values():
        source = str(parameters.get("source", ""))
        if not NO_URI.isdisjoint(source):
            raise ProviderError(
                f"Parameter source failed on {desired.parameters.resource}: Could not understand "
                f'source {source}: bad URI(is not URI?): "{source}"'
            )
    return found


def _copy(place: SourcePlace, source: str, links: str) -> dict[str, object]:
    """Return the parameters of a copy; of a link that leads nowhere, which is no source."""
    if place.served(links):
        return {"source": source}
    return {"ensure": "link", "target": place.target()}


def _of_target(
    made: dict[str, dict[str, object]], base: dict[str, object], desired: FileWanted, host: Host
) -> None:
    """Add links to the files of another folder."""
    target = desired.parameters.text("target") or ""
    for name, place in _tree(HostPath(host, target), desired, target):
        parameters = made.setdefault(name, dict(base))
        found = place.stat(desired.links)
        if found and found.kind == "directory":
            parameters["ensure"] = "directory"
        else:
            parameters |= {"ensure": "link", "target": f"{target.rstrip('/')}/{name}"}
