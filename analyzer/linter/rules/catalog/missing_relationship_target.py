"""A relationship names a resource that is not in the catalog.

Why: Puppet stops before it applies anything: 'Could not find dependency'. Declare the resource,
realize it if it is virtual, or correct the reference.

Bad:

```puppet
package { 'openssh-server': }
service { 'sshd':
  require => Package['openssh-servre'],  # <--
}
```

Good:

```puppet
package { 'openssh-server': }
service { 'sshd':
  require => Package['openssh-server'],
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.graph.queries import SUGGESTED, did_you_mean
from analyzer.linter.rule import Problem, rule
from analyzer.linter.subjects import Compiled


@rule("CG201", on=Compiled, severity="error", absence="resources")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Look at each reference that finds nothing; what one class names, another may declare."""
    if compiled.partial:
        return
    told = set()
    for number, missing in enumerate(compiled.record.missing):
        told.add((missing.ref, missing.other))
        near = did_you_mean(compiled.graph.kernel, missing.ref) if number < SUGGESTED else ()
        yield Problem(
            missing.message,
            missing.span,
            (missing.other, missing.ref),
            notes=(f"did you mean {' or '.join(near)}?",) if near else (),
        )
    for target in compiled.graph.missing():
        refs = target.target, str(target.declared_by)
        if refs in told or target.target in compiled.record.virtual:
            continue
        near = target.suggestions
        yield Problem(
            target.message,
            target.span,
            (str(target.declared_by), target.target),
            notes=(f"did you mean {' or '.join(near)}?",) if near else (),
        )
