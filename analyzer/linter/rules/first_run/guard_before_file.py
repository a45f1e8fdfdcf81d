"""A command runs only where a file is, and is not ordered after that file.

Why: `onlyif` asks when the turn of the exec comes. If the file comes later, the first run skips the
exec without a message, and the second run does what the first one should have done.

Evidence: `onlyif => 'test -f ...'` with the path of a file that Puppet writes, and no order of the
two. A command that wants the old file is to be ordered before it, and is then accepted. It is a
note.

Bad:

```puppet
file { '/etc/app.sql': content => 'x' }
exec { '/usr/bin/load /var/x': onlyif => '/usr/bin/test -f /etc/app.sql' }  # <--
```

Good:

```puppet
file { '/etc/app.sql': content => 'x' }
-> exec { '/usr/bin/load /var/x': onlyif => '/usr/bin/test -f /etc/app.sql' }
```

Silent:

```puppet
exec { '/usr/bin/save /var/x': onlyif => '/usr/bin/test -f /etc/app.sql' }
-> file { '/etc/app.sql': content => 'x' }
```

```puppet
file { '/etc/app.sql': ensure => absent }
exec { '/usr/bin/load /var/x': onlyif => '/usr/bin/test -f /etc/app.sql' }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.puppet.needs.paths import file_and_guard
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.puppet.unordered import unordered
from analyzer.linter.rule import Problem, rule


@rule("CG318", on=Compiled, severity="note", absence="relationships", acyclic=True)
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check each file that a guard asks for."""
    for pair in file_and_guard(compiled):
        message = (
            f"{pair.second} is not ordered after {pair.first}, but runs only if that file is there"
        )
        found = unordered(
            compiled,
            pair,
            message,
            "the first run of a new machine may skip it, and the second run does it",
        )
        if found:
            yield found
