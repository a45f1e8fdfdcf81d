"""A notification goes to a resource that cannot refresh.

Why: `notify`, `subscribe` and `~>` refresh services, execs and a few other types. For files, users
and similar types only the order remains, and the intended action does not happen.

Evidence: the target has a type that cannot refresh. It is a note, because the order remains and may
be intended.

Bad:

```puppet
package { 'ntp': }
file { '/etc/ntp.conf': subscribe => Package['ntp'] }  # <--
```

Good:

```puppet
package { 'ntp': }
file { '/etc/ntp.conf': require => Package['ntp'] }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, rule
from analyzer.model.relationship import Relationship

# Puppet's types without a method `refresh` (type/*.rb).
NOT_REFRESHABLE = frozenset(
    {
        "Augeas",
        "Cron",
        "File",
        "File_line",
        "Group",
        "Host",
        "Mailalias",
        "Notify",
        "Schedule",
        "Ssh_authorized_key",
        "Sshkey",
        "Tidy",
        "User",
        "Yumrepo",
    }
)


@rule("CG307", on=Compiled, severity="note")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check the target of each notification."""
    for relationship in compiled.explicit:
        if relationship.event and cannot_refresh(compiled, relationship):
            yield Problem(
                f"{relationship.target} cannot refresh: the notification from "
                f"{relationship.source} only orders them",
                relationship.origin.span,
                (str(relationship.source), str(relationship.target)),
            )


def cannot_refresh(compiled: Compiled, relationship: Relationship) -> bool:
    """Return whether the target does nothing on an event."""
    target = compiled.resource(relationship.target)
    return target is not None and target.type in NOT_REFRESHABLE
