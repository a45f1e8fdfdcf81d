"""A command writes a file into a folder that is not ordered before it.

Why: Puppet relates an exec to its `cwd` and to the file of its program, but not to the folders that
it writes to. On a new machine the command fails if the folder comes later; the second run works.

Evidence: the command names the path that it writes (`-o`, `>`, or the path of `creates`), the
catalog manages the folder of that path, and the graph does not order the two.

Bad:

```puppet
file { '/srv/cache': ensure => directory }
exec { '/usr/bin/curl -o /srv/cache/list https://example.com/list': }  # <--
```

```puppet
file { '/srv/keys': ensure => directory }
exec { '/usr/bin/make-key /srv/keys/host': creates => '/srv/keys/host' }  # <--
```

Good:

```puppet
file { '/srv/cache': ensure => directory }
-> exec { '/usr/bin/curl -o /srv/cache/list https://example.com/list': }
```

Silent:

```puppet
file { '/srv/cache': ensure => directory }
exec { '/bin/mkdir -p /srv/cache && /usr/bin/curl -o /srv/cache/list https://example.com/': }
```

```puppet
file { '/srv/app': ensure => directory }
exec { '/usr/bin/git clone https://example.com/a /srv/app': creates => '/srv/app' }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.puppet.needs.paths import folder_and_output
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.puppet.unordered import unordered
from analyzer.linter.rule import Problem, rule


@rule("CG330", on=Compiled, severity="warning", absence="relationships", acyclic=True)
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check the folder of each path that a command writes."""
    for pair in folder_and_output(compiled):
        message = f"{pair.second} is not ordered after {pair.first}, but writes into {pair.thing}"
        found = unordered(
            compiled, pair, message, "a new machine needs two runs if the command comes first"
        )
        if found:
            yield found
