"""A command names a user, a group or a database that is not ordered before it.

Why: Puppet relates an exec to the user that it runs as, but does not look into the command. On a
new machine, `chown app`, `sudo -u app` or `mysql app < app.sql` fails if the account or the
database is created later.

Evidence: the command contains the name where its program expects an account or a database, the
catalog manages that account or database, and the graph does not order the two.

Bad:

```puppet
user { 'kibana': }
exec { 'own': command => '/bin/chown -R kibana /opt/x', refreshonly => true }  # <--
```

```puppet
group { 'docker': }
exec { 'member': command => '/usr/sbin/usermod -aG docker deploy' }  # <--
```

Good:

```puppet
user { 'kibana': }
-> exec { '/bin/chown -R kibana /opt/kibana': refreshonly => true }
```

Silent:

```puppet
user { 'kibana': ensure => absent }
exec { '/bin/chown -R kibana /opt/kibana': refreshonly => true }
```

```puppet
user { 'kibana': }
exec { '/bin/echo kibana': user => 'kibana' }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.puppet.needs.accounts import account_and_command, database_and_command
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.puppet.unordered import unordered
from analyzer.linter.rule import Problem, rule


@rule("CG328", on=Compiled, severity="warning", absence="relationships", acyclic=True)
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check each account or database that a command names."""
    for pair in (*account_and_command(compiled), *database_and_command(compiled)):
        message = (
            f"{pair.second} is not ordered after {pair.first}, but its command names {pair.thing}"
        )
        found = unordered(compiled, pair, message)
        if found:
            yield found
