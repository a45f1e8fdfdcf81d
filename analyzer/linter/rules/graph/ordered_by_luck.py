"""Two resources touch the same thing and have an order only by their places in the manifest.

Why: Puppet applies what has no order in the order of declaration. Moving a line, or including a
class elsewhere first, turns it round, and what worked fails on the next new machine.

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

Good:

```puppet
package { 'ntp': }
service { 'ntp':
  ensure  => running,
  require => Package['ntp'],
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.diagnostics import Step
from analyzer.linter.puppet.edits import add_reference
from analyzer.linter.puppet.shared_targets import Pair, pairs
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, rule


@rule("CG312", on=Compiled, severity="warning", absence="relationships", acyclic=True)
def check(compiled: Compiled) -> Iterator[Problem]:
    """Look at each pair that touches one thing and has no order."""
    for pair in pairs(compiled):
        if not compiled.ordered(pair.first, pair.second):
            yield problem(compiled, pair)


def problem(compiled: Compiled, pair: Pair) -> Problem:
    """Return the problem of one pair: which comes first today, and what would fix it."""
    first, second = pair.first, pair.second
    order = compiled.first_by_place(first, second)
    today = f"today {order} comes first, by its place only" if order else "either may come first"
    return Problem(
        f"{first} and {second} have no order, though both are about {pair.thing}",
        second.span,
        (str(first), str(second)),
        (Step(f"{first} is declared here", first.span, (str(first),)),),
        (today, f"what is meant is perhaps: {first} before {second}"),
        add_reference(compiled, second, "require", first),
    )
