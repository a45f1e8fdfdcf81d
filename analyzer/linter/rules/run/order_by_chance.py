"""In some valid orders a resource comes before its dependency.

Why: Puppet arranges unordered resources by their position in the manifest. Other valid orders,
chosen at random, show what may happen if a line moves or a class is included elsewhere. (Needs
`--shuffle N`.)

Evidence: a random valid order in which a resource comes before something it needs.

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
    """Count the random orders in which each pair is swapped."""
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
                f"{pair.second} comes before {pair.first} in {count} of {compiled.shuffle} random "
                f"valid orders, though both use {pair.thing}",
                pair.second.span,
                (str(pair.first), str(pair.second)),
            )
