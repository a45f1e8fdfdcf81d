"""A command never runs, because a file that is managed before it is what it would create.

Why: an exec with `creates` (or `unless => 'test -e ...'`) runs where the file is missing. If
Puppet writes that file first, it is never missing, not on a new machine either. A refresh does not
help: Puppet logs it, and does not run the command.

Evidence: the path of `creates`, a file with that path that Puppet writes, and an order in the
graph. A link does not count: what it points to may be missing.

Bad:

```puppet
file { '/etc/app/key': content => '' }
-> exec { '/usr/bin/make-key': creates => '/etc/app/key' }  # <--
```

```puppet
file { '/etc/app/key': ensure => file }
-> exec { '/usr/bin/make-key': unless => '/usr/bin/test -f /etc/app/key' }  # <--
```

Good:

```puppet
exec { '/usr/bin/make-key': creates => '/etc/app/key' }
-> file { '/etc/app/key': mode => '0600' }
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
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.diagnostics import Step
from analyzer.linter.puppet.needs.paths import is_brought
from analyzer.linter.puppet.related_resources import is_present
from analyzer.linter.puppet.shared_targets import TEST, paths, texts
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, rule
from analyzer.model.resource import Resource


@rule("CG317", on=Compiled, severity="warning", acyclic=True)
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check each exec and the files that spare it its work."""
    files = paths(compiled)
    for resource in compiled.by_type.get("Exec", ()) if files else ():
        for path in spared_by(resource):
            file = files.get(path)
            if file is None or not is_present(file) or not is_brought(file) or is_link(file):
                continue
            if compiled.is_before(file, resource):
                yield Problem(
                    f"{resource} never runs: {file} is managed before it, so {path} is there",
                    resource.span,
                    (str(resource), str(file)),
                    (Step(f"{file} is declared here", file.span, (str(file),)),),
                )
                break


def spared_by(resource: Resource) -> Iterator[str]:
    """Yield the paths, one of which is enough for an exec not to run."""
    for path in texts(resource.parameters.get("creates")):
        yield path.rstrip("/")
    for test in texts(resource.parameters.get("unless")):
        found = TEST.fullmatch(test.strip().removeprefix("/usr/bin/").removeprefix("/bin/"))
        if found:
            yield found[1].rstrip("/")


def is_link(file: Resource) -> bool:
    """Return whether a file is a link."""
    ensure = file.parameters.get("ensure")
    target = file.parameters.get("target") is not None
    return ensure == "link" or target or str(ensure).startswith("/")
