"""A folder has `purge`, but nothing is ever purged.

Why: `purge => true` removes files only if `recurse => true` makes Puppet look into the folder.
Without `recurse`, or with `recurse => remote`, all files stay, and Puppet prints no message. (If
somebody adds `recurse` later, the files are removed unexpectedly.)

Evidence: the attributes of the file. Real Puppet removed nothing with either form. An explicit
`recurse => false` is accepted: somebody chose it, often through a parameter.

Bad:

```puppet
file { '/etc/drbd.d': ensure => directory, purge => true }  # <--
```

```puppet
file { '/etc/app.d': purge => true, recurse => remote, source => '/srv/app.d' }  # <--
```

Good:

```puppet
file { '/etc/drbd.d': ensure => directory, purge => true, recurse => true }
```

Silent:

```puppet
file { '/etc/drbd.d': ensure => directory, purge => false }
```

```puppet
file { '/etc/drbd.d': ensure => directory, purge => true, recurse => false }
```

```puppet
file { '/etc/drbd.d': ensure => absent, purge => true, force => true }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.puppet.related_resources import is_present
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, rule

# Values of `recurse` with which Puppet does not look at the files of the folder (type/file.rb).
BLIND = (None, "remote")


@rule("CG316", on=Compiled, severity="warning")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check each file with `purge`."""
    for file in compiled.by_type.get("File", ()):
        recurse = file.parameters.get("recurse")
        if file.parameters.get("purge") in (True, "true") and is_present(file) and recurse in BLIND:
            why = (
                "`recurse => remote` does not look at existing files" if recurse == "remote" else ""
            )
            yield Problem(
                f"{file} purges nothing: it has `purge`, but not `recurse => true`",
                file.span,
                (str(file),),
                notes=(why,) if why else (),
            )
