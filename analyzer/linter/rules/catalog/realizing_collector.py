"""A collector in a chain realizes virtual resources, which is more than to order them.

Why: a collector makes real whatever virtual resources it finds. One that was written to put
something in order thereby creates users or files that nobody asked for on this node.

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
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, rule


@rule("CG106", on=Compiled, severity="warning")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Look at the collectors that stand beside an arrow."""
    chains = compiled.record.chains
    chained = {operand.span for chain in chains for operand in chain.operands}
    for collection in compiled.record.collections:
        if collection.span in chained and collection.realized and not collection.exported:
            shown = ", ".join(collection.realized[:3])
            more = len(collection.realized) - 3
            yield Problem(
                f"`{collection.text}` does not only order, it also realizes {shown}"
                + (f" and {more} more" if more > 0 else ""),
                collection.span,
                collection.realized,
            )
