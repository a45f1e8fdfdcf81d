"""A command starts a unit, but is not ordered after `systemctl daemon-reload`.

Why: systemd starts a unit in the version that it last read. A changed unit file may notify an exec
that makes systemd read it again, but without an order the start may come first. Without such an
exec, it always does. The old unit then runs until the next restart. Since Puppet 6.1, services
reload systemd themselves if necessary; commands such as `systemctl restart` never do.

Evidence: a unit file that Puppet writes and a command that starts that unit. Either the file
notifies an exec with `daemon-reload` that is not ordered before the command. Or the file notifies
the command, which restarts the unit without a guard, while no such exec is ordered before it and no
resource manages the service.

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

```puppet
file { '/etc/systemd/system/app.service': content => 'x' }
~> exec { '/bin/systemctl restart app': refreshonly => true }  # <--
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

```puppet
file { '/etc/systemd/system/app.service': content => 'x' }
-> exec { '/bin/systemctl enable app': }
-> exec { '/bin/systemctl start app': }
```
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from analyzer.diagnostics import Step
from analyzer.linter.puppet.edits import add_reference
from analyzer.linter.puppet.related_resources import has_content, is_present, name_of
from analyzer.linter.puppet.shared_targets import paths, texts
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, rule
from analyzer.model.resource import Resource
from analyzer.pattern import pattern

# The unit that a file defines, drop-ins included.
UNIT = pattern(r"/(?:etc|run|usr/lib|lib)/systemd/system/([^/]+\.[a-z]+)(?:\.d/[^/]+)?\Z")

# The suffixes of unit names; a name without one is a service.
KIND = pattern(r"\.(?:mount|path|service|slice|socket|target|timer)\Z")

# `enable` and similar commands also make systemd read all units, but with a guard they often do
# not run.
RELOAD = pattern(r"\bsystemctl\s(?:.*\s)?daemon-reload\b")
READ = pattern(r"\bsystemctl\s(?:.*\s)?(?:daemon-reexec|disable|enable|mask|preset)\b|\binit q\b")
GUARDS = ("creates", "onlyif", "unless")

START = pattern(
    r"\bsystemctl\s+(?:-\S+\s+)*(?:reload-or-|try-)?(?:re)?start((?:\s+[\w@.-]+)+)"
    r"|\bservice\s+([\w@.-]+)\s+(?:re)?start\b"
)
RESTART = pattern(r"restart\b")

# The first release whose services reload systemd if a unit changed (PUP-3483).
RELOADING = 6

Written = list[tuple[Resource, list[str]]]


@rule("CG322", on=Compiled, severity="warning", absence="relationships", acyclic=True)
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check the resources that start units whose files Puppet writes."""
    units: dict[str, list[Resource]] = defaultdict(list)
    for path, file in paths(compiled).items():
        found = UNIT.match(path)
        if found and is_present(file) and has_content(file):
            units[found[1]].append(file)
    execs = [(one, [*commands(one)]) for one in compiled.by_type.get("Exec", ()) if units]
    numbers = (compiled.number(one) for one, written in execs if reads(one, written))
    settled = compiled.after(number for number in numbers if number is not None)
    reloads = reloads_of(compiled, execs)
    services = {unit_of(name_of(one)) for one in compiled.by_type.get("Service", ())}
    for starter, unit in starters(compiled, execs) if units else ():
        if compiled.number(starter) in settled:
            continue
        for file in units.get(unit, ()):
            reload = reloads.get(str(file))
            restarts = unit not in services and is_restart(starter)
            if reload or (restarts and compiled.is_notified(file, starter)):
                yield problem(compiled, file, starter, reload)
                break


def reloads_of(compiled: Compiled, execs: Written) -> dict[str, Resource]:
    """Return the execs that make systemd read its units, by the resource that notifies them or
    their class."""
    by_ref: dict[str, Resource] = {}
    for exec, written in execs:
        if any(map(RELOAD.search, written)):
            by_ref[str(exec)] = exec
            by_ref.setdefault(compiled.class_around(exec), exec)
    return {
        str(one.source): by_ref[str(one.target)]
        for one in (compiled.explicit if by_ref else ())
        if one.event and str(one.target) in by_ref
    }


def problem(
    compiled: Compiled, file: Resource, starter: Resource, reload: Resource | None
) -> Problem:
    """Return the problem of a start before which systemd may not have read the unit."""
    if reload is None:
        return Problem(
            f"{starter} starts the old unit: systemd does not read {file} before it",
            starter.span,
            (str(starter), str(file)),
            (Step(f"{file} is declared here", file.span, (str(file),)),),
            ("no command runs `systemctl daemon-reload` between the two",),
        )
    return Problem(
        f"{starter} may start the old unit: it is not ordered after {reload}",
        starter.span,
        (str(starter), str(reload)),
        (Step(f"{file} notifies {reload}", file.span, (str(file),)),),
        proposals=add_reference(compiled, starter, "require", reload),
    )


def commands(resource: Resource) -> Iterator[str]:
    """Yield the commands of an exec."""
    return texts(resource.parameters.get("command", resource.title))


def reads(resource: Resource, written: list[str]) -> bool:
    """Return whether an exec makes systemd read its units."""
    if any(map(RELOAD.search, written)):
        return True
    return not is_guarded(resource) and any(map(READ.search, written))


def is_restart(resource: Resource) -> bool:
    """Return whether an exec restarts a unit whenever it is notified."""
    is_exec = resource.type == "Exec" and not is_guarded(resource)
    return is_exec and any(map(RESTART.search, commands(resource)))


def is_guarded(resource: Resource) -> bool:
    """Return whether an exec has a guard."""
    return any(resource.parameters.get(name) is not None for name in GUARDS)


def starters(compiled: Compiled, execs: Written) -> Iterator[tuple[Resource, str]]:
    """Yield each resource that starts a unit without making systemd read it, with the unit."""
    for resource, written in execs:
        for text in written:
            if RELOAD.search(text) or READ.search(text):
                continue
            for several, one in START.findall(text):
                for name in several.split() or [one]:
                    yield resource, unit_of(name)
    for service in compiled.by_type.get("Service", ()):
        if compiled.puppet_version < RELOADING and service.parameters.get("ensure") == "running":
            yield service, unit_of(name_of(service))


def unit_of(name: str) -> str:
    """Return the unit that a name stands for."""
    return name if KIND.search(name) else f"{name}.service"
