"""A collector in a chain realizes virtual resources.

Why: a collector realizes every virtual resource that it matches. If you only wanted to order
resources, it also creates users or files that this node should not have.

Evidence: a compiled catalog in which the chain realized a virtual resource. A collector that sets
attributes is meant to do more than order.

Bad:

```puppet
@user { ['alice', 'bob']: ensure => present }
file { '/srv/home': ensure => directory }
File['/srv/home'] -> User <| |>  # <--
```

Good:

```puppet
@user { ['alice', 'bob']: ensure => present }
file { '/srv/home': ensure => directory }
realize User['alice'], User['bob']
File['/srv/home'] -> User['alice']
```

Silent:

```puppet
package { 'promtail': ensure => installed }
@user { 'promtail': groups => ['promtail'] }
Package['promtail'] -> User <| title == promtail |> { groups +> 'systemd-journal' }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, rule


@rule("CG106", on=Compiled, severity="warning")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check the collectors next to an arrow."""
    chains = compiled.record.chains
    chained = {operand.span for chain in chains for operand in chain.operands}
    for collection in compiled.record.collections:
        overrides = collection.text.endswith("}")
        only_orders = collection.span in chained and not collection.exported and not overrides
        if only_orders and collection.realized:
            shown = ", ".join(collection.realized[:3])
            more = len(collection.realized) - 3
            yield Problem(
                f"`{collection.text}` does not only order resources, it also realizes {shown}"
                + (f" and {more} more" if more > 0 else ""),
                collection.span,
                collection.realized,
            )
