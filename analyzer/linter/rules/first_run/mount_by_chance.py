"""A mount is not ordered after its folder or package, or before a resource that uses it.

Why: Puppet relates a mount to the mounts around it and to the files below it. It does not relate a
mount to the folder that it is mounted on, to the package that can mount its file system, or to
commands, checkouts and archives below it. A mount without its folder or package fails. The mount
hides files that were written before it.

Evidence: the catalog manages the folder, a package that the file system needs (such as nfs-common
for `nfs`), or a command, a checkout or an archive that names a path in the mount, and the graph
does not order it with the mount. Only mounts with `ensure => mounted` count.

Bad:

```puppet
file { '/srv/data': ensure => directory }
mount { '/srv/data': ensure => mounted, device => '/dev/sdb1', fstype => 'ext4' }  # <--
```

```puppet
mount { '/srv/data': ensure => mounted, device => '/dev/sdb1', fstype => 'ext4' }
exec { '/usr/bin/initialize --in /srv/data/db': }  # <--
```

```puppet
package { 'nfs-common': }
mount { '/srv/data': ensure => mounted, device => 'server:/data', fstype => 'nfs' }  # <--
```

Good:

```puppet
file { '/srv/data': ensure => directory }
-> mount { '/srv/data': ensure => mounted, device => '/dev/sdb1', fstype => 'ext4' }
-> exec { '/usr/bin/initialize --in /srv/data/db': }
```

Silent:

```puppet
mount { '/srv/data': ensure => mounted, device => '/dev/sdb1', fstype => 'ext4' }
-> file { '/srv/data': ensure => directory, owner => 'www' }
```

```puppet
mount { '/srv/data': ensure => mounted, device => '/dev/sdb1', fstype => 'ext4' }
file { '/srv/data/x': content => 'y' }
```

```puppet
package { 'nfs-kernel-server': }
mount { '/srv/data': ensure => mounted, device => '/dev/sdb1', fstype => 'ext4' }
```

```puppet
file { '/srv/data': ensure => directory }
mount { '/srv/data': ensure => unmounted, device => '/dev/sdb1', fstype => 'ext4' }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.puppet.needs.paths import mount_and_user
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.puppet.unordered import unordered
from analyzer.linter.rule import Problem, rule


@rule("CG319", on=Compiled, severity="warning", absence="relationships", acyclic=True)
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check each mount, its folder and package, and the resources below it."""
    for pair in mount_and_user(compiled):
        message = f"{pair.second} is not ordered after {pair.first}, but uses {pair.thing}"
        found = unordered(compiled, pair, message)
        if found:
            yield found
