"""Something is removed too early: another resource must be removed or stopped first.

Why: Puppet orders removals like creations. A user automatically comes after its group, so a group
is removed before the user whose primary group it is. `groupdel` then refuses, and Puppet skips the
user, so both stay in every run. An init script that is to stop a service is gone after its package
was removed.

Evidence: both resources are removed (or the service is stopped), and the graph, including automatic
relationships, orders them this way (confirmed with real Puppet). For services it is a note, and
only if the service names a provider other than systemd: for systemd, a missing unit is stopped.

Bad:

```puppet
group { 'app': ensure => absent }  # <--
user { 'app': ensure => absent, gid => 'app' }
```

```puppet
package { 'tomcat': ensure => absent }  # <--
-> service { 'tomcat': ensure => stopped, provider => 'init' }
```

Good:

```puppet
user { 'app': ensure => absent, gid => 'app' }
-> group { 'app': ensure => absent }
```

Silent:

```puppet
group { 'app': ensure => absent }
user { 'app': ensure => present, gid => 'web' }
```

```puppet
service { 'tomcat': ensure => stopped, provider => 'init' }
-> package { 'tomcat': ensure => absent }
```

```puppet
package { 'tomcat': ensure => absent }
-> service { 'tomcat': ensure => stopped, enable => false }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.diagnostics import Step
from analyzer.linter.puppet.related_resources import module, name_of
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, rule
from analyzer.linter.rules.first_run.needs_removed import is_removed
from analyzer.model.resource import Resource


@rule("CG331", on=Compiled, severity="warning", acyclic=True)
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check each removed group and package against the resources that need it longer."""
    removed = [one for one in compiled.by_type.get("Group", ()) if is_removed(one)]
    groups = {str(one.parameters["gid"]): one for one in removed if "gid" in one.parameters}
    groups |= {name_of(one): one for one in removed}
    for user in compiled.by_type.get("User", ()) if groups else ():
        group = groups.get(str(user.parameters.get("gid", "")))
        if group is not None and is_removed(user) and compiled.is_before(group, user):
            yield problem(group, user, "is the primary group of", None)
    packages = {
        (module(compiled, one), name_of(one)): one
        for one in compiled.by_type.get("Package", ())
        if is_removed(one)
    }
    for service in compiled.by_type.get("Service", ()) if packages else ():
        package = packages.get((module(compiled, service), name_of(service)))
        stopped = service.parameters.get("ensure") in ("stopped", False)
        # `systemctl is-active` calls a missing unit inactive (provider/service/systemd.rb).
        if str(service.parameters.get("provider", "systemd")) == "systemd":
            continue
        if package is not None and stopped and compiled.is_before(package, service):
            yield problem(package, service, "brings", "note")


def problem(first: Resource, second: Resource, what: str, severity: str | None) -> Problem:
    """Return the problem of a resource that is removed before another one."""
    return Problem(
        f"{first} is removed before {second}, and {what} it",
        first.span,
        (str(first), str(second)),
        (Step(f"{second} is declared here", second.span, (str(second),)),),
        severity="note" if severity else None,
    )
