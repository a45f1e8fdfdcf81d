"""A command runs in every run, and twice if it is notified.

Why: an exec without `refreshonly`, `creates`, `unless` or `onlyif` runs whenever Puppet runs, and
each run reports a change. An event makes it run a second time in the same run. Usually the author
forgot `refreshonly => true`.

Evidence: the attributes of the exec, and a notification that names it (confirmed with real Puppet).

Bad:

```puppet
file { '/etc/aliases': content => 'root: admin' }
~> exec { '/usr/bin/newaliases': }  # <--
```

Good:

```puppet
file { '/etc/aliases': content => 'root: admin' }
~> exec { '/usr/bin/newaliases': refreshonly => true }
```

Silent:

```puppet
file { '/etc/aliases': content => 'root: admin' }
-> exec { '/usr/bin/newaliases': }
```

```puppet
file { '/etc/aliases': content => 'root: admin' }
~> exec { '/usr/bin/newaliases': onlyif => '/usr/bin/test /etc/aliases -nt /etc/aliases.db' }
```

```puppet
file { '/etc/aliases': content => 'root: admin' }
~> exec { '/usr/bin/newaliases': refresh => '/usr/bin/newaliases --all' }
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.diagnostics import Step
from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, rule
from analyzer.model.resource import Resource

# Attributes that restrict when an exec runs, or change what it does on an event.
DECIDING = ("creates", "unless", "onlyif", "refresh", "schedule", "noop")


@rule("CG326", on=Compiled, severity="warning")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check each exec that a relationship notifies."""
    seen: set[str] = set()
    for relationship in compiled.explicit:
        target = compiled.resource(relationship.target)
        if not relationship.event or target is None or target.type != "Exec":
            continue
        if str(target) in seen or not always_runs(target):
            continue
        seen.add(str(target))
        source = str(relationship.source)
        yield Problem(
            f"{target} runs in every run, and twice if {source} changes: it has no refreshonly",
            target.span,
            (str(target), source),
            (Step(f"{source} notifies it here", relationship.origin.span, (source,)),),
        )


def always_runs(resource: Resource) -> bool:
    """Return whether an exec runs in every run, and no `refreshonly => false` asks for that."""
    given = resource.parameters
    return given.get("refreshonly") is None and all(
        given.get(name) in (None, False, "false") for name in DECIDING
    )
