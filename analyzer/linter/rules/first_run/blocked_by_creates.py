"""A command does not run because of its `creates`.

Why: an exec with `creates` (or `unless => 'test -e ...'`, or `onlyif => 'test ! -e ...'`) runs only
if the file is missing. If Puppet writes that file first, it is never missing, not even on a new
machine. Puppet also checks `creates` on an event: once the file exists, the command does not run
again, although the log says "Triggered 'refresh'". To run it again, remove the file first, or check
with `unless` whether the file is out of date.

Evidence: Puppet writes a file with that path, and the graph orders the file before the exec. A link
does not count, because its target may be missing. Or the command also names the file of `creates`,
and a resource whose content can change notifies the exec (confirmed with real Puppet). The second
form is a note, because only the order may be intended.

Bad:

```puppet
file { '/etc/app/key': content => '' }
-> exec { '/usr/bin/make-key': creates => '/etc/app/key' }  # <--
```

```puppet
file { '/etc/app/key': ensure => file }
-> exec { '/usr/bin/make-key': unless => '/usr/bin/test -f /etc/app/key' }  # <--
```

```puppet
file { '/etc/app/key': ensure => file }
-> exec { '/usr/bin/make-key': onlyif => 'test ! -f /etc/app/key' }  # <--
```

```puppet
file { '/etc/map': content => 'a b' }
~> exec { '/usr/bin/make-map': creates => '/etc/map.db' }  # <--
```

Good:

```puppet
exec { '/usr/bin/make-key': creates => '/etc/app/key' }
-> file { '/etc/app/key': mode => '0600' }
```

```puppet
file { '/etc/map': content => 'a b' }
~> exec { '/usr/bin/make-map': unless => '/usr/bin/test /etc/map.db -nt /etc/map' }
```

Silent:

```puppet
file { '/etc/app/key': mode => '0600' }
-> exec { '/usr/bin/make-key': creates => '/etc/app/key' }
```

```puppet
file { '/etc/app/key': ensure => absent }
-> exec { '/usr/bin/make-key': creates => '/etc/app/key' }
```

```puppet
file { '/srv/app': ensure => link, target => '/srv/app-2' }
-> exec { '/usr/bin/unpack': creates => '/srv/app' }
```

```puppet
file { '/etc/map': content => 'a b' }
-> exec { '/usr/bin/make-map': creates => '/etc/map.db' }
```

```puppet
file { '/srv/map': ensure => directory }
~> exec { '/usr/bin/make-map': creates => '/srv/map/db' }
```

```puppet
file { '/etc/map': content => 'a b' }
~> exec { '/bin/rm -f /etc/map.db && /usr/bin/make-map': creates => '/etc/map.db' }
```

```puppet
file { '/etc/cluster.yaml': content => 'a b' }
~> exec { '/usr/bin/join --config /etc/cluster.yaml': creates => '/var/lib/node/joined' }
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from posixpath import basename, splitext

from analyzer.diagnostics import Step
from analyzer.linter.puppet.needs.paths import is_brought
from analyzer.linter.puppet.related_resources import has_content, is_present
from analyzer.linter.puppet.shared_targets import is_folder, paths, texts
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, rule
from analyzer.model.resource import Resource

# Types other than files whose changes are changes of content.
CHANGING = ("Archive", "Concat", "File_line", "Ini_setting", "Vcsrepo")

# A guard that only checks a path: the required type of file, and the path.
ASKED = r"\s+-([def])\s+['\"]?(/[\w.@/+-]*[\w@+-])/?['\"]?(?:\s+\])?"
PROGRAM = r"\s*(?:/usr)?(?:/bin/)?(?:test|\[)"
THERE = re.compile(PROGRAM + ASKED)
MISSING = re.compile(rf"{PROGRAM}\s+!{ASKED}|!{PROGRAM}{ASKED}")


@rule("CG327", on=Compiled, severity="warning", acyclic=True)
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check each exec, the files that keep it from running, and the resources that notify it."""
    yield from spared(compiled)
    yield from blocked(compiled)


def spared(compiled: Compiled) -> Iterator[Problem]:
    """Yield execs that never run, because a file is managed before them."""
    files = paths(compiled)
    for resource in compiled.by_type.get("Exec", ()) if files else ():
        for kind, path in spared_by(resource):
            file = files.get(path)
            if file is None or not is_present(file) or not is_brought(file) or is_link(file):
                continue
            if kind != "e" and is_folder(file) != (kind == "d"):
                continue
            if compiled.is_before(file, resource):
                yield Problem(
                    f"{resource} never runs: {file} is managed before it, so {path} is there",
                    resource.span,
                    (str(resource), str(file)),
                    (Step(f"{file} is declared here", file.span, (str(file),)),),
                )
                break


def spared_by(resource: Resource) -> Iterator[tuple[str, str]]:
    """Yield each path that keeps an exec from running, and the required type: a file (f), a
    directory (d), or either (e)."""
    for path in texts(resource.parameters.get("creates")):
        yield "e", path.rstrip("/")
    for attribute, asks in (("unless", THERE), ("onlyif", MISSING)):
        for test in texts(resource.parameters.get(attribute)):
            found = asks.fullmatch(test.strip())
            if found:
                kind, path = filter(None, found.groups())
                yield kind, path


def is_link(file: Resource) -> bool:
    """Return whether a file is a link."""
    ensure = file.parameters.get("ensure")
    target = file.parameters.get("target") is not None
    return ensure == "link" or target or str(ensure).startswith("/")


def blocked(compiled: Compiled) -> Iterator[Problem]:
    """Yield execs that a refresh does not run."""
    for relationship in compiled.explicit:
        target, source = compiled.resource(relationship.target), relationship.source
        if not relationship.event or target is None or target.type != "Exec":
            continue
        path = next(texts(target.parameters.get("creates")), None)
        changing = compiled.resource(source)
        if path and changing and can_change(changing) and remakes(target, path):
            yield Problem(
                f"once {path} is there, the refresh from {source} does not run {target}",
                target.span,
                (str(target), str(source)),
                (Step(f"{source} notifies it here", relationship.origin.span, (str(source),)),),
                severity="note",
            )


def can_change(source: Resource) -> bool:
    """Return whether a resource sends events after the first run."""
    given = source.parameters
    if source.type == "File":
        return has_content(source) and given.get("replace") not in (False, "false", "no")
    return source.type in CHANGING and not given.get("creates")


def remakes(resource: Resource, path: str) -> bool:
    """Return whether a command would create a file again without removing it first."""
    commands = [*texts(resource.parameters.get("command", resource.title))]
    named = splitext(basename(path.rstrip("/")))[0]
    removes = any("rm " in one or "unlink" in one for one in commands)
    is_named = any(named in one for one in commands)
    return is_named and not removes and not resource.parameters.get("refresh")
