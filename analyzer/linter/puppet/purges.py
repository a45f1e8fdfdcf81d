"""The files and resources that `purge` of folders and of `resources` removes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from posixpath import basename

from analyzer.linter.puppet.related_resources import has_content, is_present, name_of, path_of
from analyzer.linter.puppet.shared_targets import (
    PRODUCED,
    WRITERS,
    folders_above,
    paths,
    texts,
)
from analyzer.linter.puppet.subjects import Compiled
from analyzer.model.resource import Resource

# The resource that purges, the one that creates something, and the purged thing.
Purged = tuple[Resource, Resource, str]

# The files that purged types read, and commands that write them.
READ: dict[str, tuple[str, str]] = {
    "cron": (r"/var/spool/cron/.+", r"\bcrontab\s+(?!-[lu])"),
    "group": (r"/etc/group", r"\b(?:groupadd|addgroup)\b"),
    "host": (r"/etc/hosts", r">\s*/etc/hosts\b"),
    "mailalias": (r"/etc/aliases", r">\s*/etc/aliases\b"),
    "mount": (r"/etc/fstab", r">\s*/etc/fstab\b"),
    "sshkey": (r"/etc/ssh/ssh_known_hosts", r">\s*/etc/ssh/ssh_known_hosts\b"),
    "user": (r"/etc/passwd", r"\b(?:useradd|adduser)\b"),
    "yumrepo": (r"/etc/yum\.repos\.d/.+\.repo", r"\byum-config-manager\s.*--add-repo\b"),
}
# Patterns for all of these files, and for all of these commands.
FILES, COMMANDS = (
    re.compile("|".join(f"(?:{one})" for one in column))
    for column in zip(*READ.values(), strict=True)
)

# Types that create files which no resource represents.
MAKERS = ("Exec", "Yumrepo")


@dataclass(frozen=True, slots=True)
class Traces:
    """The types and folders that a catalog purges, the paths that its commands create, and the
    types whose files it writes in another way. The last two may include more than really happens.

    `purges` is true if the catalog purges something, or may do so.
    """

    purges: bool
    kinds: frozenset[str]
    folders: frozenset[str]
    made: frozenset[str]
    written: frozenset[str]

    def meet(self, other: Traces) -> bool:
        """Return whether this catalog may purge something that another one creates."""
        if self.kinds & other.written:
            return True
        return bool(self.folders) and any(
            above in self.folders for path in other.made for above in folders_above(path)
        )


def traces_of(compiled: Compiled) -> Traces:
    """Return the traces of a catalog."""
    files = compiled.by_type.get("File", ())
    makers = [one for kind in MAKERS for one in compiled.by_type.get(kind, ())]
    kinds = frozenset(kind for _, kind in purged_types(compiled))
    return Traces(
        bool(kinds) or any(one.parameters.get("purge") for one in files),
        kinds,
        frozenset(path_of(one) for one in files if is_purging(one)),
        frozenset(path for one in makers for path in outputs(one)),
        frozenset(written_kinds(compiled)),
    )


def written_kinds(compiled: Compiled) -> Iterator[str]:
    """Yield the types whose files a catalog may write in another way."""
    named = [path_of(one) for one in compiled.by_type.get("File", ())]
    for writer, name in WRITERS:
        named += (str(r.parameters.get(name, "")) for r in compiled.by_type.get(writer, ()))
    for resource in compiled.by_type.get("Exec", ()):
        named += outputs(resource)
        for command in filter(COMMANDS.search, commands(resource)):
            yield from (kind for kind, (_, one) in READ.items() if re.search(one, command))
    for path in filter(FILES.fullmatch, named):
        yield from (kind for kind, (file, _) in READ.items() if re.fullmatch(file, path))


def commands(resource: Resource) -> Iterator[str]:
    """Yield the commands of an exec."""
    yield from texts(resource.parameters.get("command", resource.title))


def purged(purging: Compiled, making: Compiled) -> Iterator[Purged]:
    """Yield each thing that one catalog purges and another one, or the same, creates otherwise."""
    yield from in_folders(purging, making)
    yield from of_types(purging, making)


def in_folders(purging: Compiled, making: Compiled) -> Iterator[Purged]:
    """Yield each purged folder with a resource that creates an unmanaged file in it."""
    files = paths(purging)
    gone = {path: file for path, file in files.items() if is_purging(file)}
    known = files if making is purging or not gone else {**files, **paths(making)}
    makers = [one for kind in MAKERS for one in making.by_type.get(kind, ())] if gone else []
    for resource in makers:
        for path in sorted({*outputs(resource)}):
            above = next((one for one in folders_above(path) if one in gone), None)
            if above and path not in known and not is_spared(gone[above], above, path):
                yield gone[above], resource, path
                break


def outputs(resource: Resource) -> Iterator[str]:
    """Yield the paths that an exec names as its output, or the file of a repository."""
    if resource.type == "Yumrepo":
        if is_present(resource) and not resource.parameters.get("target"):
            yield f"/etc/yum.repos.d/{name_of(resource)}.repo"
        return
    for path in texts(resource.parameters.get("creates")):
        yield path.rstrip("/")
    for command in commands(resource):
        yield from PRODUCED.findall(command)


def is_purging(file: Resource) -> bool:
    """Return whether a folder is purged."""
    given = file.parameters
    return (
        is_present(file)
        and given.get("purge") in (True, "true")
        and given.get("recurse") in (True, "true")
        and given.get("noop") not in (True, "true")
    )


def is_spared(folder: Resource, above: str, path: str) -> bool:
    """Return whether a purged folder keeps a path, by `ignore`, by its depth, or as a folder."""
    inside = path[len(above) + 1 :].split("/")
    ignored = [*texts(folder.parameters.get("ignore"))]
    if any(fnmatchcase(basename(part), pattern) for part in inside for pattern in ignored):
        return True
    # Puppet does not remove folders without `force`.
    is_deep = len(inside) > 1
    return is_deep and (folder.parameters.get("recurselimit") or not folder.parameters.get("force"))


def of_types(purging: Compiled, making: Compiled) -> Iterator[Purged]:
    """Yield each purged type with a resource that writes files of that type in another way."""
    for purge, kind in purged_types(purging):
        if kind not in READ:
            continue
        path, command = (re.compile(one) for one in READ[kind])
        for file_path, file in paths(making).items():
            if path.fullmatch(file_path) and is_present(file) and has_content(file):
                yield purge, file, f"every {kind} of {file_path} that is not in the catalog"
        for writer, name in WRITERS:
            for resource in making.by_type.get(writer, ()):
                if path.fullmatch(str(resource.parameters.get(name, ""))) and is_present(resource):
                    yield purge, resource, f"the {kind} that is not in the catalog"
        for resource in making.by_type.get("Exec", ()):
            makes = any(map(path.fullmatch, outputs(resource)))
            if makes or any(map(command.search, commands(resource))):
                yield purge, resource, f"the {kind} that is not in the catalog"


def purged_types(compiled: Compiled) -> Iterator[tuple[Resource, str]]:
    """Yield each resource that purges a type, with the type in lower case."""
    for purge in compiled.by_type.get("Resources", ()):
        if purge.parameters.get("purge") in (True, "true"):
            yield purge, str(purge.parameters.get("name") or purge.title).lower()
