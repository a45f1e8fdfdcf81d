"""A refresh does not run a command, because of its `creates`.

Why: on an event Puppet checks `creates` too. Once the file is there, the command does not run
again, whatever changes; the log says "Triggered 'refresh'" all the same. To run it again, remove
what it made first, or ask with `unless` whether it is out of date.

Evidence: `creates` of a file that the command names, and a notification from something whose
content can change. Puppet was run with it. Perhaps the order is all that is wanted: it is a note.

Bad:

```puppet
file { '/etc/map': content => 'a b' }
~> exec { '/usr/bin/make-map': creates => '/etc/map.db' }  # <--
```

Good:

```puppet
file { '/etc/map': content => 'a b' }
~> exec { '/usr/bin/make-map': unless => '/usr/bin/test /etc/map.db -nt /etc/map' }
```

Silent:

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

from collections.abc import Iterator
from posixpath import basename, splitext

from analyzer.diagnostics import Step
from analyzer.linter.puppet.related_resources import has_content
from analyzer.linter.puppet.shared_targets import texts
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, rule
from analyzer.model.resource import Resource

# Types other than files whose changes are changes of content.
CHANGING = ("Archive", "Concat", "File_line", "Ini_setting", "Vcsrepo")


@rule("CG327", on=Compiled, severity="note")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check each exec that a relationship notifies."""
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
            )


def can_change(source: Resource) -> bool:
    """Return whether a resource sends events after the first run."""
    given = source.parameters
    if source.type == "File":
        return has_content(source) and given.get("replace") not in (False, "false", "no")
    return source.type in CHANGING and not given.get("creates")


def remakes(resource: Resource, path: str) -> bool:
    """Return whether a command would make a file anew, and does not remove it first."""
    commands = [*texts(resource.parameters.get("command", resource.title))]
    named = splitext(basename(path.rstrip("/")))[0]
    removes = any("rm " in one or "unlink" in one for one in commands)
    is_named = any(named in one for one in commands)
    return is_named and not removes and not resource.parameters.get("refresh")
