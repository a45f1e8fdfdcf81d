"""In every run, Puppet purges something that another resource creates again.

Why: purging removes everything that is not in the catalog. A file or entry that a command, a
template or a `file_line` creates is not in the catalog. Each run removes it, and the other resource
creates it again, or sees nothing to do.

Evidence: a folder with `purge` and `recurse`, and a command that names a file in it as its output,
or a yumrepo, whose file no resource manages (confirmed with real Puppet). Or `resources { 'host':
purge => true }`, and a resource that writes the file of that type directly, such as /etc/hosts.
CG332 compares several catalogs. In an incomplete catalog it is a note, because something unknown
may manage the file. Users have reported the problem, but it is rare in public code, so the rule is
off by default.

Bad:

```puppet
file { '/etc/app.d': ensure => directory, purge => true, recurse => true }
-> exec { '/usr/bin/make-conf': creates => '/etc/app.d/made.conf' }  # <--
```

```puppet
file { '/etc/yum.repos.d': ensure => directory, purge => true, recurse => true }
yumrepo { 'epel': baseurl => 'https://example.com' }  # <--
```

```puppet
resources { 'host': purge => true }
file { '/etc/hosts': content => '127.0.0.1 localhost' }  # <--
```

```puppet
resources { 'yumrepo': purge => true }
exec { '/usr/bin/wget -O /etc/yum.repos.d/own.repo https://example.com': }  # <--
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

from collections.abc import Iterator

from analyzer.diagnostics import Step
from analyzer.linter.puppet.purges import purged
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, rule

# The note of a finding in a catalog that may contain more files than are known.
UNSURE = "the catalog is incomplete: something unknown may manage it"


@rule("CG323", on=Compiled, severity="warning", default=False)
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check each folder and type that is purged."""
    for purge, maker, what in purged(compiled, compiled):
        yield Problem(
            f"{purge} removes {what} in every run, which {maker} makes",
            maker.span,
            (str(maker), str(purge)),
            (Step(f"{purge} is declared here", purge.span, (str(purge),)),),
            () if compiled.complete else (UNSURE,),
            severity=None if compiled.complete else "note",
        )
