"""A resource default adds a relationship to resources of other modules, or to none.

Why: `File { require => ... }` applies to every file in its dynamic scope. This includes files of
other classes and defines that are first declared from this scope, so the dependencies of a file
depend on which class is included first. A default does not apply to resources that are declared
before it: below all resources of its type, it does nothing.

Evidence: a compiled catalog in which the default applied to a resource of another module. A default
at the top of `site.pp` is accepted, because it is meant for all resources. So is a default that
puts all firewall rules between two classes, as the documentation of puppetlabs-firewall recommends.

Bad:

```puppet
class ntp {
  package { 'ntp': }
  File { require => Package['ntp'] }  # <--
  file { '/etc/ntp.conf': }
  include motd
}
class motd {
  file { '/etc/motd': }
}
include ntp
```

```puppet
class ntp {
  package { 'ntp': }
  exec { '/usr/sbin/ntpdate pool.ntp.org': }
  Exec { require => Package['ntp'] }  # <--
}
include ntp
```

Good:

```puppet
class ntp {
  package { 'ntp': }
  file { '/etc/ntp.conf': require => Package['ntp'] }
  include motd
}
class motd {
  file { '/etc/motd': }
}
include ntp
```

Silent:

```puppet
class ntp {
  package { 'ntp': }
  exec { '/bin/true': }
  Exec { require => Package['ntp'] }
  exec { '/usr/sbin/ntpdate pool.ntp.org': }
}
include ntp
```

```puppet
class ntp {
  File { require => undef, before => [] }
  include motd
}
class motd {
  file { '/etc/motd': }
}
include ntp
```

```puppet
exec { '/usr/bin/prepare': }
File { require => Exec['/usr/bin/prepare'] }
class motd {
  file { '/etc/motd': }
}
include motd
```

```puppet
define firewall() {
  notify { "rule ${title}": }
}
class base_rules {
  firewall { 'accept related': }
}
class web {
  firewall { 'accept http': }
}
class profile::firewall {
  Firewall { require => Class['base_rules'] }  # all rules
  include base_rules, web
}
include profile::firewall
```
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from analyzer.linter.puppet.related_resources import module, module_of
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, rule
from analyzer.model.statements import Inherited

# The class of code outside of classes and nodes.
TOP = "Class[main]"

# The number of resources that a message names; it counts the others.
SHOWN = 3

# Types whose resources belong together on a node.
OF_ALL = frozenset({"Firewall", "Firewallchain"})


@rule("CG105", on=Compiled, severity="warning")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check each resource with a relationship from a default of another module."""
    leaks: dict[Inherited, list[str]] = {}
    for one in compiled.record.inherited:
        resource = compiled.resource(one.ref) if one.within != TOP else None
        if resource is None or resource.type in OF_ALL:
            continue
        if module(compiled, resource) != module_of(one.within):
            leaks.setdefault(replace(one, ref=resource.type), []).append(one.ref)
    for default, refs in leaks.items():
        more = f" and {len(refs) - SHOWN:,} more" if len(refs) > SHOWN else ""
        yield Problem(
            f"the default `{default.name}` for {default.ref} leaks out of {default.within} into "
            f"{', '.join(refs[:SHOWN])}{more}",
            default.span,
            tuple(refs),
        )
    for late in compiled.record.late_defaults:
        more = f" and {len(late.refs) - SHOWN:,} more" if len(late.refs) > SHOWN else ""
        yield Problem(
            f"the default `{late.name}` applies to nothing: it is below "
            f"{', '.join(late.refs[:SHOWN])}{more}",
            late.span,
            late.refs,
        )
