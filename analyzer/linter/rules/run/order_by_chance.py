"""In some legal orders a resource comes before another that it needs.

Why: what the graph leaves open, Puppet decides by the places in the manifest. Walking random
orders that are just as legal shows what a moved line or another include may do. (Runs with
`--shuffle N`.)

Bad:

```puppet shuffle=20
package { 'ntp': }
service { 'ntp': ensure => running }  # <--
```

Good:

```puppet shuffle=20
package { 'ntp': }
service { 'ntp':
  ensure  => running,
  require => Package['ntp'],
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.puppet.shared_targets import pairs
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, rule


@rule(
    "CG401", on=Compiled, severity="warning", default=False, absence="relationships", acyclic=True
)
def check(compiled: Compiled) -> Iterator[Problem]:
    """Count in how many orders each pair that touches one thing is turned round."""
    found = [p for p in pairs(compiled) if not compiled.ordered(p.first, p.second)]
    if not found or not compiled.shuffle:
        return
    turned = [0] * len(found)
    for seed in range(compiled.shuffle):
        order = compiled.graph.order("random", seed)
        places = {str(ref): place for place, ref in enumerate(order)}
        for number, pair in enumerate(found):
            turned[number] += places[str(pair.second)] < places[str(pair.first)]
    for pair, count in zip(found, turned, strict=True):
        if count:
            yield Problem(
                f"in {count} of {compiled.shuffle} random legal orders {pair.second} comes before "
                f"{pair.first}, though both are about {pair.thing}",
                pair.second.span,
                (str(pair.first), str(pair.second)),
            )
