"""A command is not ordered after the package that provides it.

Why: Puppet relates an exec to files and to its user, but not to packages. On a new machine the exec
fails with "Could not find command" if it comes first. The second run works, because the first one
has installed the package.

Evidence: the program of the command has the name of a package in the catalog, or is known to come
with one, and the graph does not order the two. Programs that are part of every base system do not
count. Nor does an exec with `refreshonly` that nothing in this catalog notifies: it does not run.

Bad:

```puppet
package { 'ntpdate': }
exec { 'clock': command => '/usr/sbin/ntpdate pool.ntp.org' }  # <--
```

```puppet
package { 'docker': }
exec { 'image':  # <--
  command => 'docker pull app',
  path    => '/usr/bin',
  unless  => 'docker images | grep -q app',
}
```

```puppet
package { 'mariadb-server': }
exec { '/usr/bin/mariadb -e "CREATE DATABASE wiki"': }  # <--
```

```puppet
package { 'git': }
exec { '/usr/bin/pip install git+https://example.com/tool': }  # <--
```

Good:

```puppet
package { 'ntpdate': }
exec { '/usr/sbin/ntpdate pool.ntp.org': require => Package['ntpdate'] }
```

Silent:

```puppet
package { 'git': }
exec { '/usr/bin/pip install tool-git': }
```

```puppet
package { 'git': }
exec { '/opt/own/bin/git pull': }
```

```puppet
package { 'ntpdate': ensure => absent }
exec { '/usr/sbin/ntpdate pool.ntp.org': }
```

```puppet
package { 'semodule': }
exec { '/usr/sbin/semodule -r old': onlyif => 'test -x /usr/sbin/semodule' }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.puppet.needs.packages import package_and_program
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.puppet.unordered import unordered
from analyzer.linter.rule import Problem, rule
from analyzer.linter.rules.graph.unheard_refreshonly import is_true, notified


@rule("CG320", on=Compiled, severity="warning", absence="relationships", acyclic=True)
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check each exec and the package of its program."""
    told: set[int | None] | None = None
    for pair in package_and_program(compiled):
        if is_true(pair.second.parameters.get("refreshonly")):
            told = notified(compiled) if told is None else told
            if compiled.number(pair.second) not in told:
                continue
        message = f"{pair.second} is not ordered after {pair.first}, which provides {pair.thing}"
        found = unordered(
            compiled, pair, message, "a new machine needs two runs if the command comes first"
        )
        if found:
            yield found
