"""A relationship names a resource that is not in the catalog.

Why: Puppet stops before it applies anything: 'Could not find dependency'. Declare the resource,
realize it if it is virtual, or correct the reference.

Evidence: a complete catalog. If resources may be missing, nothing is reported. A role that is
compiled by itself lacks the other resources of its nodes. In that case it is a note, and only if
the reference resembles that of an existing resource.

Bad:

```puppet
package { 'openssh-server': }
service { 'sshd':
  require => Package['openssh-servre'],  # <--
}
```

```puppet
@package { 'openssh-server': }
service { 'sshd':  # <--
  require => Package['openssh-server'],
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

from analyzer.diagnostics import Severity
from analyzer.graph.queries import SUGGESTED
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, rule


@rule("CG201", on=Compiled, severity="error", absence="resources")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check each reference to a missing resource.

    If a class is compiled by itself, another class may declare the resource.
    """
    if compiled.partial:
        return
    told = set()
    look_alike = compiled.graph.did_you_mean
    # A name with colons is not that of a node, but of a role that is compiled by itself.
    is_role = "::" in compiled.name.rpartition("(")[2]
    severity: Severity | None = "note" if is_role else None
    for number, missing in enumerate(compiled.record.missing):
        told.add((missing.ref, missing.other))
        near = look_alike(missing.ref) if is_role or number < SUGGESTED else ()
        if is_role and not near:
            continue
        yield Problem(
            missing.message,
            missing.span,
            (missing.other, missing.ref),
            notes=(f"did you mean {' or '.join(near)}?",) if near else (),
            severity=severity,
        )
    # CG203 reports arrows to virtual resources.
    arrows = {ref for chain in compiled.record.chains for one in chain.operands for ref in one.refs}
    for target in compiled.graph.missing():
        refs = target.target, str(target.declared_by)
        if refs in told or (target.virtual and target.target in arrows):
            continue
        if is_role and not look_alike(target.target):
            continue
        yield Problem(
            target.message,
            target.span,
            (str(target.declared_by), target.target),
            notes=(target.hint,) if target.hint else (),
            severity=severity,
        )
