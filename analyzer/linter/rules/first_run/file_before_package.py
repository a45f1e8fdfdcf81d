"""A file is not ordered after the package that provides its folder or its owner.

Why: a file below /var/lib/x or /opt/x cannot be written before the package x creates the folder,
and a file of the user x cannot be written before the package creates the user. The first run fails,
the second one succeeds. (CG310 checks configuration files in /etc.)

Evidence: the folder, the owner or the group has the name of a package of the same module, the
catalog does not manage it, and the graph does not order the two.

Bad:

```puppet
package { 'grafana': }
file { '/var/lib/grafana/plugins/x.json': content => '{}' }  # <--
```

```puppet
package { 'zabbix': }
file { '/usr/local/bin/check': content => 'x', owner => 'zabbix' }  # <--
```

Good:

```puppet
package { 'grafana': }
-> file { '/var/lib/grafana/plugins/x.json': content => '{}' }
```

Silent:

```puppet
package { 'grafana': }
file { '/var/lib/grafana': ensure => directory }
file { '/var/lib/grafana/x.json': content => '{}' }
```

```puppet
package { 'zabbix': }
user { 'zabbix': }
file { '/usr/local/bin/check': content => 'x', owner => 'zabbix' }
```

```puppet
file { '/opt/agent/answers/x': content => 'x', before => Package['agent'] }
package { 'agent': }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.puppet.needs.packages import package_and_place
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.puppet.unordered import unordered
from analyzer.linter.rule import Problem, rule


@rule("CG321", on=Compiled, severity="warning", absence="relationships", acyclic=True)
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check each file outside /etc, and the package that it needs."""
    for pair in package_and_place(compiled):
        message = f"{pair.second} is not ordered after {pair.first}, which provides {pair.thing}"
        found = unordered(
            compiled, pair, message, "a new machine needs two runs if the file comes first"
        )
        if found:
            yield found
