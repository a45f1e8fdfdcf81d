"""Resources wait for each other in a circle.

Why: Puppet applies nothing at all when the relationship graph has a cycle. Remove one of the
statements named as the cut.

Bad:

```puppet
package { 'ntp': require => File['/etc/ntp.conf'] }  # <--
file { '/etc/ntp.conf': require => Package['ntp'] }
```

Good:

```puppet
package { 'ntp': }
file { '/etc/ntp.conf': require => Package['ntp'] }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.graph.findings import cycle_finding
from analyzer.linter.edits import drop
from analyzer.linter.rule import Problem, rule
from analyzer.linter.subjects import Compiled


@rule("CG301", on=Compiled, severity="error")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Explain each cyclic component."""
    for cycle in compiled.graph.cycles():
        found = cycle_finding(compiled.name, cycle)
        statements = cycle.cut.statements
        proposals = drop(compiled, statements[0].example) if len(statements) == 1 else ()
        yield Problem(found.message, found.span, found.refs, found.steps, found.notes, proposals)
