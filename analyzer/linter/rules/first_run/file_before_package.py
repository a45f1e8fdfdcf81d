"""A file is not ordered after the resource that provides its folder or its owner.

Why: a file below /var/lib/x or /opt/x cannot be written before the package x creates the folder,
and a file of the user x cannot be written before the package creates the user. The first run fails,
the second one succeeds. The same is true of a command that writes below such a folder, and of a
user that a file in sysusers.d declares. (CG310 checks configuration files in /etc.)

Evidence: the folder has the name of a package of the same module, or the owner or group has the
name of any package, or the beginning of it. The catalog does not manage the folder or the account
itself, and the graph does not order the two.

Bad:

```puppet
package { 'grafana': }
file { '/var/lib/grafana/plugins/x.json': content => '{}' }  # <--
```

```puppet
package { 'zabbix': }
file { '/usr/local/bin/check': content => 'x', owner => 'zabbix' }  # <--
```

```puppet
class agent { package { 'probed-agent': } }
class profile { file { '/usr/local/bin/check': content => 'x', owner => 'probed' } }  # <--
include agent, profile
```

```puppet
file { '/etc/sysusers.d/app.conf': content => "u app - 'App' /srv/app" }
~> exec { '/usr/bin/systemd-sysusers': refreshonly => true }
file { '/srv/app': ensure => directory, owner => 'app' }  # <--
```

```puppet
package { 'geoip-database': }
exec { '/usr/bin/wget -O /usr/share/geoip/x.dat https://example.com/x': }  # <--
```

Good:

```puppet
package { 'grafana': }
-> file { '/var/lib/grafana/plugins/x.json': content => '{}' }
```

Silent:

```puppet
package { 'media-libs/libva-intel-media-driver': }
file { '/srv/films': ensure => directory, owner => 'media' }
```

```puppet
package { 'git': }
file { '/srv/repositories': ensure => directory, owner => 'git' }
```

```puppet
package { 'app-agent': }
exec { '/usr/sbin/useradd -r app': unless => '/usr/bin/id app' }
file { '/srv/app': ensure => directory, owner => 'app' }
```

```puppet
package { 'geoip-database': }
exec { '/bin/mkdir -p /usr/share/geoip && /usr/bin/wget -O /usr/share/geoip/x https://a/x': }
```

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

from analyzer.linter.puppet.needs.owners import maker_and_owned
from analyzer.linter.puppet.needs.packages import package_and_place
from analyzer.linter.puppet.shared_targets import Pair
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.puppet.unordered import unordered
from analyzer.linter.rule import Problem, rule

MAKER = "the resource that creates it"
TWO_RUNS = "a new machine needs two runs if the other order applies"


@rule("CG321", on=Compiled, severity="warning", absence="relationships", acyclic=True)
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check the folders that files and commands need, and the owners of files."""
    for pair in package_and_place(compiled):
        message = f"{pair.second} is not ordered after {pair.first}, which provides {pair.thing}"
        found = unordered(compiled, pair, message, TWO_RUNS)
        if found:
            yield found
    # The files of a class that belong to one account have one cause.
    owned: dict[tuple[str, str], list[Pair]] = {}
    for pair in maker_and_owned(compiled):
        owned.setdefault((pair.thing, compiled.class_around(pair.second)), []).append(pair)
    for pair, *others in owned.values():
        more = f" (and {len(others):,} more)" if others else ""
        message = f"{pair.second}{more} belongs to {pair.thing}, but is not ordered after {MAKER}"
        found = unordered(compiled, pair, message, TWO_RUNS)
        if found:
            yield found
