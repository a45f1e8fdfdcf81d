"""Two resources share a path, package, user or service, but are unordered.

Why: Puppet applies unordered resources in the order of declaration. If a line moves, or another
class is included first, the order changes, and the next new machine fails.

Evidence: both resources name the same path, package, user or service, and the graph does not order
them. A folder or file that the command itself creates is accepted.

Bad:

```puppet
package { 'ntp': }
service { 'ntp': ensure => running }  # <--
```

```puppet
group { 'www': }
exec { '/usr/local/bin/deploy': group => 'www' }  # <--
```

```puppet
user { 'alice': managehome => true }
file { '/home/alice/.bashrc': content => 'umask 027' }  # <--
```

```puppet
file { '/etc/default/ntp': content => 'NTPD_OPTS=-g' }
service { 'ntp': ensure => running }  # <--
exec { '/bin/systemctl reload ntp': refreshonly => true }  # <--
```

```puppet
file { '/usr/local/bin/enrol': mode => '0755' }
exec { 'enrol':  # <--
  command => Deferred('sprintf', ['/usr/local/bin/enrol --as %s', 'web']),
  path    => '/usr/bin',
}
```

```puppet
service { 'mariadb': ensure => running }
exec { '/usr/bin/mariadb -e "CREATE DATABASE wiki"': unless => '/usr/bin/mariadb wiki' }  # <--
```

```puppet
exec { '/usr/bin/git clone https://example.com/app /srv/app': creates => '/srv/app' }
file { '/srv/app/settings.ini': content => 'debug = 0' }  # <--
```

```puppet
define ini_setting($path, $value) { notify { $title: } }
exec { '/usr/bin/make-settings > /etc/app.ini': creates => '/etc/app.ini' }
ini_setting { 'debug': path => '/etc/app.ini', value => '0' }  # <--
```

```puppet
exec { '/bin/systemctl restart ntp': refreshonly => true }
exec { '/bin/systemctl reload ntp': refreshonly => true }  # <--
```

```puppet
file { '/etc/ssh/sshd_config': content => 'UsePAM yes' }
augeas { 'root':  # <--
  context => '/files/etc/ssh/sshd_config',
  changes => 'set PermitRootLogin no',
}
```

Good:

```puppet
package { 'ntp': }
service { 'ntp':
  ensure  => running,
  require => Package['ntp'],
}
```

Silent:

```puppet
exec { '/usr/bin/git clone https://example.com/app /srv/app':
  unless => 'test -d /srv/app',
}
file { '/srv/app': ensure => directory }
```

```puppet
exec { 'key':
  command => '/usr/bin/genrsa > /etc/app.key',
  before  => File['/etc/app.key'],
}
-> exec { '/usr/bin/sign -key /etc/app.key': }
file { '/etc/app.key': mode => '0440' }
```

```puppet
file { '/tmp': ensure => directory, mode => '1777' }
exec { '/usr/bin/find /tmp -perm -o=w -exec chmod o-w {} +': }
```

```puppet
service { 'mariadb': ensure => running }
exec { '/usr/bin/mariadb -h db.example.com -e "CREATE DATABASE wiki"': }
```

```puppet
exec { '/usr/bin/git clone https://example.com/app /srv/app': creates => '/srv/app' }
file { '/srv/app.ini': content => 'debug = 0' }
```

```puppet
exec { '/bin/systemctl restart ntp': refreshonly => true }
exec { '/bin/systemctl reload apache2': refreshonly => true }
```

```puppet
file { '/etc/ssh': ensure => directory }
file { '/etc/ssh/sshd_config': content => 'UsePAM yes' }
-> augeas { 'root':
  context => '/files/etc/ssh/sshd_config',
  changes => 'set PermitRootLogin no',
}
```

```puppet
package { ['postgresql', 'postgresql-server']: }
service { 'postgresql': ensure => running, require => Package['postgresql-server'] }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.puppet.shared_targets import pairs
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.puppet.unordered import unordered
from analyzer.linter.rule import Problem, rule


@rule("CG312", on=Compiled, severity="warning", absence="relationships", acyclic=True)
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check each unordered pair of resources that use the same thing."""
    for pair in pairs(compiled):
        found = unordered(
            compiled,
            pair,
            f"{pair.first} and {pair.second} are unordered, though both use {pair.thing}",
            f"perhaps you mean: {pair.first} before {pair.second}",
        )
        if found:
            yield found
