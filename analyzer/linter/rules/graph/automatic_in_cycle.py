"""A relationship contradicts an automatic relationship, through other resources.

Why: Puppet drops an automatic relationship only if there is a direct relationship in the opposite
direction. If the opposite path is longer, the two form a cycle, and one of its edges is not visible
in any manifest.

Evidence: the relationship graph of a compiled catalog has the cycle.

Bad:

```puppet
user { 'app': }
file { '/srv/app': ensure => directory, owner => 'app' }
file { '/srv/link': ensure => link, target => '/srv/app', before => User['app'] }  # <--
```

Good:

```puppet
user { 'app': }
file { '/srv/app': ensure => directory, owner => 'app' }
file { '/srv/link': ensure => link, target => '/srv/app' }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.graph.phrases import sentence
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, rule


@rule("CG306", on=Compiled, severity="warning")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Look for automatic relationships on the path shown for each cycle."""
    for cycle in compiled.graph.cycles():
        made = [r for hop in cycle.hops for r in hop.relationships[:1]]
        automatic = [r for r in made if r.auto]
        written = [r for r in made if not r.auto and r.kind != "contains"]
        if automatic and written:
            cut = [statement.example for statement in cycle.cut.statements]
            last = next((r for r in written if r in cut), written[-1])
            yield Problem(
                f"{sentence(last)}, which contradicts an automatic relationship",
                last.origin.span,
                (str(last.source), str(last.target)),
                notes=tuple(sentence(r) for r in automatic),
            )
