"""An exec with `refreshonly` never runs, because nothing notifies it.

Why: such an exec runs only on a refresh event. Without a resource that sends one, the exec is dead
code, unless it is notified on another node. (Even a sent event is lost if the run fails between the
change and the exec. `unless`, `onlyif` and `creates` check the state of the machine instead.)

Evidence: a complete catalog in which no event reaches the command.

Bad:

```puppet
exec { '/usr/bin/newaliases':  # <--
  refreshonly => true,
}
```

Good:

```puppet
file { '/etc/aliases': }
exec { '/usr/bin/newaliases':
  refreshonly => true,
  subscribe   => File['/etc/aliases'],
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.linter.puppet.subjects import Compiled
from analyzer.linter.rule import Problem, no_problem, rule


@rule("CG309", on=Compiled, severity="warning", absence="resources")
def check(compiled: Compiled) -> Iterator[Problem]:
    """Check whether an event reaches each exec with `refreshonly`."""
    execs = [
        r for r in compiled.by_type.get("Exec", ()) if is_true(r.parameters.get("refreshonly"))
    ]
    if not execs or compiled.partial:
        return
    told = notified(compiled)
    for resource in execs:
        if compiled.number(resource) in told:
            yield no_problem(resource.span, str(resource))
        else:
            yield Problem(
                f"{resource} never runs: it has refreshonly, and nothing notifies it",
                resource.span,
                (str(resource),),
                unless_ok=True,
            )


def notified(compiled: Compiled) -> set[int | None]:
    """Return the nodes that an event of any resource reaches, directly or through containers."""
    graph, succ = compiled.graph, compiled.events
    plain = [v for v in range(len(succ)) if graph.end_of(v)[0] == "resource"]
    found: set[int | None] = set()
    pending = plain
    while pending:
        for t in succ[pending.pop()]:
            if t not in found:
                found.add(t)
                if graph.end_of(t)[0] != "resource":
                    pending.append(t)
    return found


def is_true(value: object) -> bool:
    """Return whether the `exec` type reads a value as true."""
    return value is True or value == "true"
