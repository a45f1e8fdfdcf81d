"""A unit is started by what is not ordered after `systemctl daemon-reload`.

Why: systemd starts a unit as it was when it last read it. A changed unit file notifies the exec
that makes systemd read it, but without an order the start may come first, and the old unit runs
until the next restart. From Puppet 6.1 on, services reload systemd themselves if need be; commands
such as `systemctl restart` never do.

Evidence: a unit file that notifies the exec with `daemon-reload`, what starts that unit, and no
order from the one to the other.

Bad:

```puppet
file { '/etc/systemd/system/app.service': content => 'x' }
~> exec { 'units': command => '/bin/systemctl daemon-reload', refreshonly => true }
exec { 'again':  # <--
  command     => '/bin/systemctl restart app',
  refreshonly => true,
  subscribe   => File['/etc/systemd/system/app.service'],
}
```

```puppet puppet-version=5
file { '/etc/systemd/system/app.service': content => 'x' }
~> exec { 'units': command => '/bin/systemctl daemon-reload', refreshonly => true }
service { 'app':  # <--
  ensure    => running,
  subscribe => File['/etc/systemd/system/app.service'],
}
```

Good:

```puppet
file { '/etc/systemd/system/app.service': content => 'x' }
~> exec { 'units': command => '/bin/systemctl daemon-reload', refreshonly => true }
~> exec { 'again': command => '/bin/systemctl restart app', refreshonly => true }
```

Silent:

```puppet
file { '/etc/systemd/system/app.service': content => 'x' }
~> exec { 'units': command => '/bin/systemctl daemon-reload', refreshonly => true }
service { 'app':
  ensure    => running,
  subscribe => File['/etc/systemd/system/app.service'],
}
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from analyzer.diagnostics import Step
from analyzer.linter.puppet.edits import add_reference
from analyzer.linter.puppet.related_resources import is_present, name_of, path_of
from analyzer.linter.puppet.shared_targets import texts
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, rule
from analyzer.model.resource import Resource

# The unit of a file, drop-ins included.
UNIT = re.compile(r"/(?:etc|run|usr/lib|lib)/systemd/system/([^/]+)\.service(?:\.d/[^/]+)?\Z")

RELOAD = re.compile(r"\bsystemctl\s(?:.*\s)?daemon-reload\b")
START = re.compile(r"\bsystemctl\s+(?:re)?start\s+([\w@.-]+)")

# The first release whose services reload systemd if a unit changed (PUP-3483).
RELOADING = 6


@rule("CG322", on=Compiled, severity="warning", absence="relationships", acyclic=True)
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check what starts the units whose files notify a reload."""
    execs = [(one, [*commands(one)]) for one in compiled.by_type.get("Exec", ())]
    reloads = {str(one): one for one, written in execs if any(map(RELOAD.search, written))}
    units: dict[str, tuple[Resource, Resource]] = {}
    for relationship in compiled.explicit if reloads else ():
        reload = reloads.get(str(relationship.target))
        file = compiled.resource(relationship.source)
        if reload and file and file.type == "File" and relationship.event and is_present(file):
            unit = UNIT.match(path_of(file))
            if unit:
                units[unit[1]] = file, reload
    for starter, name in starters(compiled, execs) if units else ():
        if name not in units:
            continue
        file, reload = units[name]
        if starter is not reload and not compiled.is_before(reload, starter):
            yield Problem(
                f"{starter} may start the old unit: it is not ordered after {reload}",
                starter.span,
                (str(starter), str(reload)),
                (Step(f"{file} notifies {reload}", file.span, (str(file),)),),
                proposals=add_reference(compiled, starter, "require", reload),
            )


def commands(resource: Resource) -> Iterator[str]:
    """Yield the commands of an exec."""
    return texts(resource.parameters.get("command", resource.title))


def starters(
    compiled: Compiled, execs: list[tuple[Resource, list[str]]]
) -> Iterator[tuple[Resource, str]]:
    """Yield what starts a unit without making systemd read it, and the unit."""
    for resource, written in execs:
        for text in written:
            for name in START.findall(text) if not RELOAD.search(text) else ():
                yield resource, name.removesuffix(".service")
    for service in compiled.by_type.get("Service", ()):
        if compiled.puppet_version < RELOADING and service.parameters.get("ensure") == "running":
            yield service, name_of(service).removesuffix(".service")
