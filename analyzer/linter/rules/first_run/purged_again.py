"""Something is purged in every run that another resource makes in another way.

Why: purging removes what is not in the catalog. What a command, a template or a line of a file
brings is not, so each run removes it, and what brings it makes it again, or finds nothing to do.

Evidence: a folder with `purge` and `recurse`, and a command that says it makes a file in it, which
no resource manages; or `resources { 'host': purge => true }`, and a resource of another type that
writes what that type reads, such as /etc/hosts.

Bad:

```puppet
file { '/etc/app.d': ensure => directory, purge => true, recurse => true }
-> exec { '/usr/bin/make-conf': creates => '/etc/app.d/made.conf' }  # <--
```

```puppet
resources { 'host': purge => true }
file { '/etc/hosts': content => '127.0.0.1 localhost' }  # <--
```

```puppet
resources { 'yumrepo': purge => true }
file { '/etc/yum.repos.d/own.repo': content => '[own]' }  # <--
```

Good:

```puppet
file { '/etc/app.d': ensure => directory, purge => true, recurse => true }
-> exec { '/usr/bin/make-conf': creates => '/etc/app.d/made.conf' }
-> file { '/etc/app.d/made.conf': }
```

Silent:

```puppet
file { '/etc/app.d': ensure => directory, purge => true, recurse => true, ignore => '*.conf' }
-> exec { '/usr/bin/make-conf': creates => '/etc/app.d/made.conf' }
```

```puppet
resources { 'host': purge => true }
file { '/etc/hosts.allow': content => 'sshd: ALL' }
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from posixpath import basename

from analyzer.diagnostics import Step
from analyzer.linter.puppet.related_resources import has_content, is_present
from analyzer.linter.puppet.shared_targets import (
    PRODUCED,
    WRITERS,
    folders_above,
    paths,
    texts,
)
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, rule
from analyzer.model.resource import Resource

# What types read that `resources` purges: the files, and commands that write them.
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


@rule("CG323", on=Compiled, severity="warning", absence="resources")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check folders and types that are purged."""
    for purged, maker, what in (*in_folders(compiled), *of_types(compiled)):
        yield Problem(
            f"{purged} removes {what} in every run, which {maker} makes",
            maker.span,
            (str(maker), str(purged)),
            (Step(f"{purged} is declared here", purged.span, (str(purged),)),),
        )


def in_folders(compiled: Compiled) -> Iterator[tuple[Resource, Resource, str]]:
    """Yield purged folders, and commands that make a file in them which nothing manages."""
    files = paths(compiled)
    purged = {path: file for path, file in files.items() if is_purging(file)}
    for resource in compiled.by_type.get("Exec", ()) if purged else ():
        for path in sorted({*outputs(resource)}):
            above = next((one for one in folders_above(path) if one in purged), None)
            if above and path not in files and not is_spared(purged[above], above, path):
                yield purged[above], resource, path
                break


def outputs(resource: Resource) -> Iterator[str]:
    """Yield the paths that an exec says it makes."""
    for path in texts(resource.parameters.get("creates")):
        yield path.rstrip("/")
    for command in texts(resource.parameters.get("command", resource.title)):
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
    """Return whether a purged folder keeps a path: by `ignore`, depth, or as a full folder."""
    inside = path[len(above) + 1 :].split("/")
    ignored = [*texts(folder.parameters.get("ignore"))]
    if any(fnmatchcase(basename(part), pattern) for part in inside for pattern in ignored):
        return True
    # Puppet leaves folders alone without `force`.
    is_deep = len(inside) > 1
    return is_deep and (folder.parameters.get("recurselimit") or not folder.parameters.get("force"))


def of_types(compiled: Compiled) -> Iterator[tuple[Resource, Resource, str]]:
    """Yield purged types, and what writes the files of such a type in another way."""
    for purge in compiled.by_type.get("Resources", ()):
        kind = str(purge.parameters.get("name") or purge.title).lower()
        if purge.parameters.get("purge") not in (True, "true") or kind not in READ:
            continue
        path, command = (re.compile(one) for one in READ[kind])
        for file_path, file in paths(compiled).items():
            if path.fullmatch(file_path) and is_present(file) and has_content(file):
                yield purge, file, f"every {kind} of {file_path} that is not in the catalog"
        for writer, name in WRITERS:
            for resource in compiled.by_type.get(writer, ()):
                if path.fullmatch(str(resource.parameters.get(name, ""))) and is_present(resource):
                    yield purge, resource, f"the {kind} that is not in the catalog"
        for resource in compiled.by_type.get("Exec", ()):
            written = texts(resource.parameters.get("command", resource.title))
            if any(map(command.search, written)):
                yield purge, resource, f"the {kind} that is not in the catalog"
